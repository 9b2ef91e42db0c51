"""The pictures of balls: where each file lies, and who may see it."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from draws.models import Ball, Reading
from halls.models import Hall


def path(digest: str) -> Path:
    """Give the place of a picture by its SHA-256 in hex; the file may be gone."""
    return Path(settings.PICTURES_DIR) / digest[:2] / f"{digest}.jpg"


def address(digest: str) -> str | None:
    """Give the path at which a browser finds a picture; None where there is none."""
    return f"/pictures/{digest}.jpg" if digest else None


def is_public(digest: str) -> bool:
    """Tell whether a picture is of a ball that is posted in an open session."""
    return Ball.objects.filter(picture=digest, game__session__closed_at__isnull=True).exists()


def is_of(hall: Hall, digest: str) -> bool:
    """Tell whether a picture was taken in a hall."""
    return Reading.objects.filter(picture=digest, game__session__hall=hall).exists()
