"""The words of draws and cameras: faults, readings, calibration, certificates, journal entries.

Why a reading was not announced and is put to the caller, what is wrong with a camera and what to do
about it, why a certificate counts no longer; and what journal entries of draws, sources,
suspensions, cameras and enrolments say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from bingo import catalogues
from bingo.money_and_dates import Whole, per_cent
from draws import trade_words
from draws.cards import labels as cards_labels
from draws.refusals.text import REFUSALS
from draws.sales.labels import Data, Money

Text = Promise | str
_WORDS = catalogues.words_beside(__file__)

# Why a ball is put to the caller.
REASONS: Mapping[str, Text] = _WORDS["reasons"]
# What is wrong with a camera.
HEALTH: Mapping[str, Text] = _WORDS["health"]


def draw_reason(code: str) -> Text:
    """Say why a reading was put to the caller, or ended; what somebody wrote stays as it is."""
    return REASONS.get(code, code)


def health(code: str) -> Text:
    """Say what is wrong with a camera."""
    return HEALTH.get(code, code)


def draw_log_sure(per_mille: int) -> str:
    """Write a confidence as per cent."""
    return per_cent(number_format(per_mille / 10, 1), get_language() or "pt")


def _ball(data: Data, _money: Money) -> str:
    values = {"number": _called(data), "count": data["count"]}
    told = [
        _("%(number)s, ball %(count)s of the game") % values,
        str(trade_words.source(data["source"])),
    ]
    if "confidence" in data:
        told.append(draw_log_sure(data["confidence"]))
    if data.get("automatic"):
        told.append(_("announced by the hall's rule"))
    return " · ".join(told)


def _called(data: Data) -> str:
    """Name the ball of an entry; one of a game of symbols by its symbol (R80)."""
    if data["number"] is None:
        return _("no number")
    return cards_labels.of_code(data.get("symbol"), data["number"])


def _read(data: Data, _money: Money) -> str:
    number = _called(data)
    told = [number, str(trade_words.source(data["source"])), str(draw_reason(data["reason"]))]
    if data["camera"]:
        told.insert(1, draw_log_sure(data["confidence"]))
        told.append(data["camera"])
    return " · ".join(told)


def _dismissed(data: Data, _money: Money) -> str:
    return f"{_called(data)} · {draw_reason(data['reason'])}"


def _changed(data: Data, _money: Money) -> str:
    count = data["count"]
    after = ngettext("after %(count)s ball", "after %(count)s balls", count) % {
        "count": Whole(count)
    }
    return f"{trade_words.source(data['source'])} · {after} · {data['reason']}"


def _set_up(data: Data, _money: Money) -> str:
    told = [data["name"], data["address"], f"SHA-256 {data['settings']}"]
    if not data["active"]:
        told.append(_("no longer in use"))
    return " · ".join(told)


def _fault(data: Data, _money: Money) -> str:
    return f"{data['camera']} · {health(data['fault'])}"


def _forgotten(data: Data, _money: Money) -> str:
    n, days = data["pictures"], data["days"]
    told = [ngettext("%(n)s picture", "%(n)s pictures", n) % {"n": Whole(n)}]
    if data["after"] != data["last"]:
        sessions = {"first": data["after"] + 1, "last": data["last"]}
        told.append(_("sessions %(first)s to %(last)s") % sessions)
    told.append(ngettext("kept for %(n)s day", "kept for %(n)s days", days) % {"n": Whole(days)})
    return " · ".join(told)


DRAW_LOG_TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
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


# Why no ball comes of a reading, to choose from.
DISMISSALS = ("nothing", "hand", "two_balls", "other_set", "told_twice")

# What to do about a camera, by what is wrong with it.
REMEDIES: Mapping[str, Text] = _WORDS["remedies"]
# What stands against announcing at once, where it needs no number.
LOOKS: Mapping[str, Text] = _WORDS["looks"]


def why(reason: str, numbers: Sequence[int | str], *, confidence: int, automatic: int) -> str:
    """Say why a reading was not announced by itself; `numbers` are the guesses, best first.

    In a game of symbols they are the symbols' names (R80).

    `automatic` is the hall's rule, per mille, 0 where the caller announces every ball.
    """
    values = dict(zip(("first", "second"), numbers, strict=False))
    if len(numbers) > 1 and reason == "no_mark":
        return _("%(first)s or %(second)s: nothing marks which way up") % values
    if len(numbers) > 1 and reason == "close":
        return _("%(first)s or %(second)s: they look alike") % values
    if numbers and reason == "drawn_already":
        return _("%(first)s is out already: look at the ball") % values
    if numbers and reason == "out_of_range":
        return _("There is no %(first)s in this game: a ball of another set?") % values
    if reason:
        return str(LOOKS.get(reason, draw_reason(reason)))
    return _unhindered(confidence, automatic)


def _unhindered(confidence: int, automatic: int) -> str:
    if automatic and confidence < automatic:
        values = {"asked": draw_log_sure(automatic)}
        return _("Less sure than the hall asks for (%(asked)s): look at the ball") % values
    return _("Compare it with the ball, then announce it")


def missed(patience: int) -> str:
    """Say that no ball came before the camera in so many seconds, of which the hall may ask none."""
    if not patience:
        return str(LOOKS["missing"])
    said = ngettext(
        "No ball came within %(n)s second", "No ball came within %(n)s seconds", patience
    )
    return said % {"n": Whole(patience)}


def reading_remedy(fault: str) -> Text:
    """Say what to do about a camera's fault; nothing where nothing is wrong."""
    return REMEDIES.get(fault, "")


NAMES: Mapping[str, Text] = _WORDS["figures"]
# What a figure means and what to do, by its name and where it lies.
HINTS: Mapping[str, Mapping[str, Text]] = _WORDS["hints"]
# How far the taking of a picture has come.
TAKEN: Mapping[str, Text] = _WORDS["taken"]
# What is in the way while balls are shown.
TROUBLES: Mapping[str, Text] = _WORDS["troubles"]
PURPOSES: Mapping[str, Text] = _WORDS["purposes"]


def hint(name: str, verdict: str) -> tuple[str, str]:
    """Name a figure, and say what to do."""
    return str(NAMES[name]), str(HINTS[name].get(verdict, HINTS[name]["good"]))


def camera_taken(code: str) -> str:
    """Say how far the taking of a picture has come, or why there is none."""
    said = TAKEN.get(code) or REFUSALS.get(code)
    return str(said) if said else _("It failed (%(code)s)") % {"code": code}


def trouble(code: str) -> str:
    """Say what is in the way; nothing where nothing is."""
    return str(TROUBLES.get(code) or REFUSALS.get(code) or code)


CHANGES: Mapping[str, Text] = _WORDS["changes"]
AGAIN = gettext_lazy("Enrol the set again; until then a person confirms every ball.")


def lapsed(change: str, balls: tuple[int, ...] = ()) -> str:
    """Say what has changed since; `balls` are the numbers replaced."""
    if change != "balls":
        return str(CHANGES[change])
    said = ngettext(
        "Ball %(numbers)s was replaced since", "Balls %(numbers)s were replaced since", len(balls)
    )
    return said % {"numbers": ", ".join(str(number) for number in balls)}


def certificate_remedy(change: str) -> Text:
    """Say what to do; nothing where a newer one counts."""
    return "" if change == "newer" else AGAIN


def _enrolled(data: Data, _money: Money) -> str:
    found = data["found"]
    n, wrong = found["pictures"], found["wrong"]
    sure = draw_log_sure(data["threshold"])
    return " · ".join(
        [
            data["ball_set"],
            data["camera"],
            ngettext("%(n)s picture", "%(n)s pictures", n) % {"n": Whole(n)},
            ngettext("%(n)s read wrong", "%(n)s read wrong", wrong) % {"n": Whole(wrong)},
            _("by itself from %(sure)s") % {"sure": sure}
            if data["threshold"]
            else _("never by itself"),
            f"SHA-256 {data['certificate']}",
        ]
    )


ENROLMENT_TELLERS: Mapping[str, Callable[[Data, Money], str]] = {"balls_enrolled": _enrolled}
