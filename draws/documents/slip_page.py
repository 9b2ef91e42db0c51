"""A page as wide as till paper and as long as it needs: what receipts of all kinds are made of."""

from datetime import datetime
from io import BytesIO

from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Spacer, TableStyle

from bingo.pdf import archive, kit
from bingo.pdf.tagging import Line, Structure, Table

PAPER: float = 80 * mm
WIDTH: float = 72 * mm  # what a till printer can print of it
MARGIN: float = 6 * mm
LONGEST: float = 5000 * mm  # of a page, by ISO 32000-1 (annex C)

CENTRED = ParagraphStyle("receipt", kit.TEXT, alignment=TA_CENTER)
HALL = ParagraphStyle("receipt-hall", CENTRED, fontName=kit.BOLD, fontSize=13, leading=15.5)
SMALL = ParagraphStyle("receipt-small", CENTRED, fontSize=8, leading=10.5)
GAME = ParagraphStyle("receipt-game", CENTRED, fontName=kit.SEMIBOLD, fontSize=11, leading=14)
CARDS = ParagraphStyle("receipt-cards", CENTRED, fontName=kit.BOLD, fontSize=26, leading=30)
TERMS = ParagraphStyle("receipt-terms", CENTRED, fontName=kit.SEMIBOLD, fontSize=9, leading=11.5)


def columns(rows: list[tuple[str, str]], *, bold: int | None = None) -> Table:
    """Give names at the left and amounts at the right; the row `bold` is the sum."""
    made = Table(
        rows,
        colWidths=[WIDTH * 0.5, WIDTH * 0.5],
        style=TableStyle(
            [
                ("FONT", (0, 0), (-1, -1), kit.REGULAR, 9.5, 12),
                ("TEXTCOLOR", (0, 0), (-1, -1), kit.INK),
                ("ALIGN", (1, 0), (1, -1), "RIGHT"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ]
        ),
    )
    if bold is not None:
        made.setStyle(TableStyle([("FONT", (0, bold), (-1, bold), kit.BOLD, 14, 18)]))
    return made


def rule() -> list[Flowable]:
    """Give a line across the paper."""
    line = Line(width="100%", thickness=0.6, color=kit.INK, spaceBefore=0, spaceAfter=0)
    return [Spacer(0, 5), line, Spacer(0, 4)]


def page(story: list[Flowable], *, title: str, hall: str, language: str, at: datetime) -> bytes:
    """Return a tagged PDF/A-3u of one page with the story on it, of the aware time `at`.

    The same story gives the same bytes.
    """
    heights = [part.wrap(WIDTH, LONGEST)[1] for part in story]
    place = sum(heights) + MARGIN
    out = BytesIO()
    canvas = Canvas(
        out,
        pagesize=(PAPER, place + MARGIN),
        initialFontName=kit.REGULAR,
        invariant=1,
        pageCompression=1,
    )
    canvas.structure = Structure()
    for part, height in zip(story, heights, strict=True):
        place -= height
        part.drawOn(canvas, (PAPER - WIDTH) / 2, place)
    canvas.showPage()
    canvas.structure.write(canvas._doc)
    archive.describe(canvas, archive.Metadata(title, hall, "", language, at))
    canvas.save()
    return archive.finish(canvas._doc, out.getvalue())
