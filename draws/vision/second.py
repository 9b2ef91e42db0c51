"""A second opinion on a ball: what the set's own prints say of it, and how clearly."""

from __future__ import annotations

from dataclasses import dataclass

# docs/reading-balls.md says how these were chosen, and what they let through.
AGREES = 0.80  # likeness from which a ball is taken for one that is known
DAZZLED = 0.85  # the same beside a patch of glare: an 18 that has lost a stroke there is a 16
DIFFERS = 0.70  # likeness to another number from which one is doubted
AHEAD = 0.05  # by how much of the difference to any other number it must lead to be given
CONTRARY = 0.25  # likewise, to speak against a number that the networks would give
# Likeness that it takes, with such a lead, where another number is nearly the same print.
SURELY = 0.92


@dataclass(frozen=True, slots=True)
class Opinion:
    """The number whose prints a ball is likest, how like from -1 to 1, and its lead.

    A lead of 1 is all that two prints differ by, 0 none of it. `known` are the numbers compared.
    """

    number: int
    likeness: float
    lead: float
    known: frozenset[int]

    def is_of(self, number: int, *, dazzled: bool = False) -> bool:
        """Tell whether it says this number, and says it clearly; `dazzled`: beside glare."""
        least = DAZZLED if dazzled else AGREES
        return self.number == number and self.likeness >= least and self.lead >= AHEAD

    def is_surely(self, number: int) -> bool:
        """Tell whether it says this number beyond what another's print may be taken for."""
        return self.number == number and self.likeness >= SURELY and self.lead >= CONTRARY

    def is_against(self, number: int) -> bool:
        """Tell whether it says another number, and says it clearly."""
        return self.number != number and self.likeness >= DIFFERS and self.lead >= CONTRARY
