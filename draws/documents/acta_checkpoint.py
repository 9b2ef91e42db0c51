"""The last checkpoint in an acta: whoever keeps the paper keeps a signed head of the journal."""

from __future__ import annotations

from collections.abc import Iterator

import segno
from reportlab.platypus import Flowable, Spacer, TableStyle

from bingo.pdf import kit
from bingo.pdf.tagging import Figure, Table
from draws.documents import checkpoint_values as words
from draws.documents.beside import both as _both
from draws.documents.checkpoint_values import CheckpointValues

SIDE = 104.0  # points: squares of half a millimetre for the longest note but that of a new key
GAP = 14.0


class Code(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """A QR code of text, in rows of rectangles, with the margin that readers need."""

    def __init__(self, text: str) -> None:
        super().__init__()
        made = segno.make(text, error="l", micro=False, boost_error=False)
        self.rows = [bytes(row) for row in made.matrix_iter(border=4)]
        self.width = self.height = SIDE

    def draw(self) -> None:
        """Set the code where the page has come to."""
        square = SIDE / len(self.rows)
        self.canv.setFillColor(kit.INK)
        for place, row in enumerate(self.rows, start=1):
            for first, last in _dark(row):
                left, bottom = first * square, SIDE - place * square
                self.canv.rect(left, bottom, (last - first) * square, square, stroke=0, fill=1)


def _dark(row: bytes) -> Iterator[tuple[int, int]]:
    """Give each run of dark squares in a row, from and up to."""
    begin: int | None = None
    for place, square in enumerate([*row, 0]):
        if square and begin is None:
            begin = place
        elif not square and begin is not None:
            yield begin, place
            begin = None


def section(values: CheckpointValues | None) -> list[Flowable]:
    """Print the checkpoint, its code beside the words; nothing where none was signed."""
    if values is None:
        return []
    told = _both(
        "The code holds the head of the journal at this entry, signed apart from this acta. Kept "
        "elsewhere, it shows whether the journal was changed afterwards: the inspector's page "
        "Checkpoints and the verifier compare it."
    )
    head = " · ".join(filter(None, [words.entry(values), words.place(values)]))
    named = _both("Checkpoint of the journal")
    said = [
        kit.labelled(named),
        kit.paragraph(head, kit.VALUE),
        kit.paragraph(words.short(values), kit.VALUE),
        Spacer(0, 4),
        *kit.sides(told),
    ]
    beside = TableStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            *(
                (side, (0, 0), (-1, -1), 0)
                for side in ("LEFTPADDING", "TOPPADDING", "BOTTOMPADDING")
            ),
            ("RIGHTPADDING", (0, 0), (-1, -1), GAP),
        ]
    )
    widths = [SIDE + GAP, kit.WIDTH - SIDE - GAP]
    return [
        Spacer(0, 4),
        Table([[Figure(Code(values.note), named), said]], colWidths=widths, style=beside),
    ]
