"""The words of money that nobody fetched: why it was set aside, and where it goes in the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from bingo.rules import unclaimed as rules
from draws.documents.sale_facts import Data, Money

REASONS: Mapping[str, Promise | str] = MappingProxyType(
    {
        rules.LEFT: _("The player has left"),
        rules.LOST: _("The card is lost"),
        rules.DAMAGED: _("Refused: the card is damaged"),
        rules.ALTERED: _("Refused: the card was altered"),
        rules.OTHER: _("Another reason"),
    }
)
# Of a void game a card comes back or it does not.
NOT_BACK: Mapping[str, Promise | str] = MappingProxyType(
    {
        rules.LEFT: _("The cards did not come back"),
        rules.LOST: _("The cards are lost"),
        rules.OTHER: REASONS[rules.OTHER],
    }
)
DESTINATIONS: Mapping[str, Promise | str] = MappingProxyType(
    {
        rules.JACKPOT: _("To the jackpot"),
        rules.TREASURY: _("To the treasury"),
        rules.OPERATOR: _("To the operator"),
        rules.CHARITY: _("To charity"),
    }
)


def reason(owed: str, code: str, note: str = "") -> str:
    """Return why something was set aside, with what was written."""
    named = NOT_BACK if owed == rules.REFUND else REASONS
    return " · ".join(filter(None, [str(named.get(code, code)), note]))


def cards(first: int, last: int) -> str:
    """Name cards by their numbers."""
    return str(first) if first == last else f"{first}-{last}"


def what(owed: str) -> str:
    """Name what is owed: a prize, or a refund."""
    return _now("Prize") if owed == rules.PRIZE else _now("Price of the card")


def _prize(data: Data, money: Money) -> str:
    named = [_now("card %(card)s") % {"card": data["card"]}, money(data["net"])]
    return " · ".join([*named, reason(rules.PRIZE, data["reason"], data.get("note", ""))])


def _refund(data: Data, money: Money) -> str:
    n = data["cards"]
    told = ngettext("%(n)s card", "%(n)s cards", n) % {"n": n}
    listed = ", ".join(cards(one["first"], one["last"]) for one in data["ranges"])
    why = reason(rules.REFUND, data["reason"], data.get("note", ""))
    return " · ".join([f"{told}: {listed}", money(data["amount"]), why])


def _paid(data: Data, money: Money) -> str:
    told = [
        _now("card %(card)s") % {"card": cards(data["first"], data["last"])},
        _now("session %(session)s, game %(game)s")
        % {"session": data["of_session"], "game": data["of_game"]},
        data["till"],
        money(data["amount"]),
    ]
    if complaint := data.get("complaint"):
        told.append(_now("complaint %(number)s") % {"number": "/".join(map(str, complaint))})
    return " · ".join(told)


def _expired(data: Data, money: Money) -> str:
    return " · ".join([str(DESTINATIONS[data["to"]]), money(data["amount"]), data["reference"]])


TELLERS: Mapping[str, Callable[[Data, Money], str]] = MappingProxyType(
    {
        "prize_set_aside": _prize,
        "refund_set_aside": _refund,
        rules.PAID: _paid,
        rules.EXPIRED: _expired,
    }
)
