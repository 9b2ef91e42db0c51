"""The look of documents holds on a grey photocopy."""

import io
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from reportlab.lib.colors import Color
from reportlab.pdfbase.pdfdoc import PDFDocument
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import kit


def luminance(colour: Color) -> float:
    """WCAG 2.2's relative luminance."""
    linear: list[float] = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (colour.red, colour.green, colour.blue)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("paper", [kit.PAPER, kit.WASH])
@pytest.mark.parametrize("ink", [kit.INK, kit.QUIET])
def test_text_stands_out_by_its_grey_alone(ink: Color, paper: Color) -> None:
    assert (luminance(paper) + 0.05) / (luminance(ink) + 0.05) > 4.5


def test_plain_text_is_printed_as_it_is() -> None:
    assert kit.paragraph("a < b & <b>c</b>").getPlainText() == "a < b & <b>c</b>"


def _with_every_accent(_turn: int) -> bytes:
    """A page whose letters are put together of two signs of the font file, as it comes."""
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setFont(kit.REGULAR, 10)
    canvas.drawString(50, 700, "".join(map(chr, range(0xC0, 0x17F))))
    canvas.save()
    return out.getvalue()


def _drawn_at_once() -> set[bytes | str]:
    def drawn(turn: int) -> bytes | str:
        try:
            return _with_every_accent(turn)
        except LookupError as error:
            return str(error)

    with ThreadPoolExecutor(4) as threads:
        return set(threads.map(drawn, range(60)))


@pytest.fixture
def hurried_threads() -> Iterator[None]:
    """Threads that take turns at every step."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.slow
@pytest.mark.usefixtures("hurried_threads")
def test_documents_drawn_at_once_do_not_mix_their_letters() -> None:
    assert _drawn_at_once() == {_with_every_accent(0)}


@pytest.mark.slow
@pytest.mark.usefixtures("hurried_threads")
def test_reportlab_alone_mixes_the_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    def unguarded(font: TTFont, document: PDFDocument) -> None:
        TTFont.addObjects(font, document)

    monkeypatch.setattr(kit.EmbeddedFont, "addObjects", unguarded)
    assert len(_drawn_at_once()) > 1
