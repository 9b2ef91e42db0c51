"""What wins each prize of a game, in words and drawn on a small card (R5, R67, R73, R75, R84)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import get_language

from bingo.rules import formats
from bingo.rules.combinations import BINGO, COLUMN, COLUMNS, CORNERS, DIAGONALS, LINE, ROWS
from bingo.rules.formats import Cell, Format
from bingo.rules.rulebooks import winning as words
from bingo.rules.shapes import Cells, columns, corners, diagonals, rows, whole
from bingo.rules.state import GameState
from draws.documents import words as trade

SHAPES = {ROWS: rows, COLUMNS: columns, DIAGONALS: diagonals}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A small card of `rows` by `columns` cells: `cells` to be covered, `bars` from cell to cell.

    Cells are (row, column) from 0. Any one of the bars wins; the cells win all together.
    """

    rows: int
    columns: int
    bars: tuple[tuple[Cell, Cell], ...] = ()
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Winning:
    """What wins a prize: `label` names the prize, `text` says what wins it, without a stop."""

    prize: str
    label: str
    text: str
    drawings: tuple[Drawing, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as the board takes it."""
        return {
            "prize": self.prize,
            "text": self.text,
            "drawings": [asdict(one) for one in self.drawings],
        }


def winning(game: GameState, *, figure: str = "", language: str = "") -> tuple[Winning, ...]:
    """Return what wins each prize that players call for, in the game's order.

    `figure` is what its figure is called (R73 b), empty without a name; `language` is by default
    the reader's.
    """
    spoken = language or (get_language() or "pt")[:2]
    return tuple(
        Winning(
            one.name,
            str(trade.combination(one.name)),
            _text(game, one.name, figure=figure, language=spoken),
            _drawings(game, one.name),
        )
        for one in game.won
    )


def _text(game: GameState, prize: str, *, figure: str, language: str) -> str:
    said = words.WINNING[language]
    if prize == LINE:
        return words.line(formats.get(game.format), game.counts, language=language)
    if prize == BINGO:
        return (figure or said.figure) if game.pattern else said.whole
    return {COLUMN: said.column, CORNERS: said.corners}[prize]


def _drawings(game: GameState, prize: str) -> tuple[Drawing, ...]:
    format = formats.get(game.format)
    if prize == LINE:
        return tuple(
            _barred(format, SHAPES[kind](format)) for kind in SHAPES if kind in game.counts
        )
    if prize == COLUMN:
        return (_barred(format, columns(format)),)
    if prize == CORNERS:
        return (_filled(format, corners(format)),)
    bingo = next(one for one in game.won if one.name == BINGO)
    return (_filled(format, bingo.ways[0] if game.pattern else whole(format)),)


def _barred(format: Format, ways: tuple[Cells, ...]) -> Drawing:
    """Draw each way, whose cells lie on one straight line, from its first cell to its last."""
    return Drawing(format.rows, format.columns, bars=tuple((min(way), max(way)) for way in ways))


def _filled(format: Format, cells: Cells) -> Drawing:
    return Drawing(format.rows, format.columns, cells=tuple(sorted(cells)))
