"""The stored card matrices, against their digests and what games and checks recorded of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Max, Min

from bingo.rules import series as rules
from bingo.rules.refusal import Refusal
from draws.models import Issue, Series
from draws.queries.series import document
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding

Rows = list[list[int | None]]


def differing(hall: Hall) -> Iterator[Finding]:
    """Give every series of a hall whose cards are not those that were published, opened, checked."""
    issues: dict[int, Series] = {
        issue.pk: issue.series
        for issue in Issue.objects.filter(hall=hall).select_related("series").order_by("pk")
    }
    cards: dict[int, list[Rows]] = {}
    for series in {series.pk: series for series in issues.values()}.values():
        cards[series.pk] = _cards(series)
        if not cards[series.pk]:
            yield Finding(hall.head_number, "series_differs", f"cards of {series}")
    told = JournalEntry.objects.filter(hall=hall, kind__in=["game_opened", "claim_checked"])
    for entry in told.order_by("number").iterator(chunk_size=2_000):
        yield from _of_entry(entry, issues, cards)


def _cards(series: Series) -> list[Rows]:
    """Give the cards in order; none when they are not the published ones."""
    numbers = series.cards.aggregate(Min("number"), Max("number"), Count("pk"))
    if list(numbers.values()) != [1, series.size, series.size]:
        return []
    try:
        matrix = document(series)
    except Refusal:
        return []
    cards: list[Rows] = matrix["cards"]
    return cards if rules.digest(matrix) == series.digest else []


def _of_entry(
    entry: JournalEntry, issues: dict[int, Series], cards: dict[int, list[Rows]]
) -> Iterator[Finding]:
    data: dict[str, Any] = entry.data
    opened = entry.kind == "game_opened"
    series = issues.get(data["issue"]["issue"] if opened else data["issue"])
    if series is None:
        yield Finding(entry.number, "series_differs", "no such issue")
    elif opened and series.digest != data["matrix"]:
        yield Finding(entry.number, "series_differs", "matrix of the game")
    elif not opened and cards[series.pk][data["card"] - 1 : data["card"]] != [data["rows"]]:
        yield Finding(entry.number, "series_differs", f"card {data['card']}")
