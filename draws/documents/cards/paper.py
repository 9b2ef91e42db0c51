"""Sheets of paper: where six cards lie on them, and the marks to cut them by."""

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.lib.units import inch, mm

from bingo.rules.formats import Format
from draws.documents.cards.box import Box
from draws.documents.cards.press import Press

CARDS = 6
WIDTH = 190 * mm  # of what is cut out of a sheet; the rest is where printers cannot print
MARK, GAP = 4 * mm, 1.5 * mm  # length of a cutting mark, and its distance from the cards


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet and the height of the six cards on it, in points."""

    width: float
    height: float
    used: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.width, self.height

    def slots(self, columns: int) -> tuple[Box, ...]:
        """Give the places of six cards in `columns`, in reading order, symmetrical on the sheet."""
        block = Box((self.width - WIDTH) / 2, (self.height - self.used) / 2, WIDTH, self.used)
        return tuple(box for row in block.cells(CARDS // columns, columns) for box in row)


PAPERS = {
    "a4": Paper(210 * mm, 297 * mm, 276 * mm),
    "letter": Paper(8.5 * inch, 11 * inch, 258 * mm),
}


def columns(format: Format) -> int:
    """Give how many cards lie side by side: wide cards fill the sheet, square ones half of it."""
    return 1 if format.columns > 2 * format.rows else 2


def backs(slots: tuple[Box, ...], paper: Paper) -> tuple[Box, ...]:
    """Give where the same cards lie on the other side of a sheet turned over its long edge."""
    return tuple(Box(paper.width - box.right, box.y, box.width, box.height) for box in slots)


def groups(format: Format, *, double: bool) -> tuple[tuple[int, ...], ...]:
    """Give the slots of each card of a page: one each, or two neighbours for a double card."""
    halves = 2 if double else 1
    return tuple(tuple(range(first, first + halves)) for first in range(0, CARDS, halves))


def mark(press: Press, slots: tuple[Box, ...], *, double: bool) -> None:
    """Draw cutting marks outside the cards, and the fold of double cards as a broken line."""
    left, right = min(box.x for box in slots), max(box.right for box in slots)
    foot, top = min(box.y for box in slots), max(box.top for box in slots)
    across, upright = _cuts(slots, double=double)
    press.setStrokeGray(0)
    press.setLineWidth(0.4)
    for y in across:
        press.line(left - GAP - MARK, y, left - GAP, y)
        press.line(right + GAP, y, right + GAP + MARK, y)
    for x in upright:
        press.line(x, foot - GAP - MARK, x, foot - GAP)
        press.line(x, top + GAP, x, top + GAP + MARK)


def fold(press: Press, slots: tuple[Box, ...]) -> None:
    """Draw the broken line between the two halves of each double card."""
    press.setStrokeGray(0.35)
    press.setLineWidth(0.5)
    press.setDash(3, 3)
    for first, second in zip(slots[::2], slots[1::2], strict=True):
        if first.x == second.x:
            press.line(first.x, first.y, first.right, first.y)
        else:
            press.line(first.right, first.y, first.right, first.top)
    press.setDash()


def _cuts(slots: tuple[Box, ...], *, double: bool) -> tuple[list[float], list[float]]:
    """Give the heights and the places across at which a sheet is cut."""
    whole = list(_pairs(slots)) if double else list(slots)
    across = {round(y, 3) for box in whole for y in (box.y, box.top)}
    upright = {round(x, 3) for box in whole for x in (box.x, box.right)}
    return sorted(across), sorted(upright)


def _pairs(slots: tuple[Box, ...]) -> Iterator[Box]:
    for first, second in zip(slots[::2], slots[1::2], strict=True):
        x, y = min(first.x, second.x), min(first.y, second.y)
        right, top = max(first.right, second.right), max(first.top, second.top)
        yield Box(x, y, right - x, top - y)
