"""A stranger's series, in whichever of the two formats it came."""

import random
import re
from pathlib import Path

import pytest

from bingo.rules import rulebooks, series, series_files
from bingo.rules.formats import FORMATS, Format
from bingo.rules.refusal import Refusal

CV = rulebooks.get("cape-verde-2017")
DESCRIBED = Path(__file__).resolve().parents[2] / "docs" / "series.md"


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_parse_tells_csv_from_json(format: Format) -> None:
    drawn = series.emit(7, format=format, rulebook=CV, rng=random.Random(1))
    for written in (series_files.to_csv, series_files.to_json):
        text = written(drawn, format=format, rulebook=CV, letter="Z")
        assert series.parse(text) == (format, CV, "Z", drawn)


@pytest.mark.parametrize("text", ["", "\ufeffformat,90\n", "card,1", "%PDF-1.7", "Format,90"])
def test_parse_refuses_what_is_neither(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        series.parse(text)
    assert refused.value == Refusal("bad_series_file", where="1:1")


def test_examples_of_the_documentation_are_one_series_with_the_digest_it_tells() -> None:
    text = DESCRIBED.read_text(encoding="utf-8")
    examples = re.findall(r"```(?:json)?\n((?:\{|format,).*?)```", text, re.DOTALL)
    digests = re.findall(r"`([0-9a-f]{64})`", text)

    assert len(examples) == 2
    for example in examples:
        format, book, letter, cards = series.parse(example)
        document = series_files.document(cards, format=format, rulebook=book, letter=letter)
        assert series_files.series_document_digest(document) == digests[0]
        assert series.faults(cards, format=format, rulebook=book) == ()


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
@pytest.mark.parametrize("columns", [False, True])
def test_bounds_of_the_documentation_are_those_of_the_rules(format: Format, columns: bool) -> None:
    if columns and not format.full:
        return
    limit, bound = series.limit(format, columns)
    name = f"{format.highest} with columns" if columns else str(format.highest)

    (told,) = re.findall(
        rf"\| {name} \| `(\w+)`.*\| ([\d,]+) \|\n", DESCRIBED.read_text(encoding="utf-8")
    )
    assert told == (bound, f"{limit:,}")
