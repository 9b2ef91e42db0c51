"""Issues on the hall's shelf."""

from django.db.models import F, QuerySet

from draws.models import Issue
from halls.models import Hall


def ready(hall: Hall) -> QuerySet[Issue]:
    """Give the issues that still have cards, those already begun first (R37)."""
    left = Issue.objects.filter(hall=hall, last_sold__lt=F("series__size"))
    return left.select_related("series").order_by("-last_sold", "identification")


def fresh_like(first: Issue) -> QuerySet[Issue]:
    """Give the unused issues that may follow a sold-out one in the same game (R38)."""
    same = ready(first.hall).filter(series=first.series_id, face=first.face, last_sold=0)
    return same.exclude(pk=first.pk)
