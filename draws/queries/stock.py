"""Issues on the hall's shelf."""

from django.db.models import F, QuerySet

from bingo.rules.stock import Place
from draws.models import Issue
from draws.queries import shelf
from draws.queries.shelf import Counted
from halls.models import Hall


def ready(hall: Hall) -> QuerySet[Counted, Counted]:
    """Give the issues that may be sold from, those already begun first (R37)."""
    on_shelf = shelf.issues(hall).filter(place=Place.SHELF, double=False)
    # Nobody counts what is left of the many that were sold to the end.
    begun = on_shelf.filter(last_sold__lt=F("series__size"))
    return begun.filter(left__gt=0).order_by("-last_sold", "identification")


def fresh_like(first: Issue) -> QuerySet[Counted, Counted]:
    """Give the unused issues that may follow a sold-out one in the same game (R38)."""
    same = ready(first.hall).filter(series=first.series_id, face=first.face, last_sold=0)
    return same.exclude(pk=first.pk)
