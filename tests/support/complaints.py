"""Complaints as the tests open and decide them."""

from __future__ import annotations

from typing import Any

from draws.complaints import services as complaints_services
from draws.models import Complaint
from halls.models import Role
from tests.support.evening import Evening

TEXT = "A linha não foi ouvida"


def opened(
    evening: Evening,
    who: dict[str, Any],
    *,
    text: str = TEXT,
    ball: int | None = 3,
    card: int | None = 2,
    **named: Any,
) -> Complaint:
    """Open a complaint about a ball and a card of the game."""
    issue = None if card is None else evening.issue().pk
    asked = {"session": evening.session, "game": evening.game, "issue": issue, "card": card}
    return complaints_services.open_complaint(**asked | {"text": text, "ball": ball} | named, **who)


def decided(
    evening: Evening, who: dict[str, Any], *, decision: str = "rejected", **named: Any
) -> Complaint:
    """Decide the last complaint."""
    last = Complaint.objects.filter(session__hall=evening.hall).latest("pk")
    told = {"text": "Revistas as imagens (R47)"} | named
    return complaints_services.decide(complaint=last, decision=decision, **told, **who)


def with_complaint(evening: Evening) -> None:
    """Open one at the table."""
    opened(evening, evening.who(Role.TABLE_CHIEF))
