"""What can be won with a card: each combination as the cells of which some must be complete."""

from collections.abc import Iterable
from dataclasses import dataclass

from bingo.rules import shapes
from bingo.rules.cards import Card
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.shapes import Cells

LINE, BINGO, COLUMN, CORNERS = "line", "bingo", "column", "corners"
ROWS, COLUMNS, DIAGONALS = "rows", "columns", "diagonals"
LINES = (ROWS, COLUMNS, DIAGONALS)


@dataclass(frozen=True, slots=True)
class Combination:
    """Something to be won: `ways` are the sets of cells (row, column), any one of which will do."""

    name: str
    ways: tuple[Cells, ...]


def line(format: Format, counts: Iterable[str] = (ROWS,)) -> Combination:
    """Give the line of a game in which rows, columns or diagonals count (R5 a, R66-R67, R74 a, R75).

    Refusals: unknown_line, line_repeated, line_missing, line_not_in_format (a card with blanks has
    rows only, R5 a).
    """
    asked = tuple(counts)
    if not asked:
        raise Refusal("line_missing")
    for kind in asked:
        if kind not in LINES:
            raise Refusal("unknown_line", line=kind)
        if asked.count(kind) > 1:
            raise Refusal("line_repeated", line=kind)
        if kind != ROWS:
            _require_full(format, kind)
    ways = (cells for kind in LINES if kind in asked for cells in _SHAPES[kind](format))
    return Combination(LINE, tuple(ways))


def bingo(format: Format, pattern: Cells | None = None) -> Combination:
    """Give the bingo: the whole card (R5 b, R66 b, R73 a, R83), or a figure of a card of 75 (R73 b).

    Refusal pattern_not_in_format.
    """
    if pattern is None:
        return Combination(BINGO, (shapes.whole(format),))
    if not format.letters:
        raise Refusal("pattern_not_in_format", format=format.highest)
    return Combination(BINGO, (pattern,))


def column(format: Format) -> Combination:
    """Give the prize of a column (R84 b). Refusal line_not_in_format."""
    _require_full(format, COLUMNS)
    return Combination(COLUMN, shapes.columns(format))


def corners(format: Format) -> Combination:
    """Give the prize of four corners (R74 b, R84 c). Refusal corners_not_in_format."""
    if not shapes.corners(format):
        raise Refusal("corners_not_in_format", format=format.highest)
    return Combination(CORNERS, (shapes.corners(format),))


def ways(combination: Combination, card: Card) -> tuple[frozenset[int], ...]:
    """Give the numbers of each way on a card; a blank and a free cell hold none (R72)."""
    return tuple(shapes.numbers(card, cells) for cells in combination.ways)


_SHAPES = {ROWS: shapes.rows, COLUMNS: shapes.columns, DIAGONALS: shapes.diagonals}


def _require_full(format: Format, kind: str) -> None:
    if not format.full:
        raise Refusal("line_not_in_format", line=kind, format=format.highest)
