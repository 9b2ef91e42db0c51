"""What the prints of an enrolled set say of a ball: a second opinion on its number, and how clear it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

# docs/reading-balls.md says how these were chosen, and what they let through.
AGREES = 0.65  # likeness from which a ball may be one that is known
DIFFERS = 0.70  # likeness to another number from which one is doubted
AHEAD = 0.05  # by how much of the difference to any other number it must lead to be given
CONTRARY = 0.25  # likewise, to speak against a number that the networks would give
# Likeness that it takes, with such a lead, where another number is nearly the same print.
SURELY = 0.92
# Likeness and lead from which prints are heard on which way up a ball lies.
UPRIGHT, UPRIGHT_AHEAD = 0.90, 0.30
# What a lead and the networks' share weigh together, and how sure both must be.
LED, SHARED, BOTH, ENOUGH = 7.0, 0.8, 2.0, 0.924
LEAST = 0.001  # a share that weighs no less
# By how much it must lead before what it would be if light had washed a part of it out.
UNWASHED = 0.07


@dataclass(frozen=True, slots=True)
class Opinion:
    """The number whose prints a ball is likest, how like from -1 to 1, and its lead.

    A lead of 1 is all that two prints differ by, 0 none of it. `known` are the numbers compared;
    `unwashed` is its lead, where nothing is washed out, before numbers that have more print;
    `marked` tells whether the set's own ball of that number bears a mark at the foot, `unmarked`
    whether none of the set does.
    """

    number: int
    likeness: float
    lead: float
    known: frozenset[int]
    unwashed: float = 1.0
    marked: bool = False
    unmarked: bool = False

    def is_of(self, number: int) -> bool:
        """Return whether it says this number, be it hardly."""
        return self.number == number and self.likeness >= AGREES and self.lead >= AHEAD

    def sureness(self, share: float) -> float:
        """Return how sure its number is, 0 to 1, of which the networks' share is 0 to 1."""
        share = min(max(share, LEAST), 1 - LEAST)
        weight = LED * self.lead + SHARED * math.log(share / (1 - share)) + BOTH
        return 1 / (1 + math.exp(-weight))

    def settles(self, share: float) -> bool:
        """Return whether its number may be given: the smaller the share, the farther it must lead."""
        sure = self.is_of(self.number) and self.sureness(share) >= ENOUGH
        return sure and self.unwashed >= UNWASHED

    def is_surely(self, number: int) -> bool:
        """Return whether it says this number beyond what another's print may be taken for."""
        return self.number == number and self.likeness >= SURELY and self.lead >= CONTRARY

    def is_upright(self) -> bool:
        """Return whether it is clear on its number beyond what that is upside down."""
        return self.likeness >= UPRIGHT and self.lead >= UPRIGHT_AHEAD

    def is_against(self, number: int) -> bool:
        """Return whether it says another number, and says it clearly."""
        return self.number != number and self.likeness >= DIFFERS and self.lead >= CONTRARY
