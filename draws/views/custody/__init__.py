"""The cards that the hall keeps: the page, its orders, and the records that are signed."""

from django.urls import URLPattern

from draws.views.custody import record, shelf


def urls() -> list[URLPattern]:
    """Give the addresses of the cards kept."""
    return [*shelf.PAGE.urls(), *record.FILES]
