"""What a printed card says, as frozen values."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bingo.rules.cards import Card

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
