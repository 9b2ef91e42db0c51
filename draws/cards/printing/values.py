"""What a printed card says, as frozen values, with the authorisation of its edition (R3).

What cannot be printed is refused before anything is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from bingo.rules import formats
from bingo.rules.cards import Card
from bingo.rules.refusal import Refusal
from bingo.symbols import SYMBOLS
from draws.cards import colours

SheetName = Literal["a4", "letter"]
PaperName = Literal["a4", "letter", "roll"]
CodeName = Literal["barcode", "qr", "none"]

# Number, rows, copy: 0 is the first print of the card, k its k-th reprint.
Numbered = tuple[int, Card, int]
Cards = Sequence[Numbered]


@dataclass(frozen=True, slots=True)
class Printed:
    """All that the cards of an issue have in common (R3, R14-R19, R70, R76, R80; BOE I-II).

    `licence` and `authorisation` are printed as they are, `rulebook` by its title where it is the
    code of one; `format` is the highest number; `version` counts the matrices of the letter,
    `size` the cards of the series; `face` is in minor units; the colours are codes of the palette;
    `pattern` holds the cells (row, column) from 0 that are drawn beforehand; `issue` is the
    issue's number in codes; a `demonstration` is never worth anything, and every card says so.
    """

    hall: str
    licence: str
    rulebook: str
    format: int
    letter: str
    identification: str
    version: int
    size: int
    face: int
    currency: str
    language: str
    face_colour: str
    back_colour: str
    authorisation: str
    double: bool
    symbols: bool
    pattern: frozenset[tuple[int, int]] | None
    issue: int
    demonstration: bool = False


def check_printable(values: Printed, cards: Cards) -> None:
    """Refuse values that no card can show.

    Refusals: unknown_format; not_printable with `what`: cards (there are none), colour, symbols
    (of another game than that of 30), pattern (a cell that the card does not have).
    """
    format = formats.get_format(values.format)
    colours.face(values.face_colour)
    colours.back(values.back_colour)
    if not cards:
        raise Refusal("not_printable", what="cards")
    if values.symbols and format.highest != len(SYMBOLS):
        raise Refusal("not_printable", what="symbols")
    for row, column in values.pattern or ():
        if not (0 <= row < format.rows and 0 <= column < format.columns):
            raise Refusal("not_printable", what="pattern")


def authorised(values: Printed) -> str:
    """Return the word and the reference, the word once; empty where there is no authorisation."""
    reference, word = values.authorisation, _("Authorisation")
    if not reference or reference.casefold().startswith(word.casefold()):
        return reference
    return f"{word} {reference}"
