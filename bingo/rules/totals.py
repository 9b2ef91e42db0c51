"""Perpetual totals: what a hall has sold, collected and paid since its first session, never reset.

Every amount is counted where it moves: cards and money at the sale, prizes and tax when they are
paid, refunds when they are given back. So they can be held against what the days say of themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from bingo.rules import jackpots
from bingo.rules.game import Fact

Data = dict[str, Any]

SOLD = ("cards_sold", "block_settled")
PRIZED = ("sale_closed", "second_half_opened")
COUNTED = (*SOLD, *PRIZED, "prize_paid", "cards_refunded", "game_voided", "entry_completed")


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of one currency, in minor units.

    `prizes` are before `tax` and hold the jackpot's, which `awarded` tells once more; neither has
    what coins left over. `accrued` is what games that were not void have put into the jackpot (R10).
    """

    cards: int = 0
    collected: int = 0
    prizes: int = 0
    tax: int = 0
    accrued: int = 0
    awarded: int = 0
    refunded: int = 0

    def __add__(self, other: Totals) -> Totals:
        """Give both together."""
        return Totals(*(getattr(self, name) + getattr(other, name) for name in NAMES))


NAMES = tuple(one.name for one in fields(Totals))


@dataclass(frozen=True, slots=True)
class Tally:
    """What a session has come to; `accrual` is that of the game under way, which a void takes back."""

    totals: Totals = Totals()
    accrual: int = 0


EMPTY = Tally()


def counted(tally: Tally, fact: Fact) -> Tally:
    """Give the tally after a fact of the session; most facts change nothing."""
    data = fact.data
    if fact.kind in SOLD:
        return _more(tally, cards=data["quantity"], collected=data["amount"])
    if fact.kind in PRIZED:
        return replace(tally, accrual=data["prizes"]["jackpot"])
    match fact.kind:
        case "prize_paid":
            # What coins leave over of a prize is paid with another one.
            spent = data["amount"] - data.get("left_over", 0)
            return _more(tally, prizes=spent, tax=data["tax"])
        case "cards_refunded":
            return _more(tally, refunded=data["amount"])
        case "game_voided":
            return replace(tally, accrual=0)
        case "entry_completed":
            done = _more(tally, accrued=tally.accrual, awarded=_awarded(data["paid"]))
            return replace(done, accrual=0)
    return tally


def of_session(facts: Iterable[Fact]) -> Totals:
    """Give what one session's facts come to; those of kinds that are not COUNTED may be left out."""
    tally = EMPTY
    for fact in facts:
        tally = counted(tally, fact)
    return tally.totals


def carried(before: Mapping[str, Data], currency: str, totals: Totals) -> dict[str, Data]:
    """Give the hall's totals by currency, as the journal has them, with a session more."""
    already = load(before[currency]) if currency in before else Totals()
    return {**before, currency: asdict(already + totals)}


def load(data: Data) -> Totals:
    """Read the totals of one currency. Raises ValueError when they are none."""
    if set(data) != set(NAMES) or not all(_is_sum(data[name]) for name in NAMES):
        raise ValueError("totals")
    return Totals(**data)


def _more(tally: Tally, **sums: int) -> Tally:
    return replace(tally, totals=tally.totals + Totals(**sums))


def _awarded(paid: Mapping[str, int]) -> int:
    names = {jackpots.prize(level) for level in range(len(paid))}
    return sum(amount for name, amount in paid.items() if name in names)


def _is_sum(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
