"""Which colours the issues that can still be sold have: the face's tells the price, the back's the letter (R18)."""

from __future__ import annotations

from django.db.models import F, QuerySet

from draws.models import Issue
from halls.models import Hall


def faces(hall: Hall) -> dict[int, str]:
    """Give the face colour of each price (minor units)."""
    return dict(_coloured(hall).values_list("face", "face_colour").distinct())


def backs(hall: Hall) -> dict[str, str]:
    """Give the back colour of each series letter."""
    return dict(_coloured(hall).values_list("series__letter", "back_colour").distinct())


def _coloured(hall: Hall) -> QuerySet[Issue]:
    """Issues received before authorisations were recorded had no colours of their own."""
    left = Issue.objects.filter(hall=hall, last_sold__lt=F("series__size"))
    return left.exclude(authorisation=None).exclude(transfers__arrived__isnull=False)
