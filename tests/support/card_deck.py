"""Values and cards to print in tests."""

import random
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import Any

from reportlab.lib.units import mm

from bingo.rules import formats, rulebooks, strips
from bingo.rules.cards import Card
from draws.cards.printing import Printed, layouts, roll, sheets
from draws.cards.printing.codes import Box
from draws.cards.printing.sheets import PAPERS, paper_columns
from draws.cards.printing.values import Cards, CodeName, PaperName

VALUES = Printed(
    hall="Sala de Bingo",
    licence="Autorização n.º 1/2026",
    rulebook="cape-verde-2017",
    format=90,
    letter="K",
    identification="000431",
    version=1,
    size=1680,
    face=20_000,
    currency="CVE",
    language="pt",
    face_colour="blue",
    back_colour="navy",
    authorisation="",
    double=False,
    symbols=False,
    pattern=None,
    issue=431,
)
CROSS = frozenset((n, m) for n in range(5) for m in range(5) if n in (m, 4 - m))


def values(**changed: Any) -> Printed:
    return replace(VALUES, **changed)


def numbered(format: int, count: int, first: int = 1, copy: int = 0) -> Cards:
    """`count` cards of a format, numbered from `first`."""
    return [(first + place, card, copy) for place, card in enumerate(_rows(format, count))]


def pdf(
    what: Printed,
    cards: Cards,
    *,
    paper: PaperName = "a4",
    code: CodeName = "barcode",
    back: bool = False,
    crop: bool = True,
) -> bytes:
    out = BytesIO()
    if paper == "roll":
        roll(what, cards, code=code, out=out, progress=lambda _cards: None)
    else:
        sheets(
            what,
            cards,
            paper=paper,
            code=code,
            back=back,
            crop=crop,
            out=out,
            progress=lambda _cards: None,
        )
    return out.getvalue()


def cells(format: int, paper: PaperName) -> list[list[Box]]:
    """The cells of the first card of a page, in millimetres, y from the top of the page."""
    kind = formats.get_format(format)
    if paper == "roll":
        places = layouts.roll_card_places(kind, "barcode")
        at, height = Box((layouts.PAPER - layouts.WIDTH) / 2, 0, *places.size), places.size[1]
    else:
        sheet = PAPERS[paper]
        across = paper_columns(kind)
        at, height = sheet.slots(across)[0], sheet.height
        size = (at.width, at.height)
        places = (
            layouts.wide_card_places(size, "barcode")
            if across == 1
            else layouts.square_card_places(size, kind, "barcode")
        )
    grid = places.grid.moved(at.x, at.y)
    return [
        [
            Box(cell.x / mm, (height - cell.top) / mm, cell.width / mm, cell.height / mm)
            for cell in row
        ]
        for row in grid.cells(kind.rows, kind.columns)
    ]


@cache
def _rows(format: int, count: int) -> tuple[Card, ...]:
    rng = random.Random(f"{format}")
    kind = formats.get_format(format)
    if kind.strip == 1:
        return tuple(_full(format, rng) for _card in range(count))
    counts = rulebooks.get("cape-verde-2017").column_counts[format]
    made: list[Card] = []
    while len(made) < count:
        made += strips.strip(kind, counts=counts, rng=rng)
    return tuple(made[:count])


def _full(format: int, rng: random.Random) -> Card:
    kind = formats.get_format(format)
    columns = [rng.sample(pool, kind.rows) for pool in kind.pools]
    return tuple(
        tuple(
            None if (row, column) in kind.free else columns[column][row]
            for column in range(kind.columns)
        )
        for row in range(kind.rows)
    )
