"""Taking a series in from a file: all of it or nothing, and its faults in words."""

from __future__ import annotations

import html
import json
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from bingo.rules import formats, rulebooks, series, series_files
from draws.models import Series
from halls.models import Person
from tests.support.evening import Evening, books
from tests.support.planting_rows import plant
from tests.support.service_commands.cards import foreign

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("portuguese")]


def matrix_file(seed: str, *, csv: bool = False, size: int = 90, spoil: bool = False) -> bytes:
    """A file of series A as another program would write it."""
    kind, book = formats.get_format(90), rulebooks.get("cape-verde-2017")
    cards = series.emit(size, format=kind, rulebook=book, rng=Random(seed))
    if spoil:
        cards = (cards[1], *cards[1:])
    write = series_files.to_csv if csv else series_files.to_json
    return write(cards, format=kind, rulebook=book, letter="A").encode()


def sent(client: Client, content: bytes | None) -> HttpResponse:
    """Send a file, or none, to be taken in."""
    fields: dict[str, Any] = {"key": str(uuid4())}
    if content is not None:
        fields["file"] = SimpleUploadedFile("serie", content)
    answer: HttpResponse = client.post("/cards/series/take-in/do/take-in/", fields)  # type: ignore[assignment]
    return answer


@pytest.mark.rule(14)
@pytest.mark.parametrize("csv", [False, True])
def test_file_of_a_series_is_taken_in(csv: bool) -> None:
    answer = sent(Evening().at("manager"), matrix_file("1", csv=csv))
    taken = Series.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, f"/cards/series/{taken.pk}/")
    assert (taken.source, taken.letter, taken.size) == ("imported", "A", 90)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, "file_missing"), (b"", "bad_series_file"), (b"\xff\xfe", "bad_series_file"),
        (b"[" * 100_000, "bad_series_file"), (b"{}", "bad_series_file"), (b"NaN", "bad_series_file"),
        (matrix_file("2", spoil=True), "series_faulty"),
        (matrix_file("2", size=84), "size_not_of_letter"),
    ],
    ids=["none", "empty", "not-utf8", "deep", "keys", "nan", "repeated", "size"],
)  # fmt: skip
def test_bad_file_is_refused_and_nothing_is_stored(content: bytes | None, code: str) -> None:
    evening = Evening()
    before = books(evening.hall)
    answer = sent(evening.at("manager"), content)
    assert answer.status_code == 409
    assert f'data-code="{code}"' in answer.content.decode()
    assert books(evening.hall) == before
    assert Series.objects.count() == 1


def changed(at: str, to: str, *, csv: bool = False) -> bytes:
    """A good file with something in it replaced, once."""
    return matrix_file("2", csv=csv).decode().replace(at, to, 1).encode()


def square(card: int, row: int, column: int, value: int, *, csv: bool = False) -> bytes:
    """A good file with one square of a card, all counted from 1, replaced."""
    if csv:
        lines = matrix_file("2", csv=True).decode().split("\n")
        told = lines[3 + card].split(",")
        told[(row - 1) * 9 + column] = str(value)
        lines[3 + card] = ",".join(told)
        return "\n".join(lines).encode()
    made = json.loads(matrix_file("2"))
    made["cards"][card - 1][row - 1][column - 1] = value
    return json.dumps(made).encode()


def centre(told: str, *, csv: bool = False) -> bytes:
    """A file of the game of 75 with something else in the free centre of its first card."""
    text = foreign("2", format=75)
    if csv:
        format, book, letter, cards = series_files.from_json(text)
        text = series_files.to_csv(cards, format=format, rulebook=book, letter=letter)
    return text.replace("*" if csv else '"*"', told, 1).encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "is no text"),
        (b"\xef\xbb\xbf" + matrix_file("2"), "byte order mark"),
        (matrix_file("2", csv=True).replace(b",", b";"), "with commas"),
        (b"<svg/>", "no series as JSON or CSV: line 1, sign 1"),
        (b"[]", "no series as JSON or CSV"),
        (b"{}", "must say format, rulebook, letter and cards"),
        (changed("format,90", "format,91", csv=True), "“format” is missing or unknown"),
        (changed('"letter":"A"', '"letter":7'), "“letter” is missing or unknown"),
        (changed("r1c1", "x", csv=True), "The heading above the cards"),
        (square(12, 2, 8, 91), "Card 12, row 2, column 8: 91 is no number of this game"),
        (square(12, 2, 8, 91, csv=True), "Card 12, row 2, column 8: 91 is no number of this game"),
        *(
            (content, "Card 1, row 3, column 3: this square is free, and * is written in it")
            for content in (centre("40"), centre("null"), centre("40", csv=True))
        ),
    ],
)
def test_bad_file_is_told_to_people_in_words_with_its_place(content: bytes, said: str) -> None:
    client = Evening().at("manager")
    plant(Person.objects.all(), language="en")
    answer = sent(client, content)
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 409
    assert said in page
    assert "Place in the file:" in page
    assert "docs/series.md" not in page
