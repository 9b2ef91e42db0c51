"""What journal entries about cards after their game say (R51, R52)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from draws.documents.sale_facts import Data, Money


def _used(data: Data, _money: Money) -> str:
    told = [_game(data), _cards(data["cards"])]
    if n := data["missing"]:
        told.append(ngettext("%(n)s not handed in", "%(n)s not handed in", n) % {"n": n})
    told += [_("collected by %(by)s: %(cards)s") % one for one in data.get("collected", ())]
    return " · ".join([*told, *([data["note"]] if "note" in data else [])])


def _carried(data: Data, _money: Money) -> str:
    return " · ".join(filter(None, [_game(data), str(data["card"]), data.get("place", "")]))


def _collected(data: Data, _money: Money) -> str:
    return f"{_game(data)} · {_cards(data['cards'])}"


def _destroyed(data: Data, _money: Money) -> str:
    return f"{_cards(len(data['cards']))}: {_listed(data)}"


def _handed_over(data: Data, _money: Money) -> str:
    told = [_case(data), data["to"], f"{_cards(len(data['cards']))}: {_listed(data)}"]
    return " · ".join([*told, f"SHA-256 {data['acta']}"])


def _opened(data: Data, _money: Money) -> str:
    told = [_case(data), _game(data), data["reference"], data["reason"]]
    if cards := data.get("cards"):
        listed = ", ".join(str(card) for _issue, card in cards)
        told.append(_("set aside: %(cards)s") % {"cards": listed})
    return " · ".join(told)


def _closed(data: Data, _money: Money) -> str:
    return f"{_case(data)} · {data['outcome']}"


def _lost(data: Data, money: Money) -> str:
    return f"{_destroyed(data, money)} · {data['reason']}"


def _listed(data: Data) -> str:
    """Name each card by session, game and number."""
    return ", ".join(f"{one['session']}/{one['game']}/{one['card']}" for one in data["cards"])


def _cards(n: int) -> str:
    return ngettext("%(n)s card", "%(n)s cards", n) % {"n": n}


def _case(data: Data) -> str:
    return _("case %(number)s") % {"number": data["case"]}


def _game(data: Data) -> str:
    return _("session %(session)s, game %(game)s") % {
        "session": data["session"],
        "game": data["game"],
    }


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "card_carried": _carried,
    "used_cards_collected": _collected,
    "used_cards_destroyed": _used,
    "winning_cards_destroyed": _destroyed,
    "kept_card_lost": _lost,
    "case_opened": _opened,
    "case_closed": _closed,
    "evidence_handed_over": _handed_over,
}
