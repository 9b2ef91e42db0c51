"""Whether the card of a player who calls really holds what is called, and what it lacks."""

from collections.abc import Iterable
from dataclasses import dataclass

from bingo.rules import cards
from bingo.rules.cards import Card
from bingo.rules.refusal import Refusal

LINE = "line"
BINGO = "bingo"
JACKPOT = "jackpot"
COMBINATIONS = (LINE, BINGO)
# The jackpot is won with a bingo, never called (R9).
PRIZES = (LINE, BINGO, JACKPOT)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the check of a card found (R43).

    `called` and `missing` are numbers of the whole card for a bingo, of the nearest line for a
    line; `line` is that line's index in `cards.lines`, 0 the top one, and None for a bingo.
    """

    combination: str
    valid: bool
    called: frozenset[int]
    missing: frozenset[int]
    line: int | None


def judge(card: Card, combination: str, *, drawn: Iterable[int]) -> Verdict:
    """Check a called line or bingo against the numbers announced in this game (R5, R49).

    The moment at which it was completed does not count. Refusal unknown_combination.
    """
    if combination not in COMBINATIONS:
        raise Refusal("unknown_combination", combination=combination)
    announced = frozenset(drawn)
    line = None if combination == BINGO else _nearest_line(card, announced)
    wanted = cards.numbers(card) if line is None else cards.lines(card)[line]
    missing = wanted - announced
    return Verdict(combination, not missing, wanted & announced, missing, line)


def _nearest_line(card: Card, announced: frozenset[int]) -> int:
    """The line that lacks the fewest numbers; of equals the upper."""
    lacking = [len(line - announced) for line in cards.lines(card)]
    return lacking.index(min(lacking))
