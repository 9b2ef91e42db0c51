"""A stored series as a file, read a block of cards at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from bingo.rules import formats, rulebooks
from bingo.rules import series as rules
from bingo.rules.cards import Card as Rows
from draws.models import Card, Series
from draws.queries.fingerprint import as_rows

BLOCK = 2_000


def canonical(series: Series) -> Iterator[bytes]:
    """Give the canonical JSON whose SHA-256 is the series' digest."""
    before, opened, after = _written(_document(series, [])).partition('"cards":[')
    yield f"{before}{opened}".encode()
    between = ""
    for block in _blocks(series):
        cards = _written(_document(series, block)["cards"])
        yield f"{between}{cards[1:-1]}".encode()
        between = ","
    yield after.encode()


def table(series: Series) -> Iterator[bytes]:
    """Give the series as CSV, see docs/series.md."""
    cards = (card for block in _blocks(series) for card in block)
    format, book = formats.get(series.format), rulebooks.get(series.rulebook)
    yield rules.to_csv(cards, format=format, rulebook=book, letter=series.letter).encode()


def _blocks(series: Series) -> Iterator[list[Rows]]:
    for first in range(1, series.size + 1, BLOCK):
        found = Card.objects.filter(series=series, number__range=(first, first + BLOCK - 1))
        yield [as_rows(rows) for rows in found.order_by("number").values_list("rows", flat=True)]


def _document(series: Series, cards: Sequence[Rows]) -> dict[str, Any]:
    format, book = formats.get(series.format), rulebooks.get(series.rulebook)
    return rules.document(cards, format=format, rulebook=book, letter=series.letter)


def _written(value: object) -> str:
    """Write JSON as `bingo.rules.series.digest` does."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
