"""Sheets: how many, what each says, what lies behind it, that they can be cancelled; their preview."""

import hashlib
import shutil
import subprocess
from collections import Counter
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from django.utils import translation
from PIL import Image

from bingo.rules.refusal import Refusal
from draws.cards import colours
from draws.cards.printing import sheets
from draws.cards.printing.sheets import preview
from draws.cards.printing.values import CodeName, PaperName, SheetName
from tests.support import card_deck, printed_cards


def pages(pdf: bytes) -> int:
    return len(pypdf.PdfReader(BytesIO(pdf), strict=True).pages)


@pytest.mark.parametrize(
    ("cards", "double", "back", "expected"),
    [(1, False, False, 1), (6, False, False, 1), (7, False, True, 4), (7, True, False, 3)],
)
def test_cards_fill_pages_of_six_or_three(
    cards: int, expected: int, *, double: bool, back: bool
) -> None:
    pdf = card_deck.pdf(card_deck.values(double=double), card_deck.numbered(90, cards), back=back)
    assert pages(pdf) == expected


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_page_has_the_size_of_the_paper(paper: SheetName, size: tuple[int, int]) -> None:
    pdf = card_deck.pdf(card_deck.VALUES, card_deck.numbered(90, 1), paper=paper)
    box = pypdf.PdfReader(BytesIO(pdf)).pages[0].mediabox
    assert (round(box.width), round(box.height)) == size


@pytest.mark.rule(3)
@pytest.mark.rule("BOE II")
@pytest.mark.parametrize("paper", ["a4", "letter", "roll"])
@pytest.mark.parametrize("format", [90, 80, 75, 30])
def test_card_says_all_that_the_law_asks(format: int, paper: SheetName) -> None:
    values = card_deck.values(format=format, authorisation="Despacho n.º 17/2026")
    (page,) = printed_cards.text(
        card_deck.pdf(values, card_deck.numbered(format, 1, 1679), paper=paper)
    )
    for said in (
        "Sala de Bingo",
        "Autorização n.º 1/2026 · Authorisation Despacho n.º 17/2026",
        "Portaria n.º 1/2017, de 9 de janeiro · matrix 1",
        "Series",
        "K",
        "000431",
        "1679",
        "of 1 680 cards",
        "200,00 CVE",
        "Colour: blue",
    ):
        assert said in page, said


def test_money_is_written_as_the_halls_language_does() -> None:
    values = card_deck.values(language="es", currency="EUR", face=150, size=1680)
    (page,) = printed_cards.text(card_deck.pdf(values, card_deck.numbered(90, 1)))
    assert "1,50 €" in page
    assert "of 1.680 cards" in page


@pytest.mark.rule(70)
def test_columns_of_75_stand_under_bingo() -> None:
    (page,) = printed_cards.text(
        card_deck.pdf(card_deck.values(format=75), card_deck.numbered(75, 1))
    )
    assert "B I N G O" in page


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "REPRINT: COPY 2"),
        ("pt", "REIMPRESSÃO: 2.ª VIA"),
        ("es", "REIMPRESIÓN: 2.ª COPIA"),
        ("gl", "REIMPRESIÓN: 2.ª COPIA"),
        ("ca", "REIMPRESSIÓ: 2A CÒPIA"),
    ],
)
@pytest.mark.parametrize("paper", ["a4", "roll"])
@pytest.mark.parametrize("format", [90, 75])
def test_reprint_says_so(format: int, paper: SheetName, language: str, said: str) -> None:
    values = card_deck.values(format=format)
    with translation.override(language):
        (page,) = printed_cards.text(
            card_deck.pdf(values, card_deck.numbered(format, 1, copy=1), paper=paper)
        )
        (first,) = printed_cards.text(
            card_deck.pdf(values, card_deck.numbered(format, 1), paper=paper)
        )
        (third,) = printed_cards.text(
            card_deck.pdf(values, card_deck.numbered(format, 1, copy=2), paper=paper)
        )
    assert said in page
    assert said not in first
    assert said.replace("2", "3") in third


@pytest.mark.slow
@pytest.mark.rule(18)
def test_back_tells_the_series_by_letter_and_colour() -> None:
    values = card_deck.values(letter="J", back_colour="red")
    pdf = card_deck.pdf(values, card_deck.numbered(90, 6), back=True)
    _front, back = printed_cards.text(pdf)
    assert back.count("Series J · 000431") == back.count("Colour: red") == 6
    image = printed_cards.picture(pdf, page=2, dpi=50, grey=False).convert("RGB")
    dots = image.tobytes()
    counts = Counter(dots[at : at + 3] for at in range(0, len(dots), 3))
    assert counts.most_common(1)[0][0] == bytes.fromhex(colours.back("red").strong[1:])


def dark(image: Image.Image, x: float, y: float) -> bool:
    value = image.getpixel((int(image.width * x), int(image.height * y)))
    assert isinstance(value, int | float)
    return value < 200


def test_back_lies_behind_its_card() -> None:
    """Turned over its long edge, what was left is right."""
    pdf = card_deck.pdf(card_deck.values(format=75), card_deck.numbered(75, 3), back=True)
    for page, alone in ((1, 0.25), (2, 0.75)):
        image = printed_cards.picture(pdf, page=page, dpi=50)
        lower = [
            [dark(image, x, y) for x in (side - 0.1, side, side + 0.1) for y in (0.45, 0.5, 0.6)]
            for side in (alone, 1 - alone)
        ]
        assert any(lower[0])
        assert not any(lower[1])


def test_cutting_marks_lie_outside_the_cards() -> None:
    cards = card_deck.numbered(90, 6)
    with_marks = printed_cards.picture(card_deck.pdf(card_deck.VALUES, cards), dpi=100)
    without = printed_cards.picture(card_deck.pdf(card_deck.VALUES, cards, crop=False), dpi=100)
    side = int(9.7 / 25.4 * 100)
    edge = (side, side, with_marks.width - side, with_marks.height - side)
    assert with_marks != without
    assert with_marks.crop(edge) == without.crop(edge)
    without.paste(255, edge)
    assert set(without.tobytes()) == {255}


@pytest.mark.parametrize("code", ["barcode", "qr"])
def test_same_values_give_the_same_bytes(code: CodeName) -> None:
    cards = card_deck.numbered(90, 13)
    made = {
        hashlib.sha256(card_deck.pdf(card_deck.VALUES, cards, code=code, back=True)).hexdigest()
        for _time in range(2)
    }
    assert len(made) == 1
    assert card_deck.pdf(card_deck.VALUES, cards[:12]) != card_deck.pdf(card_deck.VALUES, cards[1:])


def test_progress_is_told_every_fifty_pages_and_at_the_end() -> None:
    told: list[int] = []
    cards = card_deck.numbered(90, 720)
    printed = sheets(
        card_deck.VALUES,
        cards,
        paper="a4",
        code="none",
        back=False,
        crop=False,
        out=BytesIO(),
        progress=told.append,
    )
    assert printed == 120
    assert told == [300, 600, 720]


def test_progress_can_cancel() -> None:
    class CancelledError(Exception):
        pass

    def cancel(cards: int) -> None:
        raise CancelledError(cards)

    with pytest.raises(CancelledError):
        sheets(
            card_deck.VALUES,
            card_deck.numbered(90, 720),
            paper="a4",
            code="none",
            back=True,
            crop=False,
            out=BytesIO(),
            progress=cancel,
        )


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"face_colour": "gold"}, "colour"),
        ({"back_colour": "white"}, "colour"),
        ({"symbols": True}, "symbols"),
        ({"pattern": frozenset({(3, 0)})}, "pattern"),
    ],
)
def test_what_no_card_can_show_is_refused(changed: dict[str, object], what: str) -> None:
    with pytest.raises(Refusal, match="not_printable") as refused:
        card_deck.pdf(card_deck.values(**changed), card_deck.numbered(90, 1))
    assert refused.value.values == {"what": what}


def test_no_cards_are_refused() -> None:
    with pytest.raises(Refusal, match="not_printable"):
        card_deck.pdf(card_deck.VALUES, [])


def test_words_of_any_length_and_sign_stay_on_the_card() -> None:
    values = card_deck.values(
        hall="Sala (de) \\ Bingo " * 12, licence="Łódź № " * 40, identification="9" * 20
    )
    image = printed_cards.picture(
        card_deck.pdf(values, card_deck.numbered(90, 6), crop=False), dpi=50
    )
    image.paste(255, (20, 20, image.width - 20, image.height - 20))
    assert set(image.tobytes()) == {255}


@pytest.mark.parametrize("paper", ["a4", "roll"])
@pytest.mark.skipif(shutil.which("pdffonts") is None, reason="poppler-utils is not installed")
def test_fonts_are_embedded(paper: SheetName, tmp_path: Path) -> None:
    file = tmp_path / "cards.pdf"
    file.write_bytes(
        card_deck.pdf(card_deck.VALUES, card_deck.numbered(90, 7, copy=1), paper=paper)
    )
    listed = subprocess.run(
        ["pdffonts", str(file)], capture_output=True, text=True, check=True
    ).stdout.splitlines()[2:]
    assert listed
    assert all("SourceSansPro" in line and " yes yes yes " in line for line in listed)


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


@pytest.mark.slow
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
