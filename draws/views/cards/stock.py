"""The stock of cards: every issue of the hall, and what other halls have sent."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bingo.rules import formats
from bingo.rules.stock import Place
from draws.documents import stock_words
from draws.models import Issue, Series
from draws.queries import arrivals, shelf
from draws.queries.arrivals import Arrival
from draws.queries.shelf import Counted
from draws.services import transfers
from draws.views import listing
from draws.views.cards import granted
from draws.views.listing import Choice, Column
from draws.views.meant import transfer_of
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import Hall

COLUMNS = (
    Column("state", gettext_lazy("State"), ("state",)),
    Column("format", gettext_lazy("Format"), ("series__format",), number=True),
    Column("series", gettext_lazy("Series"), ("series__letter", "series__version")),
    Column("identification", gettext_lazy("Identification"), ("identification",)),
    Column("price", gettext_lazy("Price"), ("face",), number=True),
    Column("face", gettext_lazy("Face colour"), ("face_colour",)),
    Column("back", gettext_lazy("Back colour"), ("back_colour",)),
    Column("left", gettext_lazy("Left"), ("left",), number=True),
    Column("authorisation", gettext_lazy("Authorisation"), ("authorisation__reference",)),
    Column("received", gettext_lazy("Received"), ("received_at",)),
)


def accept(order: Order, asked: Asked) -> Done:
    """Take in an issue that another hall has sent."""
    counted = order.integer("counted")
    arrived = transfers.accept(transfer=transfer_of(order), counted=counted, **order.who)
    address = reverse("cards-issue", args=[arrived.pk])
    expected = shelf.issues(asked.hall).get(pk=arrived.pk).left
    if arrived.place == Place.RECEIVED and counted != expected:
        text = stock_words.miscounted(arrived.identification, counted, expected)
        return Done(text, address, warning=True)
    text = _("Issue %(issue)s has arrived") % {"issue": arrived.identification}
    return Done(text, address)


def context(asked: Asked) -> Context:
    """Give the list that the address asks for."""
    letters = Series.objects.filter(hall=asked.hall).order_by("letter")
    offered = [(letter, letter) for letter in letters.values_list("letter", flat=True).distinct()]
    kinds = [(str(highest), str(highest)) for highest in formats.FORMATS]
    query = asked.query
    state = listing.chosen(query, "state", stock_words.STATES)
    kind = listing.chosen(query, "format", dict(kinds))
    letter = listing.chosen(query, "letter", dict(offered))
    found = _filtered(shelf.issues(asked.hall), state, kind, letter, listing.text(query))
    choices = (
        Choice("state", _("State"), list(stock_words.STATES.items()), state),
        Choice("format", _("Format"), kinds, kind),
        Choice("letter", _("Series"), offered, letter),
    )
    waiting = arrivals.waiting(asked.hall)
    return {
        "tab": "stock",
        "listing": listing.listed(found, columns=COLUMNS, query=query, choices=choices),
        "arrivals": waiting,
        "twice": _twice(asked.hall, waiting),
        "series": bool(offered),
        "granted": granted.today(asked.hall),
    }


def _twice(hall: Hall, waiting: list[Arrival]) -> set[str]:
    """Give the identifications on their way here that an issue of the hall already has."""
    coming = [one.transfer.issue.identification for one in waiting]
    here = Issue.objects.filter(hall=hall, identification__in=coming)
    return set(here.values_list("identification", flat=True))


def _filtered(
    found: QuerySet[Counted, Counted], state: str, kind: str, letter: str, text: str
) -> QuerySet[Counted, Counted]:
    if state:
        found = found.filter(state=state)
    if kind:
        found = found.filter(series__format=int(kind))
    if letter:
        found = found.filter(series__letter=letter)
    if text:
        reference = Q(authorisation__reference__icontains=text)
        found = found.filter(Q(identification__icontains=text) | reference)
    return found


PAGE = Page("cards", "cards/", "cards/stock.html", context, {"accept": accept})
