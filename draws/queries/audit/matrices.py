"""The stored card matrices, against their digests and what games and checks recorded of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from bingo.rules.refusal import Refusal
from draws.models import Card, Issue, Series
from draws.queries import fingerprint
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding

Rows = list[list[int | None]]
PUT_UP = ("game_opened", "issue_added")

Shown = dict[tuple[int, int], Rows]


def differing(hall: Hall) -> Iterator[Finding]:
    """Give every series of a hall whose cards are not those that were published, opened, checked."""
    for series in Series.objects.filter(hall=hall).order_by("pk"):
        if not _is_intact(series):
            yield Finding(hall.head_number, "series_differs", f"cards of {series}")
    issues = {
        issue.pk: issue.series for issue in Issue.objects.filter(hall=hall).select_related("series")
    }
    shown = _shown(hall, issues)
    told = _told(hall, *PUT_UP, "claim_checked")
    for entry in told.iterator(chunk_size=2_000):
        yield from _of_entry(entry, issues, shown)


def _is_intact(series: Series) -> bool:
    try:
        return fingerprint.is_intact(series)
    except (Refusal, TypeError):
        return False


def _told(hall: Hall, *kinds: str) -> QuerySet[JournalEntry]:
    return JournalEntry.objects.filter(hall=hall, kind__in=kinds).order_by("number")


def _shown(hall: Hall, issues: dict[int, Series]) -> Shown:
    """Give the stored rows of every card that was ever checked, by series and number."""
    numbers: dict[int, set[int]] = defaultdict(set)
    checked = _told(hall, "claim_checked").values_list("data__issue", "data__card")
    for issue, card in checked.iterator(chunk_size=2_000):
        if issue in issues:
            numbers[issues[issue].pk].add(card)
    return {
        (series, number): rows
        for series, wanted in numbers.items()
        for number, rows in Card.objects.filter(series=series, number__in=wanted).values_list(
            "number", "rows"
        )
    }


def _of_entry(entry: JournalEntry, issues: dict[int, Series], shown: Shown) -> Iterator[Finding]:
    data: dict[str, Any] = entry.data
    opened = entry.kind in PUT_UP
    series = issues.get(data["issue"]["issue"] if opened else data["issue"])
    if series is None:
        yield Finding(entry.number, "series_differs", "no such issue")
    elif opened and series.digest != data["matrix"]:
        yield Finding(entry.number, "series_differs", "matrix of the game")
    elif not opened and shown.get((series.pk, data["card"])) != data["rows"]:
        yield Finding(entry.number, "series_differs", f"card {data['card']}")
