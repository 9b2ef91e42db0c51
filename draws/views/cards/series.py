"""The series of the hall: every matrix that was published, taken in, or came with an issue."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bingo.rules import formats
from draws.models import Series
from draws.views import listing
from draws.views.cards import granted
from draws.views.listing import Choice, Column
from draws.views.page import Asked, Context, Page

COLUMNS = (
    Column("format", gettext_lazy("Format"), ("format",), number=True),
    Column("letter", gettext_lazy("Letter"), ("letter", "version")),
    Column("version", gettext_lazy("Version"), ("version",), number=True),
    Column("size", gettext_lazy("Cards"), ("size",), number=True),
    Column("source", gettext_lazy("Source"), ("source",)),
    Column("seed", gettext_lazy("Made for"), ("seed",)),
    Column("digest", "SHA-256"),
    Column("published", gettext_lazy("Published"), ("published_at",)),
)


def context(asked: Asked) -> Context:
    """Give the list that the address asks for."""
    found = Series.objects.filter(hall=asked.hall).order_by("-published_at", "-pk")
    kinds = [(str(highest), str(highest)) for highest in formats.FORMATS]
    kind = listing.chosen(asked.query, "format", dict(kinds))
    if kind:
        found = found.filter(format=int(kind))
    if text := listing.text(asked.query):
        found = found.filter(digest__startswith=text.lower()) | found.filter(letter__iexact=text)
    choices = [Choice("format", _("Format"), kinds, kind)]
    return {
        "tab": "series",
        "listing": listing.listed(found, columns=COLUMNS, query=asked.query, choices=choices),
        "granted": granted.today(asked.hall),
    }


PAGE = Page("cards-series", "cards/series/", "cards/series.html", context)
