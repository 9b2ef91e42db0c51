"""A slip as a PDF: a page as wide as till paper and as long as it needs."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from itertools import pairwise

from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, TableStyle

from bingo.pdf import kit, pdfa
from bingo.pdf.tagging import RuleLine, Structure, TaggedFigure, TaggedTable
from bingo.slips.slip import Amounts, Line, LineStyle, Part, TillSlip

PAPER: float = 80 * mm
WIDTH: float = 72 * mm  # what a till printer can print of it
MARGIN: float = 6 * mm
LONGEST: float = 5000 * mm  # of a page, by ISO 32000-1 (annex C)
CODE: float = 46 * mm  # side of a code: squares of half a millimetre for the longest note

CENTRED = ParagraphStyle("receipt", kit.TEXT, alignment=TA_CENTER)
HALL = ParagraphStyle("receipt-hall", CENTRED, fontName=kit.BOLD, fontSize=13, leading=15.5)
SMALL = ParagraphStyle("receipt-small", CENTRED, fontSize=8, leading=10.5)
STYLES = {
    LineStyle.TITLE: ParagraphStyle(
        "receipt-title", CENTRED, fontName=kit.SEMIBOLD, fontSize=11, leading=14
    ),
    LineStyle.NUMBER: ParagraphStyle(
        "receipt-number", CENTRED, fontName=kit.BOLD, fontSize=26, leading=30, spaceAfter=2
    ),
    LineStyle.TEXT: CENTRED,
    LineStyle.NOTICE: ParagraphStyle(
        "receipt-notice", CENTRED, fontName=kit.SEMIBOLD, leading=11.5, spaceAfter=3
    ),
    LineStyle.SMALL: SMALL,
    LineStyle.REFERENCE: ParagraphStyle("receipt-reference", SMALL, spaceBefore=3),
}
ROW = (kit.REGULAR, 9.5, 12.0)
SUM = (kit.BOLD, 14.0, 18.0)
COLUMNS = (
    ("FONT", (0, 0), (-1, -1), *ROW),
    ("TEXTCOLOR", (0, 0), (-1, -1), kit.INK),
    ("ALIGN", (1, 0), (1, -1), "RIGHT"),
    ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 1),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
)


def draw_page(slip: TillSlip) -> bytes:
    """Return a tagged PDF/A-3u of one page 80 mm wide; the same slip gives the same bytes."""
    story = [kit.paragraph(slip.hall, HALL), kit.paragraph(slip.licence, SMALL)]
    for section in slip.sections:
        story += [_rule(), *map(_drawn, section)]
    sizes = [part.wrap(WIDTH, LONGEST) for part in story]
    gaps = [*_gaps(story), 0.0]
    place = sum(height for _width, height in sizes) + sum(gaps) + MARGIN
    out = BytesIO()
    canvas = Canvas(
        out,
        pagesize=(PAPER, place + MARGIN),
        initialFontName=kit.REGULAR,
        invariant=1,
        pageCompression=1,
    )
    canvas.structure = Structure()
    for part, (width, height), gap in zip(story, sizes, gaps, strict=True):
        place -= height
        part.drawOn(canvas, (PAPER - width) / 2, place)
        place -= gap
    canvas.showPage()
    canvas.structure.write(canvas._doc)
    title = f"{slip.title} · {slip.hall}"
    pdfa.describe(canvas, pdfa.Metadata(title, slip.hall, "", slip.language, slip.at))
    canvas.save()
    return pdfa.finish(canvas._doc, out.getvalue())


def _gaps(story: list[Flowable]) -> Iterable[float]:
    """Return the space below each part but the last: what it asks for or what the next one does."""
    for part, below in pairwise(story):
        yield max(part.getSpaceAfter(), below.getSpaceBefore())


def _rule() -> Flowable:
    return RuleLine(width="100%", thickness=0.6, color=kit.INK, spaceBefore=5, spaceAfter=4)


def _drawn(part: Part) -> Flowable:
    if isinstance(part, Line):
        return kit.paragraph(part.text, STYLES[part.style])
    if isinstance(part, Amounts):
        return _columns(part)
    return TaggedFigure(kit.QrCode(part.text, CODE), part.named)


def _columns(amounts: Amounts) -> TaggedTable:
    commands: list[tuple[object, ...]] = [*COLUMNS]
    if amounts.total is not None:
        row = amounts.total
        commands.append(("FONT", (0, row), (-1, row), *SUM))
    rows = [
        (_beside(name, amount, SUM if row == amounts.total else ROW), amount)
        for row, (name, amount) in enumerate(amounts.rows)
    ]
    return TaggedTable(rows, colWidths=[WIDTH / 2] * 2, style=TableStyle(commands), spaceAfter=3)


def _beside(name: str, amount: str, font: tuple[str, float, float]) -> str:
    """Break a name into lines that leave room for its amount, which stands at the end of the last."""
    face, size, _leading = font
    room = WIDTH - stringWidth(amount, face, size) - size
    return "\n".join(simpleSplit(name, face, size, max(room, WIDTH / 3)))
