"""One issue: what it is, what has happened to it, and what may be done with it now."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules import prints as rules
from bingo.rules.refusal import Refusal
from bingo.rules.stock import Place
from draws.documents import facts, stock_words, words
from draws.models import Issue, Transfer
from draws.queries import movements, prints, shelf
from draws.queries.shelf import Counted
from draws.services import stock, transfers
from draws.views.meant import hall_of, other_halls
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page

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


def _issue(asked: Asked) -> Counted:
    found = shelf.issues(asked.hall).select_related("series", "hall", "authorisation")
    return get_object_or_404(found, pk=asked.place["issue"])


def _done(issue: Issue, text: str) -> Done:
    told = text % {"issue": issue.identification}
    return Done(told, reverse("cards-issue", args=[issue.pk]))


def count(order: Order, asked: Asked) -> Done:
    """Write down how many unsold cards there are."""
    issue = _issue(asked)
    counted, comment = order.integer("counted"), order.text("comment")
    done = stock.count(issue=issue, counted=counted, comment=comment, **order.who)
    if done.counted != done.expected:
        text = stock_words.miscounted(issue.identification, done.counted, done.expected)
        return Done(text, reverse("cards-issue", args=[issue.pk]), warning=True)
    return _done(issue, _("Issue %(issue)s is counted"))


def retire(order: Order, asked: Asked) -> Done:
    """Take cards out of sale for good."""
    issue = _issue(asked)
    order.require_sure()
    first, last = order.integer("first"), order.integer("last")
    stock.retire(issue=issue, first=first, last=last, reason=order.text("reason"), **order.who)
    values = {"first": first, "last": last}
    told = _("Cards %(first)s to %(last)s will not be sold") % values
    return Done(told, reverse("cards-issue", args=[issue.pk]))


def withdraw(order: Order, asked: Asked) -> Done:
    """Take the issue off the shelf."""
    issue = _issue(asked)
    stock.withdraw(issue=issue, reason=order.text("reason"), **order.who)
    return _done(issue, _("Issue %(issue)s is withdrawn"))


def reinstate(order: Order, asked: Asked) -> Done:
    """Put a withdrawn issue back on the shelf."""
    issue = _issue(asked)
    stock.reinstate(issue=issue, reason=order.text("reason"), **order.who)
    return _done(issue, _("Issue %(issue)s is back: count it before it is sold"))


def send(order: Order, asked: Asked) -> Done:
    """Send what is left of the issue to another hall."""
    issue = _issue(asked)
    transfers.send(issue=issue, to=hall_of(order), reason=order.text("reason"), **order.who)
    return _done(issue, _("Issue %(issue)s is on its way"))


def recall(order: Order, asked: Asked) -> Done:
    """Call back an issue that the other hall has not taken in."""
    issue = _issue(asked)
    transfers.recall(transfer=_on_its_way(issue), reason=order.text("reason"), **order.who)
    return _done(issue, _("Issue %(issue)s is back: count it before it is sold"))


def _on_its_way(issue: Issue) -> Transfer:
    """Give the issue's open transfer. Raises Refusal unknown_transfer."""
    found = _sent(issue)
    if found is None:
        raise Refusal("unknown_transfer")
    return found


def _sent(issue: Issue) -> Transfer | None:
    waiting = issue.transfers.filter(arrived__isnull=True, recalled_at__isnull=True)
    return waiting.select_related("to", "issue__hall", "issue__series").first()


def _pictured(issue: Issue) -> bool:
    """Tell whether the first cards can be shown: those that are all retired are never printed."""
    return bool(prints.planned(issue, 1, min(issue.series.size, rules.MOST_CARDS)))


def context(asked: Asked) -> Context:
    """Give everything that is known of the issue."""
    issue = _issue(asked)
    page = Paginator(movements.of_issue(issue), PER_PAGE).get_page(asked.query.get("page"))
    retired = list(issue.retirements.order_by("first"))
    came = Transfer.objects.filter(arrived=issue).select_related("issue__hall").first()
    return {
        "tab": "stock",
        "issue": issue,
        "parts": shelf.parts(issue, [(one.first, one.last) for one in retired]),
        "retired": retired,
        "page": page,
        "rows": [(entry, words.kind(entry.kind), facts.told(entry)) for entry in page],
        "prints": prints.of_hall(asked.hall).filter(issue=issue)[:RECENT_PRINTS],
        "sent": _sent(issue) if issue.place == Place.SENT else None,
        "came": came,
        "pictured": bool(issue.left) and _pictured(issue),
        "halls": other_halls(asked.hall),
        "may": OFFERED[issue.state] if asked.may_change else frozenset(),
    }


PAGE = Page(
    "cards-issue",
    "cards/issues/<int:issue>/",
    "cards/issue.html",
    context,
    {
        "count": count,
        "retire": retire,
        "withdraw": withdraw,
        "reinstate": reinstate,
        "send": send,
        "recall": recall,
    },
)
