"""Read stored series: their cards, files and digests, and whether two share a card (R14, R38 c).

The SHA-256 of a stored series is that of the published JSON document (R14), read in blocks: a
hundred thousand cards never stand in memory. Cards are read a page or a strip at a time. A file on
disk is read without trust, and written whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from bingo import plain_files
from bingo.rules import formats, rulebooks, series_files
from bingo.rules.cards import Card as Rows
from draws.cards import stock_queries
from draws.cards.stock_queries import Counted
from draws.models import Card, Issue, Series


def document(published: Series) -> dict[str, Any]:
    """Return a series' cards in order, as `bingo.rules.series_files.document` does."""
    rows = published.cards.order_by("number").values_list("rows", flat=True)
    return _document(published, tuple(as_rows(card) for card in rows))


def _document(series: Series, cards: Sequence[Rows]) -> dict[str, Any]:
    format, book = formats.get_format(series.format), rulebooks.get(series.rulebook)
    return series_files.document(cards, format=format, rulebook=book, letter=series.letter)


BLOCK = 2_000


def is_intact(series: Series) -> bool:
    """Return whether the stored cards are those that were published, each under its own number."""
    count, stray = 0, False

    def in_order() -> Iterator[list[Rows]]:
        nonlocal count, stray
        for block in _blocks(series):
            numbers = range(count + 1, count + len(block) + 1)
            stray = stray or [number for number, _rows in block] != list(numbers)
            if stray:
                return
            count += len(block)
            yield [rows for _number, rows in block]

    whole = hashlib.sha256()
    for piece in _pieces(series, in_order()):
        whole.update(piece)
    return not stray and count == series.size and whole.hexdigest() == series.digest


def _blocks(series: Series) -> Iterator[list[tuple[int, Rows]]]:
    """Return the cards by number, in blocks; also those under numbers that should not be there."""
    last = -1
    while True:
        found = Card.objects.filter(series=series, number__gt=last).order_by("number")[:BLOCK]
        block = [(number, as_rows(rows)) for number, rows in found.values_list("number", "rows")]
        if not block:
            return
        yield block
        last = block[-1][0]


def as_rows(stored: Iterable[Iterable[int | None]]) -> Rows:
    """Return a stored card's rows as the rules know them."""
    return tuple(tuple(row) for row in stored)


def canonical(series: Series) -> Iterator[bytes]:
    """Return the canonical JSON whose SHA-256 is the series' digest."""
    return _pieces(series, ([rows for _number, rows in block] for block in _blocks(series)))


def _pieces(series: Series, blocks: Iterable[list[Rows]]) -> Iterator[bytes]:
    """Return a series as canonical JSON, a block of its cards at a time."""
    before, opened, after = _canonical(_document(series, [])).partition('"cards":[')
    yield f"{before}{opened}".encode()
    between = ""
    for block in blocks:
        cards = _canonical(_document(series, block)["cards"])
        yield f"{between}{cards[1:-1]}".encode()
        between = ","
    yield after.encode()


def _canonical(value: object) -> str:
    """Write JSON as `bingo.rules.series_files.series_document_digest` does."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def series_file_table(series: Series) -> Iterator[bytes]:
    """Return the series as CSV, see docs/series.md."""
    cards = (rows for block in _blocks(series) for _number, rows in block)
    format, book = formats.get_format(series.format), rulebooks.get(series.rulebook)
    yield series_files.to_csv(cards, format=format, rulebook=book, letter=series.letter).encode()


def first(series: Series, other: Series) -> int | None:
    """Return the first card of a series whose numbers a card of the other has too, None without one."""
    known = {numbers for _card, numbers in _sets(other)}
    return next((card for card, numbers in _sets(series) if numbers in known), None)


def _sets(series: Series) -> list[tuple[int, frozenset[int]]]:
    cards = Card.objects.filter(series=series).order_by("number").values_list("number", "rows")
    return [
        (card, frozenset(number for row in rows for number in row if number))
        for card, rows in cards
    ]


def between(series: Series, first: int, last: int) -> list[Card]:
    """Return the cards first..last in order, as many of them as there are."""
    return list(Card.objects.filter(series=series, number__range=(first, last)).order_by("number"))


def strip(series: Series, number: int, *, length: int) -> tuple[int, int]:
    """Return the first and last card of the strip that a card belongs to."""
    first = (number - 1) // length * length + 1
    return first, min(first + length - 1, series.size)


def issues(series: Series, *, most: int) -> list[Counted]:
    """Return the newest issues that carry these cards, counted, at most so many."""
    found = Issue.objects.filter(series=series).select_related("series")
    return list(stock_queries.counted(found).order_by("-pk")[:most])


LARGEST = 256 * 2**20
UNREADABLE = 2  # exit code


def read_series_path(file: Path) -> str:
    """Return a file's text. Raises CommandError (exit code 2) in one plain line.

    Refuses what is no plain file, is larger than `LARGEST` bytes (before reading any) or is not
    UTF-8.
    """
    try:
        with plain_files.opened(file) as stream:
            if os.fstat(stream.fileno()).st_size > LARGEST:
                raise _unreadable(file, f"it is larger than {LARGEST >> 20} MiB")
            data = stream.read(LARGEST + 1)
    except OSError as error:
        raise _unreadable(file, str(error.strerror)) from error
    if len(data) > LARGEST:
        raise _unreadable(file, f"it is larger than {LARGEST >> 20} MiB")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _unreadable(file, f"byte {error.start + 1} is not UTF-8") from error


def _unreadable(file: Path, why: str) -> CommandError:
    return CommandError(f"{file} cannot be read: {why}", returncode=UNREADABLE)
