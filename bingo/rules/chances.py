"""How likely a card is complete by a ball: the closed forms that a draw must meet."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from bingo.rules.refusal import Refusal


def complete_by(balls: int, *, numbers: int, of: int) -> Fraction:
    """Give the chance that all of a card's `numbers` are among the first `balls` drawn of `of`.

    C(of - numbers, balls - numbers) / C(of, balls). Refusal number_out_of_range.
    """
    if not 0 <= balls <= of or not 0 <= numbers <= of:
        raise Refusal("number_out_of_range")
    if balls < numbers:
        return Fraction(0)
    return Fraction(comb(of - numbers, balls - numbers), comb(of, balls))


def any_complete_by(balls: int, *, cards: int, numbers: int, of: int) -> float:
    """Give the chance that one of `cards` is, as if no two cards had numbers in common.

    Cards do share numbers, so that this is a little too high; with few chances a card hardly so.
    """
    each = float(complete_by(balls, numbers=numbers, of=of))
    return 1 - (1 - each) ** cards
