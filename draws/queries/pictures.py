"""The pictures of balls and of called cards: where each file lies, and who may see it."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.urls import get_script_prefix

from draws.models import Ball, Reading, ShownCard
from halls.models import Hall, JournalEntry


def path(digest: str) -> Path:
    """Give the place of a picture by its SHA-256 in hex; the file may be gone."""
    return Path(settings.PICTURES_DIR) / digest[:2] / f"{digest}.jpg"


def address(digest: str) -> str | None:
    """Give the path at which a browser finds a picture; None where there is none."""
    # Training has addresses of its own.
    return f"{get_script_prefix()}pictures/{digest}.jpg" if digest else None


def of_card(check: JournalEntry) -> str | None:
    """Give the path of the picture that shows the card of a check, None where none was taken."""
    last = ShownCard.objects.filter(claim__entry=check).order_by("pk").last()
    return address(last.picture) if last else None


def is_public(digest: str) -> bool:
    """Tell whether a picture is of a ball posted, or a card shown to the hall, in an open session."""
    posted = Ball.objects.filter(picture=digest, game__session__closed_at__isnull=True)
    shown = ShownCard.objects.filter(picture=digest, claim__game__session__closed_at__isnull=True)
    return posted.exists() or shown.exists()


def is_of(hall: Hall, digest: str) -> bool:
    """Tell whether a picture was taken in a hall."""
    read = Reading.objects.filter(picture=digest, game__session__hall=hall)
    shown = ShownCard.objects.filter(picture=digest, claim__game__session__hall=hall)
    return read.exists() or shown.exists()
