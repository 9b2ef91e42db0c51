"""Winning patterns of a card: lines, corners and figures.

A combination is what can be won: sets of cells of which some must be complete. Named figures of the
card of 75 win in place of the whole card (R73 b, R76). A called card is
judged in `bingo.rules.steps.claiming`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from bingo.rules.cards import Card
from bingo.rules.formats import SEVENTY_FIVE, Cell, Format
from bingo.rules.refusal import Refusal

Cells = frozenset[Cell]


def shape_rows(format: Format) -> tuple[Cells, ...]:
    """Return the cells of each row, top row first; of a format with blanks, blanks included."""
    return tuple(
        frozenset((row, column) for column in range(format.columns)) for row in range(format.rows)
    )


def columns(format: Format) -> tuple[Cells, ...]:
    """Return the cells of each column, from the left."""
    return tuple(
        frozenset((row, column) for row in range(format.rows)) for column in range(format.columns)
    )


def diagonals(format: Format) -> tuple[Cells, ...]:
    """Return the falling and the rising diagonal; none where the card is not square (R66, R74, R84)."""
    if format.rows != format.columns:
        return ()
    side = range(format.rows)
    return (
        frozenset((at, at) for at in side),
        frozenset((at, format.rows - 1 - at) for at in side),
    )


def shape_corners(format: Format) -> Cells:
    """Return the four corners; none where the card is not square (R74 b, R84 c)."""
    if format.rows != format.columns:
        return frozenset()
    ends = (0, format.rows - 1)
    return frozenset((row, column) for row in ends for column in ends)


def whole(format: Format) -> Cells:
    """Return every cell."""
    return frozenset().union(*shape_rows(format))


def shape_lines(format: Format) -> tuple[Cells, ...]:
    """Return rows and diagonals: no two of a series may hold the same numbers (R14)."""
    return (*shape_rows(format), *diagonals(format))


def shape_numbers(card: Card, cells: Iterable[Cell]) -> frozenset[int]:
    """Return the numbers of these cells; a blank and a free cell hold none."""
    held = (card[row][column] for row, column in cells)
    return frozenset(number for number in held if number is not None)


MARKED, CLEAR = "X", "."
# Fewer numbers than the four corners would be complete after a handful of balls.
LEAST = 4


@dataclass(frozen=True, slots=True)
class NamedPattern:
    """A named figure: `cells` (row, column) from 0; the free centre may be among them."""

    code: str
    cells: frozenset[Cell]


def read(drawing: Sequence[str]) -> frozenset[Cell]:
    """Return the cells of five strings of five signs, X or a dot, top row first (R73 b).

    Trusts nothing. Refusals: pattern_wrong_shape, pattern_empty, pattern_too_small (`count`,
    `least`), pattern_whole_card (that is the bingo of R73 a). The free centre never counts.
    """
    cells = _cells(drawing)
    count = len(cells - SEVENTY_FIVE.free)
    if count == 0:
        raise Refusal("pattern_empty")
    if count < LEAST:
        raise Refusal("pattern_too_small", count=count, least=LEAST)
    if count == SEVENTY_FIVE.per_card:
        raise Refusal("pattern_whole_card")
    return cells


def require_drawn(drawn: str, played: Sequence[str] | None) -> None:
    """Refuse a game for anything else than the figure that its cards bear (R76): figure_of_the_cards.

    `drawn` is that figure, its rows joined by strokes, empty where they bear none.
    """
    if not drawn:
        return
    free = SEVENTY_FIVE.free
    if not played or _cells(played) - free != _cells(drawn.split("/")) - free:
        raise Refusal("figure_of_the_cards")


def draw(cells: frozenset[Cell]) -> tuple[str, ...]:
    """Return cells as `read` takes them; Refusal pattern_wrong_shape for a cell off the card."""
    if not cells <= whole(SEVENTY_FIVE):
        raise Refusal("pattern_wrong_shape", rows=SEVENTY_FIVE.rows, columns=SEVENTY_FIVE.columns)
    return tuple(
        "".join(MARKED if (row, column) in cells else CLEAR for column in _COLUMNS) for row in _ROWS
    )


def drawings(drawing: Sequence[str]) -> tuple[str, str]:
    """Return how one figure may be drawn, with the free centre and without, rows joined by strokes."""
    cells, free = read(drawing), SEVENTY_FIVE.free
    return "/".join(draw(cells | free)), "/".join(draw(cells - free))


def get(code: str) -> NamedPattern:
    """Return the named pattern of that code; Refusal unknown_pattern."""
    for pattern in GALLERY:
        if pattern.code == code:
            return pattern
    raise Refusal("unknown_pattern", pattern=code)


_ROWS, _COLUMNS = range(SEVENTY_FIVE.rows), range(SEVENTY_FIVE.columns)


def _cells(drawing: object) -> frozenset[Cell]:
    if not _is_drawing(drawing):
        raise Refusal("pattern_wrong_shape", rows=SEVENTY_FIVE.rows, columns=SEVENTY_FIVE.columns)
    return frozenset(
        (row, column) for row in _ROWS for column in _COLUMNS if drawing[row][column] == MARKED
    )


def _is_drawing(value: object) -> TypeGuard[Sequence[str]]:
    return (
        isinstance(value, list | tuple)
        and len(value) == len(_ROWS)
        and all(
            isinstance(row, str) and len(row) == len(_COLUMNS) and {*row} <= {MARKED, CLEAR}
            for row in value
        )
    )


_DRAWN = (
    ("x", "X...X .X.X. ..X.. .X.X. X...X"),
    ("plus", "..X.. ..X.. XXXXX ..X.. ..X.."),
    ("frame", "XXXXX X...X X...X X...X XXXXX"),
    ("small_frame", "..... .XXX. .X.X. .XXX. ....."),
    ("diamond", "..X.. .X.X. X...X .X.X. ..X.."),
    ("four_corners", "X...X ..... ..... ..... X...X"),
    ("postage_stamp", "...XX ...XX ..... ..... ....."),
    ("four_blocks", "XX.XX XX.XX ..... XX.XX XX.XX"),
    ("letter_c", "XXXXX X.... X.... X.... XXXXX"),
    ("letter_e", "XXXXX X.... XXXX. X.... XXXXX"),
    ("letter_h", "X...X X...X XXXXX X...X X...X"),
    ("letter_i", "XXXXX ..X.. ..X.. ..X.. XXXXX"),
    ("letter_l", "X.... X.... X.... X.... XXXXX"),
    ("letter_n", "X...X XX..X X.X.X X..XX X...X"),
    ("letter_t", "XXXXX ..X.. ..X.. ..X.. ..X.."),
    ("letter_u", "X...X X...X X...X X...X XXXXX"),
    ("letter_v", "X...X X...X X...X .X.X. ..X.."),
    ("letter_y", "X...X .X.X. ..X.. ..X.. ..X.."),
    ("letter_z", "XXXXX ...X. ..X.. .X... XXXXX"),
    ("arrow", "..X.. .XXX. X.X.X ..X.. ..X.."),
    ("heart", ".X.X. XXXXX XXXXX .XXX. ..X.."),
    ("kite", "XXX.. XXX.. XXX.. ...X. ....X"),
    ("ladder", "X...X XXXXX X...X XXXXX X...X"),
    ("checker", "X.X.X .X.X. X.X.X .X.X. X.X.X"),
    ("pyramid", "..... ..... ..X.. .XXX. XXXXX"),
    ("hourglass", "XXXXX .XXX. ..X.. .XXX. XXXXX"),
    ("airplane", "..X.. ..X.. XXXXX ..X.. .XXX."),
    ("house", "..X.. .XXX. XXXXX XX.XX XX.XX"),
    ("tree", "..X.. .XXX. XXXXX ..X.. ..X.."),
    ("umbrella", "..X.. .XXX. XXXXX ..X.. .XX.."),
    ("boat", "..X.. ..XX. ..X.. XXXXX .XXX."),
    ("smile", ".X.X. .X.X. ..... X...X .XXX."),
)

GALLERY: tuple[NamedPattern, ...] = tuple(
    NamedPattern(code, read(drawn.split())) for code, drawn in _DRAWN
)


LINE, BINGO, COLUMN, CORNERS = "line", "bingo", "column", "corners"
ROWS, COLUMNS, DIAGONALS = "rows", "columns", "diagonals"
LINES = (ROWS, COLUMNS, DIAGONALS)


@dataclass(frozen=True, slots=True)
class Combination:
    """Something to be won: `ways` are the sets of cells (row, column), any one of which will do."""

    name: str
    ways: tuple[Cells, ...]


def combination_line(format: Format, counts: Iterable[str] = (ROWS,)) -> Combination:
    """Return the line of a game in which rows, columns or diagonals count (R5 a, R66-R67, R74 a, R75).

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
    """Return the bingo: the whole card (R5 b, R66 b, R73 a, R83), or a figure of a card of 75 (R73 b).

    Refusal pattern_not_in_format.
    """
    if pattern is None:
        return Combination(BINGO, (whole(format),))
    if not format.letters:
        raise Refusal("pattern_not_in_format", format=format.highest)
    return Combination(BINGO, (pattern,))


def column(format: Format) -> Combination:
    """Return the prize of a column (R84 b). Refusal line_not_in_format."""
    _require_full(format, COLUMNS)
    return Combination(COLUMN, columns(format))


def combination_corners(format: Format) -> Combination:
    """Return the prize of four corners (R74 b, R84 c). Refusal corners_not_in_format."""
    if not shape_corners(format):
        raise Refusal("corners_not_in_format", format=format.highest)
    return Combination(CORNERS, (shape_corners(format),))


def combination_ways(combination: Combination, card: Card) -> tuple[frozenset[int], ...]:
    """Return the numbers of each way on a card; a blank and a free cell hold none (R72)."""
    return tuple(shape_numbers(card, cells) for cells in combination.ways)


_SHAPES = {ROWS: shape_rows, COLUMNS: columns, DIAGONALS: diagonals}


def _require_full(format: Format, kind: str) -> None:
    if not format.full:
        raise Refusal("line_not_in_format", line=kind, format=format.highest)


JACKPOT = "jackpot"
# The jackpot is won with a bingo, never called (R9).
PRIZES = (LINE, BINGO, JACKPOT)
