"""What cannot be printed is refused before anything is drawn."""

from bingo.rules import formats
from bingo.rules.refusal import Refusal
from bingo.symbols import SYMBOLS
from draws.documents.cards import palette
from draws.documents.cards.values import Cards, Printed


def check(values: Printed, cards: Cards) -> None:
    """Refuse values that no card can show.

    Refusals: unknown_format; not_printable with `what`: cards (there are none), colour, symbols
    (of another game than that of 30), pattern (a cell that the card does not have).
    """
    format = formats.get(values.format)
    palette.face(values.face_colour)
    palette.back(values.back_colour)
    if not cards:
        raise Refusal("not_printable", what="cards")
    if values.symbols and format.highest != len(SYMBOLS):
        raise Refusal("not_printable", what="symbols")
    for row, column in values.pattern or ():
        if not (0 <= row < format.rows and 0 <= column < format.columns):
            raise Refusal("not_printable", what="pattern")
