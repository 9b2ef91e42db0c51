"""A second caller in the hall, and a draw that they have taken over."""

from __future__ import annotations

from uuid import uuid4

from django.utils.timezone import now

from draws.balls import draw
from halls.models import Person, Role
from tests.support.evening import Evening


def second_caller(evening: Evening) -> Person:
    """Return another caller of the hall."""
    return Person.objects.create(
        hall=evening.hall, username=f"substituto-{evening.hall.pk}", name="Ana Tavares",
        roles=[Role.CALLER],
    )  # fmt: skip


def called_by_another(evening: Evening) -> Person:
    """Let another caller take the draw over, and give them."""
    another = second_caller(evening)
    draw.take_over(game=evening.game, by=another, at=now(), key=uuid4())
    return another
