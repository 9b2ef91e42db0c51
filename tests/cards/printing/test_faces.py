"""What a face draws besides words: pattern, symbols, blank cells, in grey and in pure black."""

import pytest

from bingo.symbols import SYMBOLS
from draws.cards.printing import face
from draws.cards.printing.codes import Box
from draws.cards.printing.values import PaperName
from tests.support import card_deck, printed_cards

DPI = 100


def edge(cell: Box, share: float) -> tuple[float, float, float, float]:
    """The upper edge of a cell, above its figures, as far as `share` of its width."""
    right = cell.x + 0.8 + cell.width * share
    return (cell.x + 0.8, cell.y + 0.7, right, cell.y + 1.8)


@pytest.mark.rule(76)
@pytest.mark.parametrize("paper", ["a4", "roll"])
def test_pattern_is_seen_in_grey(paper: PaperName) -> None:
    values = card_deck.values(format=75, pattern=card_deck.CROSS, face_colour="yellow")
    image = printed_cards.picture(
        card_deck.pdf(values, card_deck.numbered(75, 1), paper=paper), dpi=DPI
    )
    found: dict[bool, list[float]] = {True: [], False: []}
    for row, cells in enumerate(card_deck.cells(75, paper)):
        for column, cell in enumerate(cells):
            marked = (row, column) in card_deck.CROSS
            found[marked].append(printed_cards.grey(image, DPI, edge(cell, 0.15)))
    assert min(found[False]) - max(found[True]) > 20


@pytest.mark.rule(71)
@pytest.mark.parametrize("paper", ["a4", "roll"])
def test_free_centre_has_a_star(paper: PaperName) -> None:
    values = card_deck.values(format=75)
    image = printed_cards.picture(
        card_deck.pdf(values, card_deck.numbered(75, 1), paper=paper), dpi=DPI
    )
    x, y = card_deck.cells(75, paper)[2][2].centre
    assert printed_cards.grey(image, DPI, (x - 1, y - 1, x + 1, y + 1)) < 80


def test_till_paper_has_no_greys() -> None:
    values = card_deck.values(format=80, face_colour="red")
    pdf = card_deck.pdf(values, card_deck.numbered(80, 1, copy=1), paper="roll")
    image = printed_cards.picture(pdf, dpi=600)
    shades = image.histogram()
    edges = sum(shades[8:248])  # only where a line runs through a dot
    assert edges < 0.02 * image.width * image.height


@pytest.mark.rule(14)
@pytest.mark.parametrize("paper", ["a4", "roll"])
def test_blank_cells_are_told_from_numbered_ones_in_grey(paper: PaperName) -> None:
    cards = card_deck.numbered(90, 1)
    image = printed_cards.picture(card_deck.pdf(card_deck.VALUES, cards, paper=paper), dpi=DPI)
    found: dict[bool, list[float]] = {True: [], False: []}
    for numbers, cells in zip(cards[0][1], card_deck.cells(90, paper), strict=True):
        for number, cell in zip(numbers, cells, strict=True):
            found[number is None].append(printed_cards.grey(image, DPI, edge(cell, 0.7)))
    assert min(found[False]) - max(found[True]) > 15


@pytest.mark.rule(80)
@pytest.mark.parametrize("paper", ["a4", "roll"])
def test_symbols_stand_for_their_numbers(paper: PaperName) -> None:
    cards = card_deck.numbered(30, 1)
    plain = card_deck.pdf(card_deck.values(format=30), cards, paper=paper)
    drawn = card_deck.pdf(card_deck.values(format=30, symbols=True), cards, paper=paper)
    assert len(drawn) > len(plain)
    (page,) = printed_cards.text(drawn)
    for number in (cell for row in cards[0][1] for cell in row):
        assert f" {number} " in f" {page} "


@pytest.mark.rule(80)
@pytest.mark.parametrize("first", range(1, 11))
def test_every_symbol_is_shown(first: int) -> None:
    """Two cards that differ in one symbol differ in its cell and nowhere else."""
    rows = tuple((first, 11 + row, 21 + row) for row in range(3))
    other = ((first % 10 + 1, 11, 21), *rows[1:])
    values = card_deck.values(format=30, symbols=True, face_colour="white")
    one, two = (
        printed_cards.picture(card_deck.pdf(values, [(1, card, 0)], code="none"), dpi=DPI)
        for card in (rows, other)
    )
    box = card_deck.cells(30, "a4")[0][0]
    cell = (box.x - 0.5, box.y - 0.5, box.x + box.width + 0.5, box.y + box.height + 0.5)
    assert printed_cards.part(one, DPI, cell) != printed_cards.part(two, DPI, cell)
    left, top, right, bottom = (round(edge / 25.4 * DPI) for edge in cell)
    for page in (one, two):
        page.paste(255, (left, top, right, bottom))
    assert one == two


def test_path_becomes_operators() -> None:
    path = "M 1 2 L 3 4.5 C 1 2 3 4 5 6 Z M 0 0 L 9 9 Z"
    assert face.operators(path) == "1 2 m 3 4.5 l 1 2 3 4 5 6 c h 0 0 m 9 9 l h"
    assert all(face.operators(symbol.path).count(" m ") >= 1 for symbol in SYMBOLS)


@pytest.mark.slow
def test_double_card_has_a_fold() -> None:
    fold = printed_cards.picture(
        card_deck.pdf(card_deck.values(double=True), card_deck.numbered(90, 3)), dpi=254
    )
    line = fold.crop((200, 560, fold.width - 200, 570)).tobytes()
    single = printed_cards.picture(
        card_deck.pdf(card_deck.VALUES, card_deck.numbered(90, 6)), dpi=254
    )
    assert min(line) < 160
    assert set(single.crop((200, 562, fold.width - 200, 568)).tobytes()) == {255}
