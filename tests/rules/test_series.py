"""Series: emitted without repetition, checked without trust, read without trust."""

import copy
import hashlib
import json
import random
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import cards, rulebooks, series, strips
from bingo.rules.cards import Card
from bingo.rules.formats import NINETY, Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.series import SeriesFault

CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")
# Nine numbers of thirty: a thousand lines only, so repetition is quick to come by.
SMALL = Format(30, 3, 3, 3, (range(1, 11), range(11, 21), range(21, 31)), ascending=False)
SMALL_BOOK = replace(CV, column_counts=MappingProxyType({30: (3, 3), 80: (4, 4)}))
EIGHTY = Format(
    80, 4, 4, 4, tuple(range(first, first + 20) for first in (1, 21, 41, 61)), ascending=False
)


def emitted(size: int, *, book: Rulebook = CV, seed: int = 7) -> tuple[Card, ...]:
    return series.emit(size, format=NINETY, rulebook=book, rng=random.Random(seed))


def faults(drawn: tuple[Card, ...], book: Rulebook = CV) -> tuple[SeriesFault, ...]:
    return series.faults(drawn, format=NINETY, rulebook=book)


@pytest.fixture(scope="module")
def largest() -> tuple[Card, ...]:
    """A series K."""
    return emitted(1680)


@pytest.fixture
def good() -> dict[str, Any]:
    """A series of twelve as plain JSON values, fresh for each test."""
    return series.document(emitted(12), format=NINETY, rulebook=CV, letter="Z")


# Emission


@pytest.mark.rule(14)
@pytest.mark.rule(16)
def test_series_k_has_no_fault_and_repeats_nothing(largest: tuple[Card, ...]) -> None:
    assert len(largest) == CV.series_sizes["K"]
    assert len({cards.numbers(card) for card in largest}) == 1680
    assert len({line for card in largest for line in cards.lines(card)}) == 3 * 1680
    assert faults(largest) == ()


@pytest.mark.rule(14)
def test_series_is_made_of_strips_of_six(largest: tuple[Card, ...]) -> None:
    for first in range(0, 1680, 6):
        held = sorted(chain(*map(cards.numbers, largest[first : first + 6])))
        assert held == list(range(1, 91))


@pytest.mark.rule(16)
@pytest.mark.parametrize("letter", "ABCDEF")
def test_series_of_the_law_s_letters_can_be_emitted(letter: str) -> None:
    drawn = emitted(CV.series_sizes[letter], seed=ord(letter))

    assert (len(drawn), faults(drawn)) == (CV.series_sizes[letter], ())


@pytest.mark.rule(19)
@pytest.mark.parametrize("size", [1, 5, 6, 7, 100])
def test_series_of_another_size_ends_in_part_of_a_strip(size: int) -> None:
    drawn = emitted(size)
    whole = size - size % 6

    assert (len(drawn), faults(drawn)) == (size, ())
    assert sum(map(len, map(cards.numbers, drawn[whole:]))) == len(
        frozenset().union(*map(cards.numbers, drawn[whole:]))
    )


@pytest.mark.rule("BOE I")
def test_spanish_series_has_columns_of_three_that_r14_forbids() -> None:
    drawn = emitted(60, book=BOE)

    assert faults(drawn, BOE) == ()
    found = faults(drawn, CV)
    assert {(fault.rule, fault.code, fault.values["count"]) for fault in found} == {
        ("R14", "column_count", 3)
    }


def test_same_seed_emits_the_same_series_and_another_seed_another() -> None:
    assert emitted(30, seed=1) == emitted(30, seed=1)
    assert emitted(30, seed=1) != emitted(30, seed=2)


def test_emit_follows_the_data_of_another_format() -> None:
    drawn = series.emit(50, format=EIGHTY, rulebook=SMALL_BOOK, rng=random.Random(1))

    assert series.faults(drawn, format=EIGHTY, rulebook=SMALL_BOOK) == ()
    assert sorted(chain(*map(cards.numbers, drawn[:5]))) == list(range(1, 81))


@pytest.mark.parametrize("size", [0, -6])
def test_emit_refuses_a_size_below_one(size: int) -> None:
    with pytest.raises(Refusal) as refused:
        emitted(size)
    assert refused.value == Refusal("series_size_not_positive", size=size)


@pytest.mark.rule(14)
def test_emit_refuses_more_cards_than_there_are_lines() -> None:
    with pytest.raises(Refusal) as refused:
        emitted(4_188_334)
    assert refused.value == Refusal(
        "series_too_large", size=4_188_334, limit=12_565_000 // 3, bound="lines"
    )


def test_emit_gives_up_a_series_it_cannot_fill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "ATTEMPTS", 20)
    with pytest.raises(Refusal) as refused:
        series.emit(333, format=SMALL, rulebook=SMALL_BOOK, rng=random.Random(1))
    assert refused.value.code == "series_too_large"
    assert refused.value.values["bound"] == "attempts"


# The check, and the generators it must catch


def unchecked(size: int, format: Format, book: Rulebook, seed: int) -> tuple[Card, ...]:
    """A generator that forgets to look for repetition."""
    rng = random.Random(seed)
    drawn: list[Card] = []
    while len(drawn) < size:
        drawn += strips.strip(format, counts=book.column_count(format), rng=rng)
    return tuple(drawn)


@pytest.mark.rule(14)
def test_generator_without_the_uniqueness_check_is_caught() -> None:
    drawn = unchecked(60, SMALL, SMALL_BOOK, seed=1)
    found = series.faults(drawn, format=SMALL, rulebook=SMALL_BOOK)
    checked = series.emit(60, format=SMALL, rulebook=SMALL_BOOK, rng=random.Random(1))

    assert {fault.code for fault in found} == {"repeated_line"}
    assert series.faults(checked, format=SMALL, rulebook=SMALL_BOOK) == ()


@pytest.mark.rule(14)
def test_generator_without_the_uniqueness_check_is_caught_at_ninety() -> None:
    # About half of all seeds repeat a line; this one does.
    found = faults(unchecked(1680, NINETY, CV, seed=3))

    assert {(fault.rule, fault.code, len(fault.cards)) for fault in found} == {
        ("R14", "repeated_line", 2)
    }
    assert faults(emitted(1680, seed=3)) == ()


@pytest.mark.rule(14)
def test_repeated_card_and_its_lines_are_named_with_both_numbers() -> None:
    drawn = emitted(12)

    found = faults((*drawn, drawn[4]))

    assert found[0] == SeriesFault((5, 13), "R14", "repeated_card", {})
    assert [(fault.cards, fault.code) for fault in found[1:]] == [((5, 13), "repeated_line")] * 3


@pytest.mark.rule(14)
def test_card_of_the_same_numbers_in_other_rows_is_a_repeated_card() -> None:
    card = emitted(1)[0]
    turned = (card[1], card[0], card[2])

    assert faults((card, turned))[-4].code == "repeated_card"


@pytest.mark.rule(14)
def test_repeated_line_is_named_as_a_set_whatever_its_row() -> None:
    drawn = emitted(12)
    forged = (drawn[0][0], drawn[7][1], drawn[7][2])

    found = faults((*drawn[:7], forged, *drawn[8:]))

    assert (
        SeriesFault(
            (1, 8), "R14", "repeated_line", {"numbers": tuple(sorted(cards.lines(drawn[0])[0]))}
        )
        in found
    )


@pytest.mark.rule(14)
@settings(max_examples=60)
@given(st.integers(0, 11), st.integers(0, 2), st.integers(0, 4), st.integers(1, 90))
def test_one_number_changed_is_named_by_card_and_rule(
    number: int, row: int, place: int, value: int
) -> None:
    drawn = emitted(12)
    cells = [list(cells) for cells in drawn[number]]
    at = [column for column, cell in enumerate(cells[row]) if cell is not None][place]
    before, cells[row][at] = cells[row][at], value
    forged = (*drawn[:number], tuple(map(tuple, cells)), *drawn[number + 1 :])

    found = faults(forged)

    assert {(fault.cards, fault.rule) for fault in found} <= {((number + 1,), "R14")}
    assert ("out_of_column" in {fault.code for fault in found}) == (value not in NINETY.pools[at])
    assert (value == before) == (fingerprint(forged) == fingerprint(drawn))


def fingerprint(drawn: tuple[Card, ...]) -> str:
    return series.digest(series.document(drawn, format=NINETY, rulebook=CV, letter="Z"))


def test_repetition_under_the_spanish_book_is_no_breach_of_r14() -> None:
    card = emitted(1)[0]

    assert {fault.rule for fault in faults((card, card), BOE)} == {"own"}


# The file


def test_document_is_read_back_through_json(good: dict[str, Any]) -> None:
    assert series.read(json.loads(json.dumps(good))) == (NINETY, CV, "Z", emitted(12))
    assert good["cards"][0] == [list(row) for row in emitted(1)[0]]
    assert (good["format"], good["rulebook"], good["letter"]) == (90, "cape-verde-2017", "Z")


def test_digest_is_that_of_canonical_json() -> None:
    text = '{"cards":[[[1,null]]],"format":90,"letter":"Ñ","rulebook":"r"}'
    document = {"rulebook": "r", "letter": "Ñ", "format": 90, "cards": [[[1, None]]]}

    assert series.digest(document) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("document", [None, [], "cards", 90, True, 1.5])
def test_read_refuses_what_is_no_object(document: object) -> None:
    assert read_refusal(document) == "document"


def read_refusal(document: object) -> object:
    with pytest.raises(Refusal) as refused:
        series.read(document)
    assert refused.value.code == "bad_series_file"
    return refused.value.values["where"]


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("more", 1, "keys"),
        ("format", 91, "format"),
        ("format", "90", "format"),
        ("format", 90.0, "format"),
        ("format", True, "format"),
        ("format", [], "format"),
        ("rulebook", "atlantis-1", "rulebook"),
        ("rulebook", None, "rulebook"),
        ("rulebook", {}, "rulebook"),
        ("letter", "", "letter"),
        ("letter", 5, "letter"),
        ("letter", "ABCDEFGHI", "letter"),
        ("letter", "<b>", "letter"),
        ("letter", "\ud800", "letter"),
        ("cards", {}, "cards"),
        ("cards", [], "cards"),
        ("cards", [None], "cards[0]"),
        ("cards", [[[1] * 9, [1] * 9]], "cards[0]"),
        ("cards", [[[1] * 9, "123456789", [1] * 9]], "cards[0][1]"),
        ("cards", [[[1] * 9, [1] * 9, [1] * 8]], "cards[0][2]"),
    ],
)
def test_read_refuses_another_shape(
    good: dict[str, Any], key: str, value: object, where: str
) -> None:
    assert read_refusal(good | {key: value}) == where


@pytest.mark.parametrize("cell", [0, 91, -1, 1.0, "1", True, [], pytest.param(10**9999, id="huge")])
def test_read_refuses_a_cell_that_is_no_number_of_the_game(
    good: dict[str, Any], cell: object
) -> None:
    good["cards"][11][2][8] = cell

    assert read_refusal(good) == "cards[11][2][8]"


@pytest.mark.parametrize("key", ["format", "rulebook", "letter", "cards"])
def test_read_refuses_a_missing_key(good: dict[str, Any], key: str) -> None:
    del good[key]

    assert read_refusal(good) == "keys"


def test_read_refuses_a_format_its_rule_book_does_not_know(
    good: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {90: NINETY, 30: SMALL}
    monkeypatch.setattr("bingo.rules.formats.FORMATS", known)

    assert read_refusal(good | {"format": 30}) == "format"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(max_examples=40)
@given(st.sampled_from(["format", "rulebook", "letter", "cards"]), JSON)
def test_read_meets_any_json_with_a_refusal_or_a_series(key: str, value: object) -> None:
    document = copy.deepcopy(BASE) | {key: value}
    lawful = key == "letter" and isinstance(value, str) and value.isalnum() and len(value) <= 8

    if lawful:
        assert series.read(document)[2] == value
    else:
        assert str(read_refusal(document)).startswith(key)


BASE = series.document(emitted(2), format=NINETY, rulebook=CV, letter="Z")
