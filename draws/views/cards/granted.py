"""What the hall's authorisation allows today."""

from django.utils import timezone

from bingo.rules.refusal import Refusal
from halls.models import Authorisation, Hall
from halls.services import sessions


def today(hall: Hall) -> Authorisation | None:
    """Give the authorisation in force, if any."""
    try:
        return sessions.in_force(hall, timezone.now())
    except Refusal:
        return None
