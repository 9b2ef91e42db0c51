"""The document of a series: written, hashed, and read back without trust."""

import copy
import hashlib
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import rulebooks, series, series_files
from bingo.rules.formats import FORMATS, NINETY, SEVENTY_FIVE, Format
from bingo.rules.refusal import Refusal

CV = rulebooks.get("cape-verde-2017")
SERIES = {
    format.highest: series.emit(12, format=format, rulebook=CV, rng=random.Random(7))
    for format in FORMATS.values()
}


def written(format: Format = NINETY) -> dict[str, Any]:
    """A series of twelve as plain JSON values, fresh for each test."""
    return series_files.document(SERIES[format.highest], format=format, rulebook=CV, letter="Z")


def read_refusal(document: object) -> object:
    with pytest.raises(Refusal) as refused:
        series_files.read_series_document(document)
    assert refused.value.code == "bad_series_file"
    return refused.value.values["where"]


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_document_is_read_back_through_json(format: Format) -> None:
    document = written(format)

    assert series_files.read_series_document(json.loads(json.dumps(document))) == (
        format, CV, "Z", SERIES[format.highest]
    )  # fmt: skip
    assert (document["format"], document["rulebook"]) == (format.highest, "cape-verde-2017")


@pytest.mark.rule(72)
def test_free_centre_is_a_star_in_the_file_and_none_in_the_card() -> None:
    for card, told in zip(SERIES[75], written(SEVENTY_FIVE)["cards"], strict=True):
        assert (card[2][2], told[2][2]) == (None, "*")
        assert sum(cell == "*" for row in told for cell in row) == 1


def test_blank_of_ninety_is_null_in_the_file() -> None:
    assert written()["cards"][0] == [list(row) for row in SERIES[90][0]]


def test_digest_is_that_of_canonical_json() -> None:
    text = '{"cards":[[[1,null]]],"format":90,"letter":"Ñ","rulebook":"r"}'
    document = {"rulebook": "r", "letter": "Ñ", "format": 90, "cards": [[[1, None]]]}

    assert (
        series_files.series_document_digest(document) == hashlib.sha256(text.encode()).hexdigest()
    )


def test_writing_leaves_the_cards_as_they_were() -> None:
    before = copy.deepcopy(SERIES[75])
    written(SEVENTY_FIVE)

    assert SERIES[75] == before


def test_reading_leaves_the_document_as_it_was() -> None:
    document = written(SEVENTY_FIVE)
    series_files.read_series_document(document)

    assert document == written(SEVENTY_FIVE)


@pytest.mark.parametrize("document", [None, [], "cards", 90, True, 1.5])
def test_read_refuses_what_is_no_object(document: object) -> None:
    assert read_refusal(document) == "document"


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
        ("letter", "ABCDEF", "letter"),
        ("letter", "<b>", "letter"),
        ("letter", "k", "letter"),
        ("letter", "K\n", "letter"),
        pytest.param("letter", "К", "letter", id="cyrillic"),
        pytest.param("letter", "٣", "letter", id="arabic digit"),
        ("letter", "\ud800", "letter"),
        ("cards", {}, "cards"),
        ("cards", [], "cards"),
        ("cards", [None], "cards[0]"),
        ("cards", [[[1] * 9, [1] * 9]], "cards[0]"),
        ("cards", [[[1] * 9, "123456789", [1] * 9]], "cards[0][1]"),
        ("cards", [[[1] * 9, [1] * 9, [1] * 8]], "cards[0][2]"),
    ],
)
def test_read_refuses_another_shape(key: str, value: object, where: str) -> None:
    assert read_refusal(written() | {key: value}) == where


@pytest.mark.parametrize(
    "cell",
    [0, 91, -1, 1.0, float("nan"), "1", "*", "٣", True, False, [], {},
     pytest.param(10**9999, id="huge")],
)  # fmt: skip
def test_read_refuses_a_cell_that_is_no_number_of_the_game(cell: object) -> None:
    document = written()
    document["cards"][11][2][8] = cell

    assert read_refusal(document) == "cards[11][2][8]"


@pytest.mark.rule(71)
@pytest.mark.parametrize("cell", [None, 0, 35, "", "**", "X", True, ["*"]])
def test_read_refuses_a_centre_that_is_no_star(cell: object) -> None:
    document = written(SEVENTY_FIVE)
    document["cards"][3][2][2] = cell

    assert read_refusal(document) == "cards[3][2][2]"


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_read_refuses_a_star_anywhere_but_in_the_centre(format: Format) -> None:
    document = written(format)
    document["cards"][0][1][0] = "*"

    assert read_refusal(document) == "cards[0][1][0]"


@pytest.mark.parametrize("key", ["format", "rulebook", "letter", "cards"])
def test_read_refuses_a_missing_key(key: str) -> None:
    document = written()
    del document[key]

    assert read_refusal(document) == "keys"


@pytest.mark.parametrize("format", [80, 75, 30])
def test_read_refuses_a_format_its_rule_book_does_not_know(format: int) -> None:
    document = written(FORMATS[format]) | {"rulebook": "spain-1979"}

    assert read_refusal(document) == "format"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["rulebook", "format", "letter", "cards"]), JSON)
def test_read_meets_any_json_with_a_refusal_or_a_series(key: str, value: object) -> None:
    found = outcome(written() | {key: value})

    if isinstance(found, Refusal):
        assert found.code == "bad_series_file"
        assert str(found.values["where"]).startswith(key)
    else:
        assert (key, found[2]) == ("letter", value)


def outcome(document: object) -> series_files.Series | Refusal:
    try:
        return series_files.read_series_document(document)
    except Refusal as refused:
        return refused
