"""Preview a print: a picture of the very file, made by another program's renderer."""

from io import BytesIO
from threading import Lock
from typing import Literal

import pypdfium2

from draws.cards.printing.sheets import roll, sheets
from draws.cards.printing.values import Cards, CodeName, PaperName, Printed

FIRST = 6  # no page holds more cards
_alone = Lock()  # PDFium is not made for threads


def preview(
    values: Printed,
    cards: Cards,
    *,
    paper: PaperName,
    code: CodeName,
    crop: bool,
    width_px: int,
    side: Literal["face", "back"] = "face",
) -> bytes:
    """Return the first page as a PNG `width_px` wide; till paper has no back.

    Refusals as in `sheets`.
    """
    pdf = BytesIO()
    if paper == "roll":
        roll(values, cards[:1], code=code, out=pdf, progress=_silent)
    else:
        sheets(
            values,
            cards[:FIRST],
            paper=paper,
            code=code,
            back=side == "back",
            crop=crop,
            out=pdf,
            progress=_silent,
        )
    return _picture(pdf.getvalue(), 1 if side == "back" and paper != "roll" else 0, width_px)


def _picture(pdf: bytes, page: int, width_px: int) -> bytes:
    with _alone:
        document = pypdfium2.PdfDocument(pdf)
        try:
            sheet = document[page]
            image = sheet.render(scale=width_px / sheet.get_width()).to_pil()
        finally:
            document.close()
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _silent(cards: int) -> None:
    """Nobody waits for a page's progress."""
