"""Perpetual totals: what a hall has sold, collected and paid since its first session, never reset.

Every amount is counted where it moves: cards and money at the sale, prizes and tax when they are
paid or set aside, refunds when they are given back or set aside; and what was set aside once more
when it leaves the hall. So they can be held against what the days say of themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from bingo.rules import jackpots, unclaimed
from bingo.rules.game import Fact

Data = dict[str, Any]

SOLD = ("cards_sold", "block_settled")
PRIZED = ("sale_closed", "second_half_opened")


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of one currency, in minor units.

    `prizes` are before `tax` and hold the jackpot's, which `awarded` tells once more; neither has
    what coins left over. `accrued` is what games that were not void have put into the jackpot (R10).
    `set_aside` is what of prizes (less tax) and refunds nobody fetched, `paid_later` what of it
    players have had since.
    """

    cards: int = 0
    collected: int = 0
    prizes: int = 0
    tax: int = 0
    accrued: int = 0
    awarded: int = 0
    refunded: int = 0
    set_aside: int = 0
    paid_later: int = 0

    def __add__(self, other: Totals) -> Totals:
        """Give both together."""
        return Totals(*(getattr(self, name) + getattr(other, name) for name in NAMES))


NAMES = tuple(one.name for one in fields(Totals))
# Told only where there is any: closings older than these are without them.
SELDOM = frozenset(["set_aside", "paid_later"])


@dataclass(frozen=True, slots=True)
class Tally:
    """What a session has come to; `accrual` is that of the game under way, which a void takes back."""

    totals: Totals = Totals()
    accrual: int = 0


EMPTY = Tally()


MOVED: Mapping[str, Callable[[Data], dict[str, int]]] = MappingProxyType(
    {
        # What coins leave over of a prize is paid with another one.
        "prize_paid": lambda data: {
            "prizes": data["amount"] - data.get("left_over", 0),
            "tax": data["tax"],
        },
        "cards_refunded": lambda data: {"refunded": data["amount"]},
        "prize_set_aside": lambda data: {
            "prizes": data["amount"] - data.get("left_over", 0),
            "tax": data["tax"],
            "set_aside": data["net"],
        },
        "refund_set_aside": lambda data: {
            "refunded": data["amount"],
            "set_aside": data["amount"],
        },
        unclaimed.PAID: lambda data: {"paid_later": data["amount"]},
    }
)

COUNTED = (*SOLD, *PRIZED, *MOVED, "game_voided", "entry_completed")


def counted(tally: Tally, fact: Fact) -> Tally:
    """Give the tally after a fact of the session; most facts change nothing."""
    data = fact.data
    if fact.kind in SOLD:
        return _more(tally, cards=data["quantity"], collected=data["amount"])
    if fact.kind in PRIZED:
        return replace(tally, accrual=data["prizes"]["jackpot"])
    if fact.kind in MOVED:
        return _more(tally, **MOVED[fact.kind](data))
    match fact.kind:
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
    return {**before, currency: dump(already + totals)}


def dump(totals: Totals) -> Data:
    """Return the totals as the journal has them."""
    return {name: sum for name, sum in asdict(totals).items() if sum or name not in SELDOM}


def load(data: Data) -> Totals:
    """Read the totals of one currency. Raises ValueError when they are none."""
    if set(data) | SELDOM != set(NAMES) or not all(map(_is_sum, data.values())):
        raise ValueError("totals")
    return Totals(**data)


def _more(tally: Tally, **sums: int) -> Tally:
    return replace(tally, totals=tally.totals + Totals(**sums))


def _awarded(paid: Mapping[str, int]) -> int:
    names = {jackpots.prize(level) for level in range(len(paid))}
    return sum(amount for name, amount in paid.items() if name in names)


def _is_sum(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
