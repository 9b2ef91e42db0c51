"""Figures of the card of 75 that win in place of the whole card (R73 b, R76)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from bingo.rules.formats import SEVENTY_FIVE, Cell
from bingo.rules.refusal import Refusal
from bingo.rules.shapes import whole

MARKED, CLEAR = "X", "."
# Fewer numbers than the four corners would be complete after a handful of balls.
LEAST = 4


@dataclass(frozen=True, slots=True)
class Pattern:
    """A named figure: `cells` (row, column) from 0; the free centre may be among them."""

    code: str
    cells: frozenset[Cell]


def read(drawing: Sequence[str]) -> frozenset[Cell]:
    """Give the cells of five strings of five signs, X or a dot, top row first (R73 b).

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
    """Give cells as `read` takes them; Refusal pattern_wrong_shape for a cell off the card."""
    if not cells <= whole(SEVENTY_FIVE):
        raise Refusal("pattern_wrong_shape", rows=SEVENTY_FIVE.rows, columns=SEVENTY_FIVE.columns)
    return tuple(
        "".join(MARKED if (row, column) in cells else CLEAR for column in _COLUMNS) for row in _ROWS
    )


def get(code: str) -> Pattern:
    """Give the named pattern of that code; Refusal unknown_pattern."""
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

GALLERY: tuple[Pattern, ...] = tuple(Pattern(code, read(drawn.split())) for code, drawn in _DRAWN)
