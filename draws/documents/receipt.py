"""The receipt of one sale as a page: till paper's width, as long as it needs (R39, R41)."""

from io import BytesIO

from django.utils import translation
from django.utils.translation import gettext as _
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, HRFlowable, Spacer, Table, TableStyle

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents import receipt_words as words
from draws.documents.receipt_values import Receipt, ReceiptLine

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


def receipt(values: Receipt) -> bytes:
    """Give a PDF of one page 80 mm wide in the hall's language.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        return _page(_story(values, writing), values)


def _story(values: Receipt, writing: Writing) -> list[Flowable]:
    return [
        kit.paragraph(values.hall, HALL),
        kit.paragraph(values.licence, SMALL),
        *_rule(),
        kit.paragraph(words.title(values), GAME),
        kit.paragraph(writing.instant(values.at), SMALL),
        kit.paragraph(f"{values.till} · {values.cashier}", SMALL),
        *_rule(),
        *(part for line in values.lines for part in _cards(line, writing)),
        *_rule(),
        _sums(values, writing),
        *_rule(),
        *(kit.paragraph(text, TERMS) for text in words.terms(values)),
        Spacer(0, 3),
        kit.paragraph(words.record(values), SMALL),
    ]


def _cards(line: ReceiptLine, writing: Writing) -> list[Flowable]:
    return [
        kit.paragraph(words.issue(line), CENTRED),
        kit.paragraph(words.numbers(line), CARDS),
        Spacer(0, 2),
        _columns([(words.price(line, writing), writing.amount(line.amount))]),
        Spacer(0, 3),
    ]


def _sums(values: Receipt, writing: Writing) -> Table:
    rows = [(_("Total"), writing.money(values.total)), *words.cash(values, writing)]
    made = _columns(rows)
    made.setStyle(TableStyle([("FONT", (0, 0), (-1, 0), kit.BOLD, 14, 18)]))
    return made


def _columns(rows: list[tuple[str, str]]) -> Table:
    return Table(
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


def _rule() -> list[Flowable]:
    line = HRFlowable(width="100%", thickness=0.6, color=kit.INK, spaceBefore=0, spaceAfter=0)
    return [Spacer(0, 5), line, Spacer(0, 4)]


def _page(story: list[Flowable], values: Receipt) -> bytes:
    heights = [part.wrap(WIDTH, LONGEST)[1] for part in story]
    place = sum(heights) + MARGIN
    out = BytesIO()
    canvas = Canvas(
        out,
        pagesize=(PAPER, place + MARGIN),
        initialFontName=kit.REGULAR,
        lang=values.language,
        invariant=1,
        pageCompression=1,
    )
    canvas.setTitle(f"{words.title(values)} · {values.hall}")
    canvas.setAuthor(values.hall)
    canvas.setCreator("")
    for part, height in zip(story, heights, strict=True):
        place -= height
        part.drawOn(canvas, (PAPER - WIDTH) / 2, place)
    canvas.save()
    return out.getvalue()
