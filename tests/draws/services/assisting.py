"""What floor assistants do in the hall of the tests."""

from __future__ import annotations

from typing import Any

from draws.models import CardCollection, CarriedCard
from draws.services import assistants
from tests.draws.views.evening import Evening


def carry(evening: Evening, who: dict[str, Any], *, card: int = 1, place: str = "") -> CarriedCard:
    """Bring a card of the first issue to the table."""
    return assistants.carry(game=evening.game, issue=evening.issue(), card=card, place=place, **who)


def collect(evening: Evening, who: dict[str, Any], *, cards: int = 3) -> CardCollection:
    """Collect used cards of the evening's game."""
    return assistants.collect(game=evening.game, cards=cards, **who)
