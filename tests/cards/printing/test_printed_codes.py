"""The codes of whole printed pages are read back by a program that had no part in them."""

import pytest
from PIL import ImageFilter

from bingo.rules import cards
from bingo.rules.refusal import Refusal
from draws.cards.printing.values import CodeName, SheetName
from tests.support import card_deck, printed_cards


def expected(first: int, count: int) -> list[str]:
    return [cards.code_of(431, number) for number in range(first, first + count)]


@pytest.mark.parametrize("format", [90, 75])
@pytest.mark.parametrize("code", ["barcode", "qr"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_all_codes_of_a_grey_page_are_read(paper: SheetName, code: CodeName, format: int) -> None:
    # Navy is the darkest face there is.
    values = card_deck.values(format=format, face_colour="navy")
    pdf = card_deck.pdf(values, card_deck.numbered(format, 6, 1675), paper=paper, code=code)
    assert printed_cards.codes(printed_cards.picture(pdf)) == expected(1675, 6)


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("code", ["barcode", "qr"])
def test_code_of_a_slip_is_read(code: CodeName, *, double: bool) -> None:
    values = card_deck.values(double=double)
    pdf = card_deck.pdf(values, card_deck.numbered(90, 1, 7), paper="roll", code=code)
    assert printed_cards.codes(printed_cards.picture(pdf)) == expected(7, 1) * (2 if double else 1)


@pytest.mark.slow
@pytest.mark.parametrize("code", ["barcode", "qr"])
def test_codes_survive_a_poor_scan(code: CodeName) -> None:
    pdf = card_deck.pdf(card_deck.values(face_colour="navy"), card_deck.numbered(90, 6), code=code)
    page = printed_cards.picture(pdf).rotate(2, expand=True, fillcolor=255)
    found = printed_cards.codes(page.filter(ImageFilter.GaussianBlur(0.8)))
    assert sorted(set(found)) == expected(1, 6)


@pytest.mark.slow
def test_page_without_codes_has_none() -> None:
    pdf = card_deck.pdf(card_deck.VALUES, card_deck.numbered(90, 6), code="none")
    assert printed_cards.codes(printed_cards.picture(pdf)) == []
    assert "0000 0431" not in " ".join(printed_cards.text(pdf))


@pytest.mark.parametrize("paper", ["a4", "letter", "roll"])
@pytest.mark.parametrize("code", ["barcode", "qr"])
def test_digits_of_a_code_are_printed_in_clear(paper: SheetName, code: CodeName) -> None:
    (page, *_others) = printed_cards.text(
        card_deck.pdf(card_deck.VALUES, card_deck.numbered(90, 6, 1675), paper=paper, code=code)
    )
    assert cards.grouped_code(cards.code_of(431, 1675)) in page


def test_card_without_room_in_the_code_is_refused() -> None:
    with pytest.raises(Refusal, match="code_out_of_range"):
        card_deck.pdf(card_deck.values(issue=100_000_000), card_deck.numbered(90, 1))
