"""The JSON text of a series, parsed more strictly than JSON asks."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import rulebooks, series, series_files
from bingo.rules.formats import FORMATS, NINETY, Format
from bingo.rules.refusal import Refusal

CV = rulebooks.get("cape-verde-2017")
SERIES = {
    format.highest: series.emit(12, format=format, rulebook=CV, rng=random.Random(7))
    for format in FORMATS.values()
}
TEXT = series_files.to_json(SERIES[90], format=NINETY, rulebook=CV, letter="Z")


def where(text: str) -> object:
    with pytest.raises(Refusal) as refused:
        series_files.from_json(text)
    assert refused.value.code == "bad_series_file"
    return refused.value.values["where"]


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_json_is_read_back(format: Format) -> None:
    drawn = SERIES[format.highest]
    text = series_files.to_json(drawn, format=format, rulebook=CV, letter="Z")

    assert series_files.from_json(text) == (format, CV, "Z", drawn)
    assert json.loads(text) == series_files.document(drawn, format=format, rulebook=CV, letter="Z")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "1:1"),
        ("\ufeff" + TEXT, "1:1"),
        (TEXT[:-3], f"1:{len(TEXT) - 2}"),
        (TEXT + "x", "2:1"),
        (TEXT.replace("[", "[\n", 1) + TEXT, "3:1"),
        ("{'format': 90}", "1:2"),
        ('{"format": 090}', "1:13"),
        ('{"format": ٩٠}', "1:12"),
        ('{"format": +90}', "1:12"),
        ('{"format": 90,}', "1:15"),
        ('{"format": 0x5a}', "1:13"),
        ('{"letter": "\n"}', "1:13"),
    ],
)
def test_what_is_no_json_is_refused_with_line_and_column(text: str, place: str) -> None:
    assert where(text) == place


@pytest.mark.parametrize("key", ["format", "rulebook", "letter", "cards"])
def test_key_given_twice_is_refused(key: str) -> None:
    value = json.dumps(json.loads(TEXT)[key])

    assert where(TEXT.replace("{", f'{{"{key}":{value},', 1)) == key


def test_stranger_s_key_given_twice_is_not_repeated() -> None:
    assert where('{"\x1b[2J":1,"\x1b[2J":2}'.replace("\x1b", "\\u001b")) == "keys"


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1.0", "1e1", "true", "-0"])
def test_what_is_no_whole_number_is_refused_at_its_place(value: str) -> None:
    first = str(SERIES[90][0][0][0] or "null")
    text = TEXT.replace(f"[[[{first},", f"[[[{value},", 1)

    assert text != TEXT
    assert where(text) == "cards[0][0][0]"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[" * 100_000, "1:5"),
        ('{"cards":\n[' + '{"a":[' * 50_000, "2:8"),
        ('{"letter":"[[[[[[",\n"cards":' + "[" * 100_000, "2:12"),
    ],
)
def test_endless_nesting_is_refused_where_a_fifth_level_begins(text: str, place: str) -> None:
    assert where(text) == place


def test_level_too_many_is_refused_at_its_cell() -> None:
    document = json.loads(TEXT)
    document["cards"][1][2][3] = [[[]]]
    assert where(json.dumps(document)) == "cards[1][2][3]"


def test_endless_number_is_refused_at_its_place() -> None:
    assert where('{"format":\n ' + "9" * 5000 + "}") == "2:2"
    assert where(TEXT.replace("90", "9" * 4000, 1)) == "format"


def test_file_of_nothing_but_brackets_is_refused_before_it_fills_the_memory() -> None:
    assert where("[" + "[]," * series_files.SMALL + "[]]") == "document"
    assert where("[" + "{}," * series_files.SMALL + "{}]") == "document"


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_no_series_has_so_many_brackets(format: Format) -> None:
    text = series_files.to_json(SERIES[format.highest], format=format, rulebook=CV, letter="Z")

    assert text.count("[") * series_files.DENSEST < len(text)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.text() | st.text(alphabet='{}[]":,0123456789nul*\\ \n', max_size=60))
def test_any_text_is_a_refusal(text: str) -> None:
    where(text)
