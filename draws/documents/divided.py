"""How a game's sales are divided, part by part in the order they are won, as people are shown it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules.prizes import WHOLE, Prizes
from bingo.rules.shares import Shares
from draws.documents import words

HALL = "hall"  # what no prize gets
ORDER = ("line", "column", "corners", "bingo", "prima", "jackpot", HALL)
KEPT = _("The hall keeps")


@dataclass(frozen=True, slots=True)
class Part:
    """What a prize gets, or the hall: `amount` of `whole`, in the same unit."""

    code: str
    label: Promise | str
    amount: int
    whole: int

    @property
    def points(self) -> float:
        """Its basis points of the whole."""
        return self.amount * WHOLE / self.whole


def of_prizes(fixed: Prizes) -> list[Part]:
    """Divide a game's sales, in minor units, as its prizes were fixed."""
    won = {"line": fixed.line, "bingo": fixed.bingo, "jackpot": fixed.jackpot, **dict(fixed.extras)}
    return _parts(won, fixed.gross - fixed.fund, fixed.gross)


def of_shares(shares: Shares) -> list[Part]:
    """Divide a whole of 10 000 by shares, the jackpot's part still in the prizes."""
    extras = {one.prize: one.share for one in shares.extras}
    won = {"line": shares.line, "bingo": shares.bingo, **extras}
    return _parts(won, WHOLE - shares.fund, WHOLE)


def _parts(won: Mapping[str, int], kept: int, whole: int) -> list[Part]:
    amounts = {**won, HALL: kept}
    return [
        Part(code, KEPT if code == HALL else words.combination(code), amounts[code], whole)
        for code in ORDER
        if amounts.get(code)
    ]
