"""Pages of six printed cards a second of processor time, beside ReportLab used as its guide says."""

import random
import time
from collections.abc import Callable
from io import BytesIO

import segno
from django.utils import translation
from reportlab.graphics.barcode.code128 import Code128
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import kit
from bingo.rules import cards, formats, rulebooks, strips
from draws.cards.printing import Printed, sheets
from draws.cards.printing.values import Cards, CodeName
from tests.bench.measure import Row, compare

VALUES = Printed(
    hall="Sala de Bingo",
    licence="Autorização n.º 1/2026",
    rulebook="cape-verde-2017",
    format=90,
    letter="K",
    identification="2026/0001-AB",
    version=1,
    size=1680,
    face=20_000,
    currency="CVE",
    language="pt",
    face_colour="blue",
    back_colour="navy",
    authorisation="Despacho n.º 17/2026",
    double=False,
    symbols=False,
    pattern=None,
    issue=431,
)
ASKED: dict[CodeName, float] = {
    "barcode": 2_500.0,
    "qr": 1_000.0,
}  # pages of six cards a second of processor time
PAGES, FEW = 1_120, 40  # four K series; the reference would take minutes for as many


def rows() -> list[Row]:
    """Compare pages a second with each code, and with what is asked."""
    cards = _cards()
    made: list[Row] = []
    with translation.override("pt"):
        _ours(cards[:6], "qr")  # fonts are read and tables made once a process
        for code, asked in ASKED.items():
            ours = _measured(cards, code)
            unit = "pages/CPU s"
            made.append(compare(f"print, {code}", ours, _plain(cards, code), unit=unit))
            floor = compare(f"print, {code}, asked", ours, _floor(asked), unit=unit, asked=1)
            made.append(floor)
    return made


def _cards() -> Cards:
    rng = random.Random("print")
    counts = rulebooks.get("cape-verde-2017").column_counts[90]
    laid = [strips.strip(formats.NINETY, counts=counts, rng=rng) for _strip in range(280)]
    rows = [card for strip in laid for card in strip] * (PAGES // 280)
    return [(number, card, 0) for number, card in enumerate(rows, start=1)]


def _floor(asked: float) -> Callable[[], float]:
    return lambda: asked


def _measured(cards: Cards, code: CodeName) -> Callable[[], float]:
    def ours() -> float:
        began = time.process_time()
        pages = _ours(cards, code)
        return pages / (time.process_time() - began)

    return ours


def _ours(cards: Cards, code: CodeName) -> int:
    return sheets(
        VALUES,
        cards,
        paper="a4",
        code=code,
        back=False,
        crop=True,
        out=BytesIO(),
        progress=lambda _cards: None,
    )


def _plain(cards: Cards, code: CodeName) -> Callable[[], float]:
    def plain() -> float:
        began = time.process_time()
        canvas = Canvas(BytesIO(), pagesize=A4, initialFontName=kit.REGULAR)
        for page in range(FEW):
            for place, (number, card, _copy) in enumerate(cards[page * 6 : page * 6 + 6]):
                _card(canvas, (250 - place * 46) * mm, number, card, code)
            canvas.showPage()
        canvas.save()
        return FEW / (time.process_time() - began)

    return plain


def _card(
    canvas: Canvas, foot: float, number: int, card: tuple[tuple[int | None, ...], ...], code: str
) -> None:
    """The least that a card says, by ReportLab's own means."""
    canvas.setFont(kit.BOLD, 12)
    canvas.drawString(10 * mm, foot + 34 * mm, f"{VALUES.hall} {VALUES.letter} {number}")
    canvas.setFont(kit.BOLD, 30)
    for row, cells in enumerate(card):
        for column, cell in enumerate(cells):
            x, y = (70 + column * 14) * mm, foot + (28 - row * 13) * mm
            canvas.rect(x, y, 14 * mm, 13 * mm)
            if cell is not None:
                canvas.drawCentredString(x + 7 * mm, y + 3 * mm, str(cell))
    written = cards.code_of(VALUES.issue, number)
    if code == "barcode":
        Code128(written, barWidth=0.72, barHeight=8 * mm).drawOn(canvas, 10 * mm, foot)
        return
    matrix = segno.make(written, version=1, error="h", mode="numeric").matrix
    for y, line in enumerate(matrix):
        for x, dark in enumerate(line):
            if dark:
                canvas.rect(10 * mm + x * 1.44, foot + y * 1.44, 1.44, 1.44, stroke=0, fill=1)
