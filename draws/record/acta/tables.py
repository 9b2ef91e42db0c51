"""Tables of the acta, column by column, and lines of small print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, TableStyle

from bingo.money_and_dates import Writing
from bingo.pdf import kit
from bingo.pdf.tagging import TaggedTable
from draws.record.acta.labels import NONE, both

ALL = ((0, 0), (-1, -1))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a ledger: its title, its cells from the top, how wide it is.

    The width is in points, or up to 1 the share of what the others leave. Words of a `text` column
    may be broken; figures stand at the `right`. `indent` is room at the left, in points, where it
    is not that of every column.
    """

    title: str | Flowable
    cells: Sequence[object]
    width: float = 1
    text: bool = True
    right: bool = False
    indent: float = 0

    def content(self) -> list[object]:
        """Return title and cells as the page has them."""
        if not self.text:
            return [self.title, *self.cells]
        return [
            self.title,
            *(kit.paragraph(one, kit.CELL) if isinstance(one, str) else one for one in self.cells),
        ]


def figures(title: str | Flowable, cells: Sequence[object], width: float) -> Column:
    """Return a column of numbers."""
    return Column(title, cells, width, text=False, right=True)


def right_label(title: str) -> Flowable:
    """Return the title of a column of figures in small print of its own."""
    return kit.labelled(title, style=kit.LABEL_RIGHT)


def summed(title: str, amounts: Sequence[int], writing: Writing, *, share: float) -> Column:
    """Return a column of amounts with their sum last."""
    written = [writing.amount(amount) for amount in (*amounts, sum(amounts))]
    return figures(right_label(title), written, share)


def game_numbers(cells: Sequence[int | None], width: float = 40) -> Column:
    """Return a column that names games by their numbers."""
    named = [NONE if one is None else one for one in cells]
    return Column(both("Game"), named, width, text=False)


def hours(writing: Writing, cells: Sequence[datetime], *, least: float = 0) -> Column:
    """Return a column of the session's hours, of `least` points or what they take."""
    written = [writing.hour(at) for at in cells]
    return Column(both("At"), written, max(least, kit.hour_width(writing)), text=False)


def ledger(
    *columns: Column, width: float = kit.WIDTH, total: bool = False, size: float = 8
) -> TaggedTable:
    """Return a table of `width` points, ruled by hairlines; with `total` its last row is a sum."""
    left = width - sum(column.width for column in columns if column.width > 1)
    table = kit.ledger(
        [list(row) for row in zip(*(column.content() for column in columns), strict=True)],
        [left * column.width if column.width <= 1 else column.width for column in columns],
        right=tuple(place for place, column in enumerate(columns) if column.right),
        total=total,
        size=size,
    )
    table.setStyle(
        [
            ("LEFTPADDING", (place, 0), (place, -1), column.indent)
            for place, column in enumerate(columns)
            if column.indent
        ]
    )
    return table


def inset(*columns: Column) -> TaggedTable:
    """Return a ledger of a game, at the right edge."""
    table = ledger(*columns, width=kit.WIDTH - 4)
    table.hAlign = "RIGHT"
    return table


def unruled(
    *commands: tuple[object, ...],
    left: float = 6,
    right: float = 6,
    top: float = 3,
    bottom: float = 3,
) -> TableStyle:
    """Return the style of a table without rules, whose cells have this much room around them."""
    room = {"LEFT": left, "RIGHT": right, "TOP": top, "BOTTOM": bottom}
    padding = [(f"{side}PADDING", *ALL, points) for side, points in room.items()]
    return TableStyle([kit.BASE, *padding, *commands])


def indented(text: str, style: ParagraphStyle = kit.LABEL) -> TaggedTable:
    """A line of small print as far in as the tables of a game."""
    line = [[kit.paragraph(text, style)]]
    return TaggedTable(line, colWidths=[kit.WIDTH], style=unruled(top=0, bottom=0))
