"""A series as CSV: what it looks like, and what is not taken for it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import rulebooks, series, series_files
from bingo.rules.formats import FORMATS, SEVENTY_FIVE, THIRTY, Format
from bingo.rules.refusal import Refusal

CV = rulebooks.get("cape-verde-2017")
SERIES = {
    format.highest: series.emit(12, format=format, rulebook=CV, rng=random.Random(7))
    for format in FORMATS.values()
}


def written(format: Format) -> str:
    return series_files.to_csv(SERIES[format.highest], format=format, rulebook=CV, letter="Z")


SMALL = """\
format,30
rulebook,cape-verde-2017
letter,Z
card,r1c1,r1c2,r1c3,r2c1,r2c2,r2c3,r3c1,r3c2,r3c3
1,1,11,21,2,12,22,3,13,23
2,4,14,24,5,15,25,6,16,26
"""
CARDS = (
    ((1, 11, 21), (2, 12, 22), (3, 13, 23)),
    ((4, 14, 24), (5, 15, 25), (6, 16, 26)),
)


def where(text: str) -> object:
    with pytest.raises(Refusal) as refused:
        series_files.from_csv(text)
    assert refused.value.code == "bad_series_file"
    return refused.value.values["where"]


def test_csv_looks_as_described() -> None:
    assert series_files.to_csv(CARDS, format=THIRTY, rulebook=CV, letter="Z") == SMALL
    assert series_files.from_csv(SMALL) == (THIRTY, CV, "Z", CARDS)


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_csv_is_read_back_with_the_same_digest_as_json(format: Format) -> None:
    drawn = SERIES[format.highest]
    text = series_files.to_json(drawn, format=format, rulebook=CV, letter="Z")

    assert series_files.from_csv(written(format)) == (format, CV, "Z", drawn)
    assert digest_of(written(format)) == digest_of(text)


def digest_of(text: str) -> str:
    format, book, letter, cards = series.parse(text)
    return series_files.series_document_digest(
        series_files.document(cards, format=format, rulebook=book, letter=letter)
    )


@pytest.mark.rule(72)
def test_free_centre_is_a_star_and_nothing_else() -> None:
    text = written(SEVENTY_FIVE)

    assert text.count("*") == 12
    assert where(text.replace(",*,", ",,", 1)) == "5:r3c3"
    assert where(text.replace(",*,", ",35,", 1)) == "5:r3c3"
    assert where(text.replace(",*,", ",**,", 1)) == "5:r3c3"
    assert where(SMALL.replace(",12,", ",*,")) == "5:r2c2"


def test_lines_may_end_as_on_windows_and_the_last_without_an_end() -> None:
    assert series_files.from_csv(SMALL.replace("\n", "\r\n")) == series_files.from_csv(SMALL)
    assert series_files.from_csv(SMALL.removesuffix("\n")) == series_files.from_csv(SMALL)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("format,30", "\ufeffformat,30", "format"),
        ("format,30", "format,31", "format"),
        ("format,30", "format,030", "format"),
        ("format,30", "format, 30", "format"),
        ("format,30", "format,٣٠", "format"),
        ("format,30", "format;30", "format"),
        ("format,30", "format,80", "4:card"),
        ("rulebook,cape-verde-2017", "rulebook,atlantis", "rulebook"),
        ("rulebook,cape-verde-2017", "rulebook,spain-1979", "format"),
        ("letter,Z", "letter,z", "letter"),
        ("letter,Z", "letter,", "letter"),
        ("letter,Z", 'letter,"Z"', "letter"),
        ("r1c1,r1c2", "r1c2,r1c1", "4:card"),
        ("1,1,11", "2,1,11", "5:card"),
        ("1,1,11", "01,1,11", "5:card"),
        ("\n2,4", "\n1,4", "6:card"),
        ("\n2,4", "\n\n2,4", "6:card"),
        (",23\n", ",23,\n", "5:card"),
        (",23\n", "\n", "5:card"),
        (",23\n", ",31\n", "5:r3c3"),
        (",23\n", ",0\n", "5:r3c3"),
        (",23\n", ",-1\n", "5:r3c3"),
        (",23\n", ",+23\n", "5:r3c3"),
        (",23\n", ",23.0\n", "5:r3c3"),
        (",23\n", ", 23\n", "5:r3c3"),
        (",23\n", ",023\n", "5:r3c3"),
        (",23\n", ",٢٣\n", "5:r3c3"),
        (",23\n", ",²\n", "5:r3c3"),
        (",23\n", ",=1+1\n", "5:r3c3"),
        (",23\n", ',"23"\n', "5:r3c3"),
        (",23\n", ",23\r\r\n", "5:r3c3"),
        (",23\n", ",23\x0b\n", "5:r3c3"),
        (",16,26\n", ",16,26\n\n", "7:card"),
    ],
)
def test_other_text_is_refused_with_its_place(old: str, new: str, place: str) -> None:
    assert old in SMALL
    assert where(SMALL.replace(old, new, 1)) == place


def test_file_without_cards_is_refused() -> None:
    lines = SMALL.splitlines(keepends=True)
    for kept in range(5):
        assert where("".join(lines[:kept])) == f"{max(kept, 1) + 1}:card"


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(SMALL)), st.text(max_size=3))
def test_any_text_is_a_refusal_or_a_series(at: int, put: str) -> None:
    found = outcome(SMALL[:at] + put + SMALL[at + len(put) :])

    if isinstance(found, Refusal):
        assert found.code == "bad_series_file"
    else:
        assert len(found[3]) in (1, 2)


def outcome(text: str) -> series_files.Series | Refusal:
    try:
        return series_files.from_csv(text)
    except Refusal as refused:
        return refused
