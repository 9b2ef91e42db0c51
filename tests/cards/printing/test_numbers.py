"""Each card's numbers, read from the file by another program, are those of its rows."""

from pathlib import Path

import pytest
from reportlab.lib.units import mm

from bingo.rules import formats
from bingo.rules.refusal import Refusal
from draws.cards.printing.values import Cards, SheetName
from tests.support import card_deck, printed_cards

LEAST = 22  # points: higher than any other figures but a card's own number


def lines(cards: Cards) -> list[list[int]]:
    """The lines of numbers of cards that lie side by side."""
    rows = zip(*[rows for _number, rows, _copy in cards], strict=True)
    return [[cell for part in row for cell in part if cell is not None] for row in rows]


@pytest.mark.rule(14)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_numbers_of_90_are_read_in_their_places(paper: SheetName, tmp_path: Path) -> None:
    cards = card_deck.numbered(90, 6, 1675)
    words = printed_cards.words(card_deck.pdf(card_deck.VALUES, cards, paper=paper), tmp_path)
    numbers = [word for word in words if word.left > 70 * mm]
    assert printed_cards.rows(numbers, LEAST) == [line for card in cards for line in lines([card])]
    middles: dict[int, set[int]] = {}
    for word in numbers:
        if word.text.isdigit() and word.bottom - word.top >= LEAST:
            column = formats.NINETY.column_of(int(word.text))
            middles.setdefault(column, set()).add(round(word.left + word.right))
    assert all(max(found) - min(found) <= 1 for found in middles.values())
    assert len(middles) == 9


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("format", [80, 75, 30])
def test_numbers_of_square_cards_are_read(format: int, paper: SheetName, tmp_path: Path) -> None:
    cards = card_deck.numbered(format, 6, 101)
    words = printed_cards.words(
        card_deck.pdf(card_deck.values(format=format), cards, paper=paper), tmp_path
    )
    pairs = [cards[0:2], cards[2:4], cards[4:6]]
    expected = [line for pair in pairs for line in ([card[0] for card in pair], *lines(pair))]
    assert printed_cards.rows(words, LEAST) == expected


@pytest.mark.parametrize("format", [90, 80, 75, 30])
def test_numbers_of_a_slip_are_read(format: int, tmp_path: Path) -> None:
    cards = card_deck.numbered(format, 3, 101)
    pdf = card_deck.pdf(card_deck.values(format=format), cards, paper="roll")
    for page, card in enumerate(cards, start=1):
        found = printed_cards.rows(printed_cards.words(pdf, tmp_path, page), LEAST)
        assert found == [[card[0]], *lines([card])]


@pytest.mark.rule("BOE I")
@pytest.mark.rule(15)
def test_halves_of_a_double_card_are_equal(tmp_path: Path) -> None:
    cards = card_deck.numbered(90, 3, 7)
    pdf = card_deck.pdf(card_deck.values(double=True), cards)
    numbers = [word for word in printed_cards.words(pdf, tmp_path) if word.left > 70 * mm]
    assert printed_cards.rows(numbers, LEAST) == [
        line for card in cards for _half in range(2) for line in lines([card])
    ]
    (page,) = printed_cards.text(pdf)
    assert page.count("Double: part 1 of 2") == page.count("Double: part 2 of 2") == 3
    assert page.count("200,00 CVE") == page.count("of 1 680 cards") == 6


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_numbers_of_90_are_six_millimetres_high(paper: SheetName) -> None:
    image = printed_cards.picture(
        card_deck.pdf(
            card_deck.values(face_colour="white"), card_deck.numbered(90, 1), paper=paper
        ),
        dpi=254,
    )
    row = card_deck.numbered(90, 1)[0][1][0]
    box = next(
        cell
        for cell, number in zip(card_deck.cells(90, paper)[0], row, strict=True)
        if number is not None
    )
    inner = (box.x + 1, box.y + 1, box.x + box.width - 1, box.y + box.height - 1)
    cell = printed_cards.part(image, 254, inner)
    dark = [
        line
        for line in range(cell.height)
        if min(cell.crop((0, line, cell.width, line + 1)).tobytes()) < 60
    ]
    assert dark[-1] - dark[0] >= 60  # ten dots a millimetre


@pytest.mark.parametrize(
    "rows",
    [
        (),
        card_deck.numbered(75, 1)[0][1],
        ((91, *[None] * 8), *[(None,) * 9] * 2),
        ((10, *[None] * 8), *[(None,) * 9] * 2),
    ],
)
def test_what_is_no_card_of_the_format_is_refused(rows: tuple[tuple[int | None, ...], ...]) -> None:
    with pytest.raises(Refusal, match="bad_card") as refused:
        card_deck.pdf(card_deck.VALUES, [*card_deck.numbered(90, 2), (3, rows, 0)])
    assert refused.value.values == {"card": 3}


def test_blank_cell_on_a_full_card_is_refused() -> None:
    (_number, rows, _copy) = card_deck.numbered(80, 1)[0]
    with pytest.raises(Refusal, match="bad_card"):
        card_deck.pdf(card_deck.values(format=80), [(1, (*rows[:3], (None, *rows[3][1:])), 0)])
