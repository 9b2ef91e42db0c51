"""Template tags for a card, a symbol, a figure of the card of 75, and for an issue in stock."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bingo.money_and_dates import Whole
from bingo.rules import formats, patterns
from bingo.rules.formats import SEVENTY_FIVE, Cell
from bingo.symbols import SYMBOLS, Symbol
from draws.cards import colours, stock_queries
from draws.cards import labels as cards_labels
from draws.cards.labels import Text
from draws.cards.print_queries import PrintProgress
from draws.cards.stock_queries import Counted, IssuePart
from draws.games.queries import Drawing
from draws.models import PrintJob
from draws.refusals import text

register = template.Library()
register.filter("symbol_of", cards_labels.symbol_name)
register.simple_tag(cards_labels.all_names, name="symbol_names")
register.filter("fault", text.print_fault)
register.filter("next_card", stock_queries.next_card)

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


# The badge of each state: components.css gives every kind a shape of its own.
BADGES = {
    "received": "window",
    "in_stock": "ok",
    "on_sale": "selling",
    "exhausted": "ended",
    "retired": "ended",
    "withdrawn": "ended",
    "sent": "stopped",
    "queued": "window",
    "running": "active",
    "done": "ok",
    "cancelled": "cancelled",
    "failed": "error",
}


@register.simple_tag
def state(issue: Counted) -> SafeString:
    """Return an issue's state as a badge; one of which nothing was sold and nothing is left says so."""
    if issue.state == "exhausted" and not issue.sold:
        return _badge("retired", cards_labels.ALL_RETIRED)
    return _badge(issue.state, cards_labels.STATES[issue.state])


@register.simple_tag
def print_state(code: str) -> SafeString:
    """Return a print's state as a badge."""
    return _badge(code, cards_labels.PRINTS[code])


def _badge(code: str, word: object) -> SafeString:
    return format_html('<span class="badge badge--{}">{}</span>', BADGES[code], word)


@register.simple_tag
def face(code: str) -> SafeString:
    """Return the colour of a card's face: a swatch and its name."""
    return _swatch(code, strong=False)


@register.simple_tag
def back(code: str) -> SafeString:
    """Return the colour of a card's back: a swatch and its name."""
    return _swatch(code, strong=True)


def _swatch(code: str, *, strong: bool) -> SafeString:
    colour = colours.COLOURS.get(code)
    if colour is None:
        return format_html('<span class="swatch">{}</span>', code)
    return format_html(
        '<span class="swatch"><svg class="swatch__ink" viewBox="0 0 20 20" aria-hidden="true">'
        '<rect width="20" height="20" fill="{}" /></svg>{}</span>',
        # The tint alone is too pale to be told from its neighbours on a screen.
        colour.strong if strong else colour.shade if code != "white" else colour.tint,
        colour.name,
    )


@register.simple_tag
def cards_bar(issue: Counted) -> SafeString:
    """Return a small picture of an issue: sold, retired, left, drawn to scale and put into words."""
    parts = [
        IssuePart("sold", 1, issue.sold),
        IssuePart("left", issue.sold + 1, issue.sold + issue.left),
    ]
    retired = issue.sold + issue.left
    parts.append(IssuePart("retired", retired + 1, retired + issue.retired))
    return _strip(parts, retired + issue.retired, _summary(issue), "cards-bar")


@register.simple_tag
def cards_strip(parts: list[IssuePart], issue: Counted) -> SafeString:
    """Return the whole issue from its first card to its last, every part where it stands."""
    return _strip(parts, issue.sold + issue.left + issue.retired, _summary(issue), "cards-strip")


def _summary(issue: Counted) -> str:
    values = {
        "sold": Whole(issue.sold),
        "left": Whole(issue.left),
        "retired": Whole(issue.retired),
    }
    return _("%(sold)s sold, %(left)s left, %(retired)s retired") % values


def _strip(parts: list[IssuePart], size: int, told: str, kind: str) -> SafeString:
    drawn = format_html_join(
        "",
        '<rect class="is-{}" x="{}" width="{}" y="{}" height="{}" />',
        (
            (part.kind, part.first - 1, part.cards, *_height(part.kind))
            for part in parts
            if part.cards
        ),
    )
    return format_html(
        '<svg class="{}" viewBox="0 0 {} 10" preserveAspectRatio="none" role="img"'
        ' aria-label="{}"><title>{}</title>{}</svg>',
        kind, max(size, 1), told, told, drawn,
    )  # fmt: skip


def _height(kind: str) -> tuple[int, int]:
    """Top and height: parts differ in shape too, for who does not see their colours."""
    return {"sold": (8, 2), "retired": (3, 4), "left": (0, 10)}[kind]


@register.filter
def spaced(digest: str) -> str:
    """Write a digest in groups of eight, so that two can be compared by eye."""
    return " ".join(digest[at : at + 8] for at in range(0, len(digest), 8))


@register.filter
def paper(code: str) -> Text:
    """Name a paper."""
    return cards_labels.PAPERS.get(code, code)


@register.filter
def paper_short(code: str) -> Text:
    """Name a paper in a word."""
    return cards_labels.PAPERS_SHORT.get(code, code)


@register.simple_tag
def standing(job: PrintJob, standings: Mapping[int, PrintProgress]) -> PrintProgress:
    """Return how far a print has come."""
    return standings[job.pk]


@register.filter
def code(kind: str) -> Text:
    """Name a kind of code."""
    return cards_labels.CODES.get(kind, kind)


@register.filter
def source(kind: str) -> Text:
    """Name where a matrix came from."""
    return cards_labels.SOURCES.get(kind, kind)
