"""The cards of a published matrix, a page or a strip at a time."""

from __future__ import annotations

from draws.models import Card, Issue, Series
from draws.queries import shelf
from draws.queries.shelf import Counted


def between(series: Series, first: int, last: int) -> list[Card]:
    """Give the cards first..last in order, as many of them as there are."""
    return list(Card.objects.filter(series=series, number__range=(first, last)).order_by("number"))


def strip(series: Series, number: int, *, length: int) -> tuple[int, int]:
    """Give the first and last card of the strip that a card belongs to."""
    first = (number - 1) // length * length + 1
    return first, min(first + length - 1, series.size)


def issues(series: Series, *, most: int) -> list[Counted]:
    """Give the newest issues that carry these cards, counted, at most so many."""
    found = Issue.objects.filter(series=series).select_related("series")
    return list(shelf.counted(found).order_by("-pk").prefetch_related("retirements")[:most])
