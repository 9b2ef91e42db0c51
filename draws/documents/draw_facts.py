"""What journal entries of a draw say: balls and readings, sources, suspensions, cameras."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from bingo.writing import per_cent
from draws.documents import draw_words, symbol_names, words
from draws.documents.sale_facts import Data, Money


def sure(per_mille: int) -> str:
    """Write a confidence as per cent."""
    return per_cent(number_format(per_mille / 10, 1), get_language() or "pt")


def _ball(data: Data, _money: Money) -> str:
    values = {"number": _called(data), "count": data["count"]}
    told = [_("%(number)s, ball %(count)s of the game") % values, str(words.source(data["source"]))]
    if "confidence" in data:
        told.append(sure(data["confidence"]))
    if data.get("automatic"):
        told.append(_("announced by the hall's rule"))
    return " · ".join(told)


def _called(data: Data) -> str:
    """Name the ball of an entry; one of a game of symbols by its symbol (R80)."""
    if data["number"] is None:
        return _("no number")
    return symbol_names.of_code(data.get("symbol"), data["number"])


def _read(data: Data, _money: Money) -> str:
    number = _called(data)
    told = [number, str(words.source(data["source"])), str(draw_words.reason(data["reason"]))]
    if data["camera"]:
        told.insert(1, sure(data["confidence"]))
        told.append(data["camera"])
    return " · ".join(told)


def _dismissed(data: Data, _money: Money) -> str:
    return f"{_called(data)} · {draw_words.reason(data['reason'])}"


def _changed(data: Data, _money: Money) -> str:
    count = data["count"]
    after = ngettext("after %(count)s ball", "after %(count)s balls", count) % {"count": count}
    return f"{words.source(data['source'])} · {after} · {data['reason']}"


def _set_up(data: Data, _money: Money) -> str:
    told = [data["name"], data["address"], f"SHA-256 {data['settings']}"]
    if not data["active"]:
        told.append(_("no longer in use"))
    return " · ".join(told)


def _fault(data: Data, _money: Money) -> str:
    return f"{data['camera']} · {draw_words.health(data['fault'])}"


def _forgotten(data: Data, _money: Money) -> str:
    n, days = data["pictures"], data["days"]
    told = [ngettext("%(n)s picture", "%(n)s pictures", n) % {"n": n}]
    if data["after"] != data["last"]:
        sessions = {"first": data["after"] + 1, "last": data["last"]}
        told.append(_("sessions %(first)s to %(last)s") % sessions)
    told.append(ngettext("kept for %(n)s day", "kept for %(n)s days", days) % {"n": days})
    return " · ".join(told)


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "ball_announced": _ball,
    "ball_recalled": lambda data, _money: _called(data),
    "ball_read": _read,
    "reading_dismissed": _dismissed,
    "source_changed": _changed,
    "game_suspended": lambda data, _money: data["reason"],
    "game_resumed": lambda data, _money: data["decision"],
    "camera_set": _set_up,
    "camera_fault": _fault,
    "camera_restored": _fault,
    "pictures_forgotten": _forgotten,
}
