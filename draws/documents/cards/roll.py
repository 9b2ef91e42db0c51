"""Cards on till paper: 80 mm wide, one a page, black only."""

from typing import BinaryIO

from bingo.rules import formats
from draws.documents.cards import ink, slip, symbols
from draws.documents.cards import paper as papers
from draws.documents.cards.box import Box
from draws.documents.cards.check import check
from draws.documents.cards.front import Front
from draws.documents.cards.job import Job
from draws.documents.cards.press import Press
from draws.documents.cards.run import Progress, run
from draws.documents.cards.values import Cards, CodeName, Printed


def roll(
    values: Printed, cards: Cards, *, code: CodeName, out: BinaryIO, progress: Progress
) -> int:
    """Print cards on till paper, in the language that is active; give the number of pages.

    One card a page, of double cards both halves below each other; 72 of the 80 mm are used.
    `progress` and Refusals are those of `sheets`.
    """
    check(values, cards)
    format = formats.get(values.format)
    places = slip.places(format, code)
    width, height = places.size
    halves = 2 if values.double else 1
    boxes = tuple(
        Box((slip.PAPER - width) / 2, height * below, width, height)
        for below in reversed(range(halves))
    )
    press = Press(out, size=(slip.PAPER, height * halves), values=values)
    job = Job(
        press=press,
        values=values,
        format=format,
        places=places,
        code=code,
        ink=ink.BLACK,
        symbols=symbols.forms(press) if values.symbols else {},
    )

    def marks(press: Press) -> None:
        if values.double:
            papers.fold(press, boxes)

    return run(press, Front(job, boxes, marks), cards, progress)
