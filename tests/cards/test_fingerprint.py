"""Stored cards against the digest they were published under."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from bingo.rules import series_files
from draws.cards import series_queries
from draws.cards.series_queries import document, is_intact
from draws.models import Card, Series
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.fingerprint import CHANGES, plant

# One card a block, an even number of blocks, a block that is not full, one block.
BLOCKS = (1, 45, 7, 90, 2_000)


@pytest.mark.rule(14)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.django_db
def test_published_series_is_intact(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_queries, "BLOCK", block)
    series = Evening().issue().series
    assert is_intact(series)
    assert not is_intact(Series(pk=series.pk, digest="0" * 64, **shape(series)))
    assert not is_intact(Series(pk=series.pk, digest=series.digest, **shape(series) | {"size": 89}))
    assert not is_intact(
        Series(pk=series.pk, digest=series.digest, **shape(series) | {"letter": "B"})
    )


@pytest.mark.django_db
def test_series_without_its_cards_is_not_intact() -> None:
    series = Evening().issue().series
    empty = Series.objects.create(
        hall=series.hall, digest="1" * 64, published_at=series.published_at, version=7,
        **shape(series),
    )  # fmt: skip
    assert not is_intact(empty)


@pytest.mark.rule(14)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.slow
def test_series_that_was_changed_is_not_intact(
    fresh_database: FreshDatabase, owner_connection: psycopg.Connection[Any], change: str
) -> None:
    series = Evening().issue().series
    plant(owner_connection, change)
    assert not is_intact(series)


@pytest.mark.rule(71)
@pytest.mark.parametrize(
    ("format", "card"),
    [
        (75, [[1, 16, 31, 46, 61]] * 2 + [[2, 17, None, 47, 62]] + [[3, 18, 32, 48, 63]] * 2),
        (80, [[1, 21, 41, 61]] * 4),
        (30, [[1, 11, 21]] * 3),
    ],
)
@pytest.mark.django_db
def test_series_of_every_format_has_the_digest_of_its_document(
    format: int, card: list[list[int | None]]
) -> None:
    series = Evening().issue().series
    stored = Series.objects.create(
        hall=series.hall, format=format, rulebook=series.rulebook, letter="A", size=3,
        digest="2" * 64, published_at=series.published_at,
    )  # fmt: skip
    Card.objects.bulk_create(Card(series=stored, number=one, rows=card) for one in (1, 2, 3))
    stored.digest = series_files.series_document_digest(document(stored))
    assert is_intact(stored)


def shape(series: Series) -> dict[str, Any]:
    """Return what a series is, apart from its cards."""
    names = ("format", "rulebook", "letter", "size")
    return {name: getattr(series, name) for name in names}
