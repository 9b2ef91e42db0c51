"""The card, the symbols and the figures as pages show them: every cell, and what is said of it."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from django.template import TemplateSyntaxError, engines
from django.utils.translation import override

from bingo.rules import patterns
from bingo.rules.refusal import Refusal
from bingo.symbols import SYMBOLS

OF_90 = (
    (None, 11, None, 35, None, None, 61, 74, 85),
    (None, None, 25, 39, 42, 54, None, None, 90),
    (7, 13, 28, None, None, 55, 68, None, None),
)
OF_80 = ((10, 30, 43, 68), (6, 36, 58, 72), (3, 26, 53, 69), (5, 22, 42, 75))
OF_75 = (
    (11, 16, 33, 60, 67),
    (7, 28, 42, 58, 66),
    (3, 23, None, 52, 63),
    (1, 21, 45, 47, 61),
    (15, 19, 41, 48, 75),
)
OF_30 = ((5, 20, 28), (3, 13, 26), (8, 18, 30))
CARDS = {90: OF_90, 80: OF_80, 75: OF_75, 30: OF_30}


class Reader(HTMLParser):
    """Reads a page as its reader hears it: the cells of tables, and where each class stands."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[str] = []
        self.said: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in {"td", "th"}:
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        words = data.split()
        self.said += words
        if self.cells:
            self.cells[-1] = " ".join([*self.cells[-1].split(), *words])

    def classes(self, tag: str) -> list[str]:
        return [attributes.get("class") or "" for name, attributes in self.tags if name == tag]

    def names(self, tag: str) -> list[str | None]:
        return [attributes.get("name") for name, attributes in self.tags if name == tag]


def shown(source: str, **context: Any) -> Reader:
    """What a template that uses the library shows, in the sources' own English."""
    with override("en"):
        return Reader(engines["django"].from_string("{% load cards %}" + source).render(context))


@pytest.mark.rule(14)
def test_card_of_90_shows_its_numbers_and_blanks() -> None:
    page = shown("{% card rows format=90 number=123 letter='K' %}", rows=OF_90)
    assert page.cells == [str(number or "") for row in OF_90 for number in row]
    assert page.classes("td").count("is-blank") == 12
    assert page.names("caption") == [None]
    assert page.said[:4] == ["Card", "123", "Series", "K"]


@pytest.mark.parametrize("format", CARDS)
def test_card_of_every_format_has_a_cell_for_each_square(format: int) -> None:
    page = shown("{% card rows format=format %}", rows=CARDS[format], format=format)
    squares = sum(len(row) for row in CARDS[format])
    assert len(page.classes("td")) == squares
    assert page.classes("div")[0].split() == [
        "card-place",
        "card-place--medium",
        f"card-place--{format}",
    ]
    assert page.names("caption") == []


@pytest.mark.rule(71)
def test_card_of_75_has_letters_and_a_free_centre() -> None:
    page = shown("{% card rows format=75 %}", rows=OF_75)
    assert page.cells[:5] == list("BINGO")
    assert page.cells[5 + 12] == "Free"
    assert page.classes("td")[12] == "is-free"
    assert {attributes.get("scope") for tag, attributes in page.tags if tag == "th"} == {"col"}


@pytest.mark.rule(76)
def test_card_of_75_carries_its_pattern() -> None:
    cells = patterns.get("heart").cells
    drawing = "/".join(patterns.draw(cells))
    by_cells = shown("{% card rows format=75 pattern=pattern %}", rows=OF_75, pattern=cells)
    by_drawing = shown("{% card rows format=75 pattern=pattern %}", rows=OF_75, pattern=drawing)
    marked = {
        (place // 5, place % 5)
        for place, classes in enumerate(by_cells.classes("td"))
        if "is-pattern" in classes
    }
    assert marked == cells
    assert by_cells.cells == by_drawing.cells
    assert by_cells.cells[5 + 1] == "16 in the pattern"
    assert by_cells.cells[5 + 12] == "Free in the pattern"


def test_card_tells_called_and_missing_in_words_too() -> None:
    page = shown(
        "{% card rows called=called missing=missing %}", rows=OF_90, called={11, 42}, missing={35}
    )
    assert page.cells[1] == "11 called"
    assert page.cells[3] == "35 missing"
    assert page.cells[9 + 4] == "42 called"
    assert page.cells[6] == "61"
    assert page.classes("td").count("is-called") == 2
    assert page.classes("td").count("is-missing") == 1


@pytest.mark.rule(80)
def test_card_of_30_shows_named_symbols_for_its_numbers() -> None:
    page = shown("{% card rows format=30 symbols=True %}", rows=OF_30)
    path_of = {symbol.number: symbol.path for symbol in SYMBOLS}
    drawn = [attributes["d"] for tag, attributes in page.tags if tag == "path"]
    assert drawn == [path_of[number] for row in OF_30 for number in row]
    assert page.cells[:3] == ["Palm tree 5", "Penguin 20", "Scissors 28"]


def test_card_of_30_shows_numbers_where_symbols_are_not_asked() -> None:
    page = shown("{% card rows format=30 %}", rows=OF_30)
    assert page.cells == [str(number) for row in OF_30 for number in row]
    assert page.classes("svg") == []


def test_card_of_no_known_format_or_size_is_refused() -> None:
    with pytest.raises(Refusal, match="unknown_format"):
        shown("{% card rows format=60 %}", rows=OF_90)
    with pytest.raises(TemplateSyntaxError, match="huge"):
        shown("{% card rows size='huge' %}", rows=OF_90)


@pytest.mark.parametrize("format", CARDS)
def test_card_carries_no_style_of_its_own(format: int) -> None:
    page = shown("{% card rows format=f symbols=True %}", rows=CARDS[format], f=format)
    assert not any("style" in attributes for _tag, attributes in page.tags)
    assert not {"style", "script"} & {tag for tag, _attributes in page.tags}


def test_symbol_is_drawn_alone() -> None:
    page = shown("{% symbol 21 %}")
    assert page.classes("svg") == ["symbol"]
    assert page.said == ["Key"]


def test_pattern_tile_draws_its_squares_and_says_its_name() -> None:
    page = shown("{% pattern_tile cells 'Letter L' %}", cells=patterns.get("letter_l").cells)
    squares = ["is-marked" in classes for classes in page.classes("rect")]
    assert [place for place, marked in enumerate(squares) if marked] == [
        0, 5, 10, 15, 20, 21, 22, 23, 24,
    ]  # fmt: skip
    assert page.tags[0][1]["aria-label"] == "Letter L"


def test_pattern_tile_without_a_name_is_an_ornament() -> None:
    page = shown("{% pattern_tile '' %}")
    assert page.tags[0][1]["aria-hidden"] == "true"
    assert not any("is-marked" in classes for classes in page.classes("rect"))


@pytest.mark.rule(73)
def test_pattern_editor_holds_a_checkbox_for_each_square() -> None:
    drawing = "X..../X..../X..../X..../XXXXX"
    page = shown(
        "{% include 'cards/pattern_editor.html' %}",
        pattern_cells=drawing,
        form_typed={"name": "<L>"},
    )
    boxes = {
        attributes["name"]: "checked" in attributes
        for tag, attributes in page.tags
        if tag == "input" and attributes.get("type") == "checkbox"
    }
    cells = patterns.read(drawing.split("/"))
    assert boxes == {
        f"cell-{row}-{column}": (row, column) in cells for row in range(5) for column in range(5)
    }
    fields = {attributes["name"]: attributes for tag, attributes in page.tags if tag == "input"}
    assert fields["name"]["value"] == "<L>"
    assert "value" not in fields["drawing"]
    assert fields["cell-2-2"]["aria-label"] == "N, row 3, Free"
    assert "9" in page.said


def test_pattern_editor_of_a_hall_that_draws_its_first_is_empty() -> None:
    page = shown("{% include 'cards/pattern_editor.html' %}")
    assert not any("checked" in attributes for _tag, attributes in page.tags)
    assert "0" in page.said
