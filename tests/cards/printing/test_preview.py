"""The preview is a picture of the very file, page for page."""

from io import BytesIO

import pytest
from PIL import Image

from draws.cards.printing.sheets import preview
from draws.cards.printing.values import PaperName
from tests.support import card_deck, printed_cards


def picture(paper: PaperName, width: int, **changed: object) -> Image.Image:
    png = preview(
        card_deck.values(**changed),
        card_deck.numbered(90, 20),
        paper=paper,
        code="barcode",
        crop=True,
        width_px=width,
    )
    return Image.open(BytesIO(png))


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of grey, in squares of eight dots: renderers smooth edges differently."""
    size = (one.width // 8, one.height // 8)
    pairs = zip(
        one.convert("L").resize(size, Image.Resampling.BOX).tobytes(),
        other.convert("L").resize(size, Image.Resampling.BOX).tobytes(),
        strict=True,
    )
    return sum(abs(ours - theirs) for ours, theirs in pairs) / (size[0] * size[1])


@pytest.mark.parametrize("paper", ["a4", "letter", "roll"])
@pytest.mark.slow
def test_preview_is_what_poppler_prints(paper: PaperName) -> None:
    page, other = (
        printed_cards.picture(card_deck.pdf(card_deck.VALUES, cards, paper=paper))
        for cards in (card_deck.numbered(90, 6), card_deck.numbered(90, 18)[12:])
    )
    ours = picture(paper, page.width)
    assert (ours.format, ours.width) == ("PNG", page.width)
    assert abs(ours.height - page.height) <= 1
    assert 3 * difference(ours, page) < difference(ours, other)


def test_preview_of_another_card_is_another_picture() -> None:
    assert picture("a4", 400) != picture("a4", 400, letter="J")


def test_preview_of_a_demonstration_has_its_bar() -> None:
    assert picture("a4", 400) != picture("a4", 400, demonstration=True)


def test_preview_of_codes_can_be_scanned() -> None:
    assert len(printed_cards.codes(picture("a4", 1654))) == 6


def test_preview_shows_the_back() -> None:
    png = preview(
        card_deck.VALUES,
        card_deck.numbered(90, 6),
        paper="a4",
        code="qr",
        crop=True,
        width_px=400,
        side="back",
    )
    back = Image.open(BytesIO(png)).convert("RGB")
    assert back.getpixel((30, 40)) != picture("a4", 400).convert("RGB").getpixel((30, 40))
