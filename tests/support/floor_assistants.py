"""What floor assistants do in the hall of the tests."""

from __future__ import annotations

from typing import Any

from draws.claims import services as claims_services
from draws.models import CardCollection, CarriedCard
from tests.support.evening import Evening


def carry(evening: Evening, who: dict[str, Any], *, card: int = 1, place: str = "") -> CarriedCard:
    """Bring a card of the first issue to the table."""
    return claims_services.carry(
        game=evening.game, issue=evening.issue(), card=card, place=place, **who
    )


def collect(evening: Evening, who: dict[str, Any], *, cards: int = 3) -> CardCollection:
    """Collect used cards of the evening's game."""
    return claims_services.collect(game=evening.game, cards=cards, **who)
