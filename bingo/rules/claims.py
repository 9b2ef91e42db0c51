"""Whether the card of a player who calls really holds what is called, and what it lacks."""

from collections.abc import Iterable
from dataclasses import dataclass

from bingo.rules import combinations
from bingo.rules.cards import Card
from bingo.rules.combinations import BINGO, LINE, Combination

__all__ = [
    "BINGO",
    "COMBINATIONS",
    "JACKPOT",
    "LINE",
    "PRIZES",
    "Verdict",
    "judge",
]

JACKPOT = "jackpot"
COMBINATIONS = (LINE, BINGO)
# The jackpot is won with a bingo, never called (R9).
PRIZES = (LINE, BINGO, JACKPOT)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the check of a card found (R43).

    `called` and `missing` are numbers of the nearest of the combination's ways; `way` is its place
    among them, None where there is one only.
    """

    combination: str
    valid: bool
    called: frozenset[int]
    missing: frozenset[int]
    way: int | None


def judge(card: Card, combination: Combination, *, drawn: Iterable[int]) -> Verdict:
    """Check a called card against the numbers announced in this game (R5, R49).

    The moment at which it was completed does not count. Of ways that lack equally many numbers
    the first is shown.
    """
    announced = frozenset(drawn)
    ways = combinations.ways(combination, card)
    lacking = [len(way - announced) for way in ways]
    nearest = lacking.index(min(lacking))
    wanted = ways[nearest]
    missing = wanted - announced
    return Verdict(
        combination.name, not missing, wanted & announced, missing,
        nearest if len(ways) > 1 else None,
    )  # fmt: skip
