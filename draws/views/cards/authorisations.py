"""What the regulator has granted the hall, each grant as it was recorded."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy

from bingo.rules import distributions
from bingo.rules.shares import Shares
from draws.documents import distribution_words, divided, equipment_words, unclaimed_words
from draws.views import listing
from draws.views.cards import granted
from draws.views.listing import Column
from draws.views.page import Asked, Context, Page
from halls.models import Authorisation
from halls.services import sessions

COLUMNS = (
    Column("reference", gettext_lazy("Reference"), ("reference",)),
    Column("from", gettext_lazy("Valid from"), ("valid_from",)),
    Column("until", gettext_lazy("Until"), ("valid_until",)),
    Column("formats", gettext_lazy("Formats")),
    Column("prices", gettext_lazy("Prices")),
    Column("line", gettext_lazy("Line"), ("line_share",), number=True),
    Column("bingo", gettext_lazy("Bingo"), ("bingo_share",), number=True),
    Column("jackpot", gettext_lazy("Jackpot"), ("jackpot_rate",), number=True),
)


def context(asked: Asked) -> Context:
    """Give the list, the one in force marked."""
    found = Authorisation.objects.filter(hall=asked.hall).order_by("-valid_from", "-pk")
    if text := listing.text(asked.query):
        found = found.filter(Q(reference__icontains=text))
    return {
        "tab": "authorisations",
        "listing": listing.listed(found, columns=COLUMNS, query=asked.query),
        "in_force": granted.today(asked.hall),
    }


def one_context(asked: Asked) -> Context:
    """Give one grant whole."""
    found = Authorisation.objects.select_related("entry__by")
    shown = get_object_or_404(found, hall=asked.hall, pk=asked.place["authorisation"])
    return {
        "tab": "authorisations",
        "one": shown,
        "in_force": granted.today(asked.hall),
        "fund": shown.line_share + shown.bingo_share,
        "without": [equipment_words.item(kind, "") for kind in shown.exempt],
        "languages": [name for one, name in settings.LANGUAGES if one in shown.languages],
        "levels": sessions.levels_of(shown),
        "unclaimed_to": unclaimed_words.DESTINATIONS.get(shown.unclaimed_terms.get("to", ""), ""),
        "usual": divided.of_shares(Shares(shown.line_share, shown.bingo_share)),
        "own": [_own(data) for data in shown.distributions],
    }


def _own(data: distributions.Data) -> dict[str, Any]:
    """Give the shares of a kind of game that has its own, and what counts as a line in it."""
    granted = distributions.load(data)
    return {
        "name": distribution_words.KINDS[granted.format, granted.figure],
        "counts": [distribution_words.LINES[one] for one in granted.counts],
        "parts": divided.of_shares(granted.shares),
        "limit": max((one.limit for one in granted.shares.extras), default=0),
    }


PAGE = Page("cards-authorisations", "cards/authorisations/", "cards/authorisations.html", context)
ONE = Page(
    "cards-authorisation",
    "cards/authorisations/<int:authorisation>/",
    "cards/authorisation.html",
    one_context,
)
