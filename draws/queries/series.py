"""A stored series as the JSON document that is published and hashed (R14)."""

from typing import Any

from bingo.rules import formats, rulebooks, series
from draws.models import Series


def document(published: Series) -> dict[str, Any]:
    """Give a series' cards in order, as `bingo.rules.series.document` does."""
    rows = published.cards.order_by("number").values_list("rows", flat=True)
    cards = tuple(tuple(tuple(row) for row in card) for card in rows)
    return series.document(
        cards,
        format=formats.get(published.format),
        rulebook=rulebooks.get(published.rulebook),
        letter=published.letter,
    )
