"""Template tags for a card, a symbol and a figure of the card of 75."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django import template

from bingo.rules import formats, patterns
from bingo.rules.formats import SEVENTY_FIVE, Cell
from bingo.symbols import SYMBOLS, Symbol
from draws.cards import labels as cards_labels
from draws.games.queries import Drawing

register = template.Library()
register.filter("symbol_of", cards_labels.symbol_name)
register.simple_tag(cards_labels.all_names, name="symbol_names")

SIZES = ("thumbnail", "medium", "large", "full")
SQUARE = 21  # a square and the gap after it, in units of pattern_tile.html
OF_NUMBER = {symbol.number: symbol for symbol in SYMBOLS}


@dataclass(frozen=True, slots=True)
class ShownCell:
    """One cell of a card: what stands in it and how it is told from the others."""

    number: int | None
    symbol: Symbol | None = None
    free: bool = False
    called: bool = False
    missing: bool = False
    marked: bool = False

    @property
    def classes(self) -> str:
        """The classes of its looks."""
        looks = {
            "is-free": self.free,
            "is-blank": self.number is None and not self.free,
            "is-called": self.called,
            "is-missing": self.missing,
            "is-pattern": self.marked,
        }
        return " ".join(name for name, worn in looks.items() if worn)


@dataclass(frozen=True, slots=True)
class Square:
    """One square of the figure of a card of 75."""

    row: int
    column: int
    marked: bool
    free: bool

    @property
    def letter(self) -> str:
        """The letter above its column."""
        return SEVENTY_FIVE.letters[self.column]

    @property
    def line(self) -> int:
        """Its row as people count, from 1."""
        return self.row + 1

    @property
    def x(self) -> int:
        """Where it begins in the picture of the figure, from the left."""
        return self.column * SQUARE

    @property
    def y(self) -> int:
        """Where it begins in the picture of the figure, from the top."""
        return self.row * SQUARE

    @property
    def field(self) -> str:
        """The name its checkbox is sent by."""
        return f"cell-{self.row}-{self.column}"


@register.inclusion_tag("cards/card.html")
def card(
    rows: Sequence[Sequence[int | None]],
    *,
    format: int = 90,
    number: int | None = None,
    letter: str = "",
    called: Collection[int] | None = None,
    missing: Collection[int] | None = None,
    pattern: Collection[Cell] | str | None = None,
    symbols: bool = False,
    size: str = "medium",
) -> dict[str, Any]:
    """Draw a card's rows, None for a blank and for the free centre, as a table.

    `called` and `missing` are numbers; `pattern` are the cells pre-drawn on it (R76), or a drawing
    as it is stored; `symbols` shows the thirty symbols in place of the numbers (R80). `size` is
    thumbnail, medium, large or full: as large as the screen. Raises Refusal unknown_format.
    """
    if size not in SIZES:
        raise template.TemplateSyntaxError(f"a card is {', '.join(SIZES)}, not {size}")
    kind = formats.get_format(int(format))
    figure = cells(pattern or ())
    return {
        "format": kind.highest,
        "letters": kind.letters,
        "number": number,
        "letter": letter,
        "symbols": symbols,
        "size": size,
        "rows": [
            [
                ShownCell(
                    number=value,
                    symbol=OF_NUMBER.get(value or 0) if symbols else None,
                    free=(row, column) in kind.free,
                    called=value is not None and value in (called or ()),
                    missing=value is not None and value in (missing or ()),
                    marked=(row, column) in figure,
                )
                for column, value in enumerate(line)
            ]
            for row, line in enumerate(rows)
        ],
    }


@register.inclusion_tag("cards/symbol.html")
def symbol(number: int) -> dict[str, Symbol]:
    """Draw the symbol that stands for a number of the 30 game."""
    return {"symbol": OF_NUMBER[number]}


@register.filter
def symbol_name(code: str) -> object:
    """Name a symbol."""
    return cards_labels.SYMBOL_NAMES[code]


@register.inclusion_tag("cards/ball_face.html")
def ball_face(number: int, of_symbols: bool = False) -> dict[str, Any]:
    """Show a ball's number, or in a game of symbols its symbol with the number small (R80)."""
    return {"number": number, "symbol": OF_NUMBER.get(number) if of_symbols else None}


@register.simple_tag(name="ball")
def ball_called(number: int, of_symbols: bool = False) -> str:
    """Name a ball as the game calls it: by its number, or by its symbol and its number (R80)."""
    return cards_labels.ball(number, of_symbols=of_symbols)


@register.simple_tag
def symbol_drawings() -> tuple[Symbol, ...]:
    """Return the thirty symbols, to be drawn once and shown from there."""
    return SYMBOLS


@register.inclusion_tag("cards/pattern_tile.html")
def pattern_tile(pattern: Collection[Cell] | str | None, name: object = "") -> dict[str, Any]:
    """Draw a figure of the card of 75 as a small picture; unnamed it is an ornament."""
    return {"squares": squares(pattern), "name": name}


@register.inclusion_tag("cards/winning_card.html")
def winning_card(drawing: Drawing) -> dict[str, Any]:
    """Draw what wins a prize on a small card; an ornament, for its words stand with it."""
    middle = (SQUARE - 1) / 2
    return {
        "width": drawing.columns * SQUARE - 1,
        "height": drawing.rows * SQUARE - 1,
        "columns": drawing.columns,
        "squares": [
            (column * SQUARE, row * SQUARE, (row, column) in drawing.cells)
            for row in range(drawing.rows)
            for column in range(drawing.columns)
        ],
        "bars": [
            tuple(at * SQUARE + middle for at in (*reversed(begin), *reversed(end)))
            for begin, end in drawing.bars
        ],
    }


@register.simple_tag
def squares(pattern: Collection[Cell] | str | None) -> list[Square]:
    """Return the twenty-five squares of a figure, top row first."""
    marked = cells(pattern or ())
    return [
        Square(row, column, (row, column) in marked, (row, column) in SEVENTY_FIVE.free)
        for row in range(SEVENTY_FIVE.rows)
        for column in range(SEVENTY_FIVE.columns)
    ]


@register.simple_tag
def pattern_count(pattern: Collection[Cell] | str | None) -> int:
    """Count the numbers that complete a figure: the free centre is none."""
    return len(cells(pattern or ()) - SEVENTY_FIVE.free)


@register.simple_tag
def pattern_least() -> int:
    """Return the fewest numbers a figure may have."""
    return patterns.LEAST


def cells(pattern: Collection[Cell] | str) -> frozenset[Cell]:
    """Return the cells of a figure: cells already, or rows of X and . joined by a stroke.

    What is drawn but half is shown too, so nothing is refused here.
    """
    if not isinstance(pattern, str):
        return frozenset(pattern)
    return frozenset(
        (row, column)
        for row, line in enumerate(pattern.split("/"))
        for column, sign in enumerate(line)
        if sign == patterns.MARKED
    )
