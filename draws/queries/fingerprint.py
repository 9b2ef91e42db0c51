"""The SHA-256 of a stored series, read in blocks: a hundred thousand cards never stand in memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from bingo.rules import formats, rulebooks
from bingo.rules import series as rules
from bingo.rules.cards import Card as Rows
from draws.models import Card, Series

BLOCK = 2_000


def is_intact(series: Series) -> bool:
    """Tell whether the stored cards are those that were published, each under its own number."""
    numbers = 0
    whole = hashlib.sha256()
    opening, closing = _frame(series)
    whole.update(opening)
    for block in _blocks(series):
        if [number for number, _rows in block] != list(
            range(numbers + 1, numbers + len(block) + 1)
        ):
            return False
        whole.update(b"," if numbers else b"")
        whole.update(_cards(series, [rows for _number, rows in block]))
        numbers += len(block)
    whole.update(closing)
    return numbers == series.size and whole.hexdigest() == series.digest


def _blocks(series: Series) -> Iterator[list[tuple[int, Rows]]]:
    """Give the cards by number, in blocks; also those under numbers that should not be there."""
    last = -1
    while True:
        found = Card.objects.filter(series=series, number__gt=last).order_by("number")[:BLOCK]
        block = [(number, as_rows(rows)) for number, rows in found.values_list("number", "rows")]
        if not block:
            return
        yield block
        last = block[-1][0]


def as_rows(stored: Iterable[Iterable[int | None]]) -> Rows:
    """Give a stored card's rows as the rules know them."""
    return tuple(tuple(row) for row in stored)


def _frame(series: Series) -> tuple[bytes, bytes]:
    """Give the canonical JSON before and after the cards."""
    before, _none, after = _canonical(_document(series, [])).partition('"cards":[]')
    return f'{before}"cards":['.encode(), f"]{after}".encode()


def _cards(series: Series, cards: list[Rows]) -> bytes:
    return _canonical(_document(series, cards)["cards"])[1:-1].encode()


def _document(series: Series, cards: list[Rows]) -> dict[str, Any]:
    return rules.document(
        cards,
        format=formats.get(series.format),
        rulebook=rulebooks.get(series.rulebook),
        letter=series.letter,
    )


def _canonical(value: object) -> str:
    """Write JSON as `bingo.rules.series.digest` does."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
