"""The pages of the stock of cards: every issue, what other halls have sent, receiving one (R16-R19).

A received issue has a series, an identification, a price and the colours that tell them.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from bingo.money_and_dates import number_range
from bingo.rules import formats, stock
from bingo.rules.refusal import Refusal
from bingo.rules.stock import LONGEST_IDENTIFICATION, BoxPlace, IssueStage
from draws import trade_words
from draws.authorisations import labels as authorisations_labels
from draws.cards import colours, print_queries, stock_queries
from draws.cards import labels as cards_labels
from draws.cards import stock as cards_stock
from draws.cards.stock_queries import Arrival, Counted
from draws.cards.views import patterns
from draws.models import Issue, Series, Transfer
from draws.record import journal_text
from draws.web import listing
from draws.web.forms import CommandForm, hall_of, other_halls, series_of, transfer_of
from draws.web.listing import Column, FilterChoice
from draws.web.page_classes import WRITERS, Context, Page, PageRequest, Success
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


def accept(order: CommandForm, asked: PageRequest) -> Success:
    """Take in an issue that another hall has sent."""
    counted = order.integer("counted")
    arrived = cards_stock.accept(transfer=transfer_of(order), counted=counted, **order.who)
    address = reverse("cards-issue", args=[arrived.pk])
    expected = stock_queries.issues(asked.hall).get(pk=arrived.pk).left
    if arrived.place == BoxPlace.RECEIVED and counted != expected:
        text = cards_labels.miscounted(arrived.identification, counted, expected)
        return Success(text, address, warning=True)
    text = _("Issue %(issue)s has arrived") % {"issue": arrived.identification}
    return Success(text, address)


def stock_context(asked: PageRequest) -> Context:
    """Return the list that the address asks for."""
    letters = Series.objects.filter(hall=asked.hall).order_by("letter")
    offered = [(letter, letter) for letter in letters.values_list("letter", flat=True).distinct()]
    kinds = [(str(highest), str(highest)) for highest in formats.FORMATS]
    query = asked.query
    state = listing.chosen(query, "state", cards_labels.STATES)
    kind = listing.chosen(query, "format", dict(kinds))
    letter = listing.chosen(query, "letter", dict(offered))
    found = _filtered(stock_queries.issues(asked.hall), state, kind, letter, listing.text(query))
    choices = (
        FilterChoice("state", _("State"), list(cards_labels.STATES.items()), state),
        FilterChoice("format", _("Format"), kinds, kind),
        FilterChoice("letter", _("Series"), offered, letter),
    )
    waiting = stock_queries.waiting(asked.hall)
    return {
        "tab": "stock",
        "listing": listing.listed(found, columns=COLUMNS, query=query, choices=choices),
        "arrivals": waiting,
        "twice": _twice(asked.hall, waiting),
        "series": bool(offered),
        "granted": authorisations_labels.today(asked.hall),
    }


def _twice(hall: Hall, waiting: list[Arrival]) -> set[str]:
    """Return the identifications on their way here that an issue of the hall already has."""
    coming = {one.transfer.issue.identification for one in waiting}
    return {one for one in coming if stock_queries.is_used(hall, one)}


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


STOCK_PAGE = Page("cards", "cards/", "cards/stock.html", stock_context, {"accept": accept})


PER_PAGE = 50
RECENT_PRINTS = 5
OFFERED: Mapping[str, frozenset[str]] = {
    "received": frozenset(["count", "retire", "withdraw", "print"]),
    "in_stock": frozenset(["count", "retire", "withdraw", "send", "print"]),
    "on_sale": frozenset(["print"]),
    "exhausted": frozenset(),
    "withdrawn": frozenset(["reinstate"]),
    "sent": frozenset(["recall"]),
}


def _offered(issue: Counted) -> frozenset[str]:
    """Return what may be done with an issue; a box that came in with no card left is as exhausted."""
    empty = issue.state == IssueStage.RECEIVED and not issue.left
    return OFFERED[IssueStage.EXHAUSTED if empty else issue.state]


def _issue(asked: PageRequest) -> Counted:
    found = stock_queries.issues(asked.hall).select_related("series", "hall", "authorisation")
    return get_object_or_404(found, pk=asked.place["issue"])


def _done(issue: Issue, text: str) -> Success:
    told = text % {"issue": issue.identification}
    return Success(told, reverse("cards-issue", args=[issue.pk]))


def count_issue(order: CommandForm, asked: PageRequest) -> Success:
    """Write down how many unsold cards there are."""
    issue = _issue(asked)
    counted, comment = order.integer("counted"), order.text("comment")
    done = cards_stock.count(issue=issue, counted=counted, comment=comment, **order.who)
    if done.counted != done.expected:
        text = cards_labels.miscounted(issue.identification, done.counted, done.expected)
        return Success(text, reverse("cards-issue", args=[issue.pk]), warning=True)
    return _done(issue, _("Issue %(issue)s is counted"))


def retire_issue(order: CommandForm, asked: PageRequest) -> Success:
    """Take cards out of sale for good."""
    issue = _issue(asked)
    order.require_sure()
    first, last = order.integer("first"), order.integer("last")
    cards_stock.retire(
        issue=issue, first=first, last=last, reason=order.text("reason"), **order.who
    )
    told = ngettext(
        "Card %(cards)s will not be sold", "Cards %(cards)s will not be sold", last - first + 1
    ) % {"cards": number_range(first, last)}
    return Success(told, reverse("cards-issue", args=[issue.pk]))


def withdraw(order: CommandForm, asked: PageRequest) -> Success:
    """Take the issue off the shelf."""
    issue = _issue(asked)
    cards_stock.withdraw(issue=issue, reason=order.text("reason"), **order.who)
    return _done(issue, _("Issue %(issue)s is withdrawn"))


def reinstate(order: CommandForm, asked: PageRequest) -> Success:
    """Put a withdrawn issue back on the shelf."""
    issue = _issue(asked)
    cards_stock.reinstate(issue=issue, reason=order.text("reason"), **order.who)
    return _done(issue, _("Issue %(issue)s is back: count it before it is sold"))


def send_issue(order: CommandForm, asked: PageRequest) -> Success:
    """Send what is left of the issue to another hall."""
    issue = _issue(asked)
    cards_stock.send_transfer(
        issue=issue, to=hall_of(order, issue), reason=order.text("reason"), **order.who
    )
    return _done(issue, _("Issue %(issue)s is on its way"))


def recall_issue(order: CommandForm, asked: PageRequest) -> Success:
    """Call back an issue that the other hall has not taken in."""
    issue = _issue(asked)
    cards_stock.recall_transfer(
        transfer=_last_sent(issue), reason=order.text("reason"), **order.who
    )
    return _done(issue, _("Issue %(issue)s is back: count it before it is sold"))


def _last_sent(issue: Issue) -> Transfer:
    """Return the issue's last transfer, which may be over. Raises Refusal unknown_transfer."""
    sent = issue.transfers.select_related("entry", "to", "issue__hall", "issue__series")
    found = sent.order_by("pk").last()
    if found is None:
        raise Refusal("unknown_transfer")
    return found


def _pictured(issue: Issue) -> bool:
    """Return whether the first cards can be shown: those that are all retired are never printed."""
    return bool(print_queries.planned(issue, 1, min(issue.series.size, stock.MOST_CARDS)))


def issue_context(asked: PageRequest) -> Context:
    """Return everything that is known of the issue."""
    issue = _issue(asked)
    page = Paginator(stock_queries.of_issue(issue), PER_PAGE).get_page(asked.query.get("page"))
    retired = stock_queries.retirements(issue)
    came = Transfer.objects.filter(arrived=issue).select_related("issue__hall").first()
    return {
        "tab": "stock",
        "issue": issue,
        "parts": stock_queries.issue_stock_parts(issue, [(one.first, one.last) for one in retired]),
        "retired": retired,
        "page": page,
        "rows": [
            (entry, trade_words.kind(entry.kind), journal_text.describe_entry(entry))
            for entry in page
        ],
        "prints": print_queries.print_job_of_hall(asked.hall).filter(issue=issue)[:RECENT_PRINTS],
        "sent": _last_sent(issue) if issue.place == BoxPlace.SENT else None,
        "came": came,
        "pictured": bool(issue.left) and _pictured(issue),
        "halls": other_halls(issue),
        "may": _offered(issue) if asked.may_change else frozenset(),
    }


ISSUE_PAGE = Page(
    "cards-issue",
    "cards/issues/<int:issue>/",
    "cards/issue.html",
    issue_context,
    {
        "count": count_issue,
        "retire": retire_issue,
        "withdraw": withdraw,
        "reinstate": reinstate,
        "send": send_issue,
        "recall": recall_issue,
    },
)


def receive_issue(order: CommandForm, _asked: PageRequest) -> Success:
    """Take the issue in; without a count it waits to be counted or printed."""
    counted = order.optional_integer("counted")
    issue = cards_stock.receive(
        hall=order.hall,
        series=series_of(order),
        identification=order.text("identification", longest=LONGEST_IDENTIFICATION),
        face=order.integer("face"),
        face_colour=order.choice("face_colour", colours.FACES),
        back_colour=order.choice("back_colour", colours.BACKS),
        double=order.ticked("double"),
        symbols=order.ticked("symbols"),
        figure=order.text("figure") if "figure" in order.fields else "",
        counted=counted,
        **order.who,
    )
    address = reverse("cards-issue", args=[issue.pk])
    if issue.place == BoxPlace.RECEIVED and counted is not None:
        text = cards_labels.miscounted(issue.identification, counted, issue.series.size)
        return Success(text, address, warning=True)
    return Success(_received_text(issue), address)


def _received_text(issue: Issue) -> str:
    values = {"issue": issue.identification}
    if issue.place == BoxPlace.SHELF:
        return _("Issue %(issue)s is in stock") % values
    return _("Issue %(issue)s is received: count it before it is sold") % values


def receive_context(asked: PageRequest) -> Context:
    """Return the form with everything proposed that can be."""
    hall, fields = asked.hall, asked.fields
    known = list(Series.objects.filter(hall=hall, rulebook=hall.rulebook).order_by("-pk"))
    chosen = _chosen(known, fields)
    allowed = authorisations_labels.today(hall)
    prices = allowed.faces if allowed else []
    price = next((one for one in prices if str(one) == fields.get("face")), None)
    price = price or next(iter(prices), 0)
    letter = chosen.letter if chosen else ""
    return {
        "tab": "stock",
        "longest": LONGEST_IDENTIFICATION,
        "series": known,
        "chosen": chosen,
        "granted": allowed,
        "prices": prices,
        "price": price,
        "face_inks": authorisations_labels.faces(hall, price, wanted=fields.get("face_colour")),
        "back_inks": authorisations_labels.backs(hall, letter, wanted=fields.get("back_colour")),
        "may_double": bool(allowed and allowed.double_cards),
        "may_symbols": bool(chosen and chosen.format == cards_stock.WITH_SYMBOLS),
        "figures": patterns.every(hall)
        if chosen and chosen.format == cards_stock.WITH_FIGURES
        else [],
    }


def _chosen(known: list[Series], fields: QueryDict) -> Series | None:
    asked = fields.get("series", "")
    return next((one for one in known if str(one.pk) == asked), known[0] if known else None)


RECEIVE_PAGE = Page(
    "cards-receive",
    "cards/receive/",
    "cards/receive.html",
    receive_context,
    {"receive": receive_issue},
    readers=WRITERS,
)
