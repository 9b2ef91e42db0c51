"""Which colours the issues that can still be sold have: the face's tells the price, the back's the letter (R18)."""

from __future__ import annotations

from django.db.models import F

from bingo.rules.stock import Colours
from draws.models import Issue
from halls.models import Hall


def faces(hall: Hall) -> dict[int, str]:
    """Give the face colour of each price (minor units)."""
    return {look.face: look.face_colour for look in looks(hall)}


def backs(hall: Hall) -> dict[str, str]:
    """Give the back colour of each series letter."""
    return {look.letter: look.back_colour for look in looks(hall)}


def looks(hall: Hall) -> list[Colours]:
    """Give the looks of the issues, each once; those older than recorded authorisations have none."""
    left = Issue.objects.filter(hall=hall, last_sold__lt=F("series__size"))
    found = left.exclude(authorisation=None).exclude(transfers__arrived__isnull=False)
    named = found.values_list("series__letter", "face", "face_colour", "back_colour")
    return [Colours(*look) for look in named.distinct()]
