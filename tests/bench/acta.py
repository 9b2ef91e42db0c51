"""The acta of a session of sixty games, beside a bare ReportLab document of as many pages."""

import time
from collections.abc import Callable
from io import BytesIO

import pypdf
from django.utils import translation
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import kit
from draws.record.acta import document
from tests.bench.measure import Row, against, compare
from tests.support import whole_evening

VALUES = whole_evening.acta(60)
SECONDS = 3.0  # of processor time that an acta of sixty games may take
LINES = 60


def rows() -> list[Row]:
    """Compare pages a second, and actas a second with what is asked."""
    with translation.override("pt"):
        pdf = document.draw(VALUES)  # fonts are read once a process
        lines = [page.extract_text().split("\n") for page in pypdf.PdfReader(BytesIO(pdf)).pages]

        def ours() -> float:
            return len(lines) / _took(lambda: document.draw(VALUES))

        def bare() -> float:
            return len(lines) / _took(lambda: _bare(lines))

        def actas() -> float:
            return 1 / _took(lambda: document.draw(VALUES))

        name = f"acta of 60 games, {len(lines)} pages"
        return [
            compare(name, ours, bare, unit="pages/CPU s"),
            against(f"{name}, asked", actas, floor=1 / SECONDS, unit="actas/CPU s"),
        ]


def _took(draw: Callable[[], object]) -> float:
    began = time.process_time()
    draw()
    return time.process_time() - began


def _bare(pages: list[list[str]]) -> bytes:
    """The same words line by line, without a table, a rule or a ball."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=A4, initialFontName=kit.REGULAR)
    for lines in pages:
        canvas.setFont(kit.REGULAR, 8)
        for place, line in enumerate(lines):
            canvas.drawString(kit.MARGIN, 800 - place % LINES * 12.5, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()
