"""The words of prizes: how sales are divided, what the coin leaves over (R6), unclaimed money.

Parts are shown in the order they are won. Unclaimed money has a reason, and a place where it goes
in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from bingo.money_and_dates import Whole, number_range
from bingo.rules import unclaimed as rules
from bingo.rules.prize_shares import Shares
from bingo.rules.prizes import WHOLE, Prizes
from bingo.rules.session_state import Award
from bingo.schema import Count
from draws import trade_words
from draws.sales.labels import Data, Money


@dataclass(frozen=True, slots=True)
class Carried:
    """Minor units: `brought` from earlier games into a game's fund, and left over of its prizes."""

    brought: Count = 0
    to_jackpot: Count = 0
    to_fund: Count = 0


NOTHING = Carried()


def describe_carry(carried: Carried, money: Callable[[int], str]) -> list[str]:
    """Say each part that there is, a sentence for each."""
    said = (
        (_("In the prizes: %(amount)s left over from earlier games"), carried.brought),
        (_("Left over of the prizes, into the jackpot: %(amount)s"), carried.to_jackpot),
        (
            _("Left over of the prizes, into the next game's prizes: %(amount)s"),
            carried.to_fund,
        ),
    )
    return [template % {"amount": money(amount)} for template, amount in said if amount]


def handed_over(award: Award, money: Callable[[int], str]) -> str:
    """Return what is withheld of a prize and what the player gets, empty where that is all of it."""
    if award.net == award.amount:
        return ""
    said = [_("tax %(amount)s") % {"amount": money(award.tax)}] if award.tax else []
    return " · ".join([*said, _("to hand over %(amount)s") % {"amount": money(award.net)}])


REASONS: Mapping[str, Promise | str] = MappingProxyType(
    {
        rules.LEFT: gettext_lazy("The player has left"),
        rules.LOST: gettext_lazy("The card is lost"),
        rules.DAMAGED: gettext_lazy("Refused: the card is damaged"),
        rules.ALTERED: gettext_lazy("Refused: the card was altered"),
        rules.OTHER: gettext_lazy("Another reason"),
    }
)
# Of a void game a card comes back or it does not.
NOT_BACK: Mapping[str, Promise | str] = MappingProxyType(
    {
        rules.LEFT: gettext_lazy("The cards did not come back"),
        rules.LOST: gettext_lazy("The cards are lost"),
        rules.OTHER: REASONS[rules.OTHER],
    }
)
DESTINATIONS: Mapping[str, Promise | str] = MappingProxyType(
    {
        rules.JACKPOT: gettext_lazy("To the jackpot"),
        rules.TREASURY: gettext_lazy("To the treasury"),
        rules.OPERATOR: gettext_lazy("To the operator"),
        rules.CHARITY: gettext_lazy("To charity"),
    }
)


def reason(owed: str, code: str, note: str = "") -> str:
    """Return why something was set aside, with what was written."""
    named = NOT_BACK if owed == rules.REFUND else REASONS
    return " · ".join(filter(None, [str(named.get(code, code)), note]))


def what(owed: str) -> str:
    """Name what is owed: a prize, or a refund."""
    return _("Prize") if owed == rules.PRIZE else _("Price of the card")


def _prize(data: Data, money: Money) -> str:
    named = [_("card %(card)s") % {"card": data["card"]}, money(data["net"])]
    return " · ".join([*named, reason(rules.PRIZE, data["reason"], data.get("note", ""))])


def _refund(data: Data, money: Money) -> str:
    n = data["cards"]
    told = ngettext("%(n)s card", "%(n)s cards", n) % {"n": Whole(n)}
    listed = ", ".join(number_range(one["first"], one["last"]) for one in data["ranges"])
    why = reason(rules.REFUND, data["reason"], data.get("note", ""))
    return " · ".join([f"{told}: {listed}", money(data["amount"]), why])


def _paid(data: Data, money: Money) -> str:
    told = [
        _("card %(card)s") % {"card": number_range(data["first"], data["last"])},
        _("session %(session)s, game %(game)s")
        % {"session": data["of_session"], "game": data["of_game"]},
        data["till"],
        money(data["amount"]),
    ]
    if complaint := data.get("complaint"):
        told.append(_("complaint %(number)s") % {"number": "/".join(map(str, complaint))})
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


HALL = "hall"  # what no prize gets
ORDER = ("line", "column", "corners", "bingo", "prima", "jackpot", HALL)
KEPT = gettext_lazy("The hall keeps")


@dataclass(frozen=True, slots=True)
class SharePart:
    """What a prize gets, or the hall: `amount` of `whole`, in the same unit."""

    code: str
    label: Promise | str
    amount: int
    whole: int

    @property
    def points(self) -> float:
        """Its basis points of the whole."""
        return self.amount * WHOLE / self.whole


def of_prizes(fixed: Prizes) -> list[SharePart]:
    """Divide a game's sales, in minor units, as its prizes were fixed."""
    won = {"line": fixed.line, "bingo": fixed.bingo, "jackpot": fixed.jackpot, **dict(fixed.extras)}
    return _parts(won, fixed.gross - fixed.fund, fixed.gross)


def of_shares(shares: Shares) -> list[SharePart]:
    """Divide a whole of 10 000 by shares, the jackpot's part still in the prizes."""
    extras = {one.prize: one.share for one in shares.extras}
    won = {"line": shares.line, "bingo": shares.bingo, **extras}
    return _parts(won, WHOLE - shares.fund, WHOLE)


def _parts(won: Mapping[str, int], kept: int, whole: int) -> list[SharePart]:
    amounts = {**won, HALL: kept}
    return [
        SharePart(
            code, KEPT if code == HALL else trade_words.COMBINATIONS[code], amounts[code], whole
        )
        for code in ORDER
        if amounts.get(code)
    ]
