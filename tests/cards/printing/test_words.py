"""Words of a card: which there are, that none touches another, that none is too small."""

import re
from itertools import groupby
from pathlib import Path

import pytest
from django.utils import translation
from PIL import Image
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth

from bingo.pdf import kit
from bingo.rules import formats
from draws.cards.printing import layouts
from draws.cards.printing.codes import Box
from draws.cards.printing.sheets import PAPERS
from draws.cards.printing.values import CodeName, PaperName, SheetName
from tests.support import card_deck, printed_cards

DPI = 300
NO_VALUE = "DEMONSTRATION – NO VALUE"


def bands(image: Image.Image, box: tuple[float, float, float, float], dark: int = 110) -> int:
    """How many lines of print follow each other from the top, a clean row of dots between them."""
    cut = printed_cards.part(image, DPI, box)
    dots = cut.tobytes()
    rows = [min(dots[at : at + cut.width]) < dark for at in range(0, len(dots), cut.width)]
    return sum(inked for inked, _rows in groupby(rows))


def on_page(box: Box, at: Box, height: float) -> tuple[float, float, float, float]:
    """Where a card's box lies, in millimetres by left, top, right and bottom."""
    box = box.moved(at.x, at.y)
    return box.x / mm, (height - box.top) / mm, box.right / mm, (height - box.y) / mm


@pytest.mark.parametrize("paper", ["a4", "letter", "roll"])
@pytest.mark.parametrize("format", [90, 80, 75, 30])
def test_demonstration_says_so_on_every_card(format: int, paper: PaperName) -> None:
    values = card_deck.values(format=format, demonstration=True)
    cards = card_deck.numbered(format, 6)
    pages = printed_cards.text(card_deck.pdf(values, cards, paper=paper))
    assert " ".join(pages).count(NO_VALUE) == 6
    assert "REPRINT" not in " ".join(pages)
    assert (
        NO_VALUE
        not in printed_cards.text(
            card_deck.pdf(card_deck.values(format=format), cards, paper=paper)
        )[0]
    )


@pytest.mark.parametrize("paper", ["a4", "roll"])
def test_reprint_of_a_demonstration_says_both_on_each_half(paper: PaperName) -> None:
    values = card_deck.values(demonstration=True, double=True)
    (page,) = printed_cards.text(
        card_deck.pdf(values, card_deck.numbered(90, 1, copy=1), paper=paper)
    )
    assert page.count(NO_VALUE) == page.count("REPRINT: COPY 2") == 2


@pytest.mark.rule(17)
@pytest.mark.parametrize("format", [90, 75])
def test_price_stays_clear_of_the_bar_below(format: int) -> None:
    pdf = card_deck.pdf(
        card_deck.values(format=format), card_deck.numbered(format, 1, copy=1), paper="roll"
    )
    image = printed_cards.picture(pdf, dpi=DPI)
    places = layouts.roll_card_places(formats.get_format(format), "barcode")
    at = Box((layouts.PAPER - layouts.WIDTH) / 2, 0, *places.size)
    left, _top, right, bottom = on_page(places.told, at, places.size[1])
    top = on_page(places.price, at, places.size[1])[1]
    assert bands(image, (left, top, right, bottom)) == 2


@pytest.mark.slow
@pytest.mark.rule(15)
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("code", "lines"), [("qr", 3), ("barcode", 2)])
def test_price_colour_and_half_do_not_touch(paper: SheetName, code: CodeName, lines: int) -> None:
    values = card_deck.values(double=True, face_colour="white")
    image = printed_cards.picture(
        card_deck.pdf(values, card_deck.numbered(90, 3), paper=paper, code=code), dpi=DPI
    )
    sheet = PAPERS[paper]
    at = sheet.slots(1)[0]
    places = layouts.wide_card_places((at.width, at.height), code)
    left, top, right, bottom = on_page(places.names, at, sheet.height)
    if code == "qr":
        top = on_page(places.price, at, sheet.height)[1]
    assert bands(image, (left, top, right, bottom)) == lines


@pytest.mark.rule(16)
@pytest.mark.parametrize("identification", ["2026/0001-AB", "WWWWWWWWWWWW", "000431"])
@pytest.mark.parametrize("paper", ["a4", "letter", "roll"])
@pytest.mark.parametrize("format", [90, 75])
@pytest.mark.parametrize("code", ["barcode", "qr", "none"])
def test_identification_is_at_least_seven_points(
    identification: str, paper: PaperName, format: int, code: CodeName, tmp_path: Path
) -> None:
    values = card_deck.values(format=format, identification=identification)
    pdf = card_deck.pdf(values, card_deck.numbered(format, 1, 1680), paper=paper, code=code)
    words = printed_cards.words(pdf, tmp_path)
    (word,) = (word for word in words if word.text == identification)
    size = (word.right - word.left) / stringWidth(identification, kit.SEMIBOLD, 1)
    assert size >= 7
    assert not any(
        other.text != identification
        and other.left < word.right
        and word.left < other.right
        and abs(other.top + other.bottom - word.top - word.bottom) < size
        for other in words
    )


@pytest.mark.rule(3)
@pytest.mark.parametrize(
    ("language", "reference", "said"),
    [
        ("pt", "DEMONSTRAÇÃO", "· Autorização DEMONSTRAÇÃO"),
        ("es", "17/2026", "· Autorización 17/2026"),
        ("gl", "17/2026", "· Autorización 17/2026"),
        ("ca", "17/2026", "· Autorització 17/2026"),
        ("en", "17/2026", "· Authorisation 17/2026"),
        ("pt", "autorização n.º 3", "· autorização n.º 3"),
    ],
)
@pytest.mark.parametrize("paper", ["a4", "roll"])
def test_authorisation_is_named_once(
    paper: PaperName, language: str, reference: str, said: str
) -> None:
    values = card_deck.values(licence="Licença", authorisation=reference, language=language)
    with translation.override(language):
        (page,) = printed_cards.text(card_deck.pdf(values, card_deck.numbered(90, 1), paper=paper))
    assert f"Licença {said}" in page
    assert len(re.findall("auth?ori", page.casefold())) == 1


def test_card_without_authorisation_does_not_name_one() -> None:
    (page,) = printed_cards.text(card_deck.pdf(card_deck.VALUES, card_deck.numbered(90, 1)))
    assert "Authorisation" not in page
