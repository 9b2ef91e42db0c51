"""Whether two matrices have a card in common (R38 c)."""

from __future__ import annotations

from draws.models import Card, Series


def first(series: Series, other: Series) -> int | None:
    """Give the first card of a series whose numbers a card of the other has too, None without one."""
    known = {numbers for _card, numbers in _sets(other)}
    return next((card for card, numbers in _sets(series) if numbers in known), None)


def _sets(series: Series) -> list[tuple[int, frozenset[int]]]:
    cards = Card.objects.filter(series=series).order_by("number").values_list("number", "rows")
    return [
        (card, frozenset(number for row in rows for number in row if number))
        for card, rows in cards
    ]
