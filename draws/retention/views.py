"""The page of retention: how long the hall keeps things, what was removed, what is kept back.

It covers only what is no part of the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from bingo.rules import retention as rules
from bingo.rules import rulebooks
from bingo.rules.policies import MOST_DAYS
from bingo.rules.refusal import Refusal
from draws.record import journal_text
from draws.retention import queries
from draws.retention import queries as retention_queries
from draws.retention.services import set_days
from draws.web import listing
from draws.web.forms import CommandForm, witness_of
from draws.web.page_classes import Context, Page, PageRequest, Success, reading
from halls.models import Hall, Removal
from halls.policy import queries as policy_queries


def change(order: CommandForm, _asked: PageRequest) -> Success:
    """Set the days of each kind from a day on, before a second person where the hall wants one."""
    days = {kind: _days(order, kind) for kind in rules.KINDS}
    made = set_days(
        hall=order.hall,
        days=days,
        valid_from=order.day("valid_from"),
        witness=witness_of(order, kind=rules.SET),
        **order.who,
    )
    told = _("The days of keeping are set from %(day)s on")
    return Success(told % {"day": date_format(made.valid_from)}, reverse("retention"))


def _days(order: CommandForm, kind: str) -> int:
    """Return a number of days. Raises Refusal: bad_input, bad_retention."""
    days, least = order.integer(kind), _fewest(order.hall)[kind]
    if days != rules.ALWAYS and not least <= days <= MOST_DAYS:
        raise Refusal(
            "bad_retention",
            kind=str(journal_text.KINDS[kind]),
            least=least,
            most=MOST_DAYS,
            field=kind,
        )
    return days


def _fewest(hall: Hall) -> rules.Days:
    return rules.fewest(rulebooks.get(hall.rulebook))


def context(asked: PageRequest) -> Context:
    """Return what holds today, what tonight would take and leave, and everything before."""
    hall, now = asked.hall, timezone.now()
    today = hall.day(now)
    plan = queries.plan_expired(hall, on=today, at=now)
    removals = listing.listed(retention_queries.removals(hall), columns=(), query=asked.query)
    return {
        "rows": list(_rows(plan)),
        "kept_back": [
            (journal_text.KINDS[one.kind], one.count, journal_text.why(one.why, one.name))
            for one in plan.kept_back
        ],
        "fewest": _fewest(hall),
        "most": MOST_DAYS,
        "today": today,
        "two_set": rules.SET in policy_queries.in_force(hall, timezone.now()).four_eyes,
        "history": [
            (one, journal_text.describe_entry(one.entry))
            for one in retention_queries.history(hall)[: listing.PER_PAGE]
        ],
        "removals": [(one, journal_text.describe_entry(one.entry)) for one in removals.page],
        "listing": removals,
    }


def _rows(plan: queries.RemovalPlan) -> Iterator[tuple[str, Any, str, int, int]]:
    """Return each kind with its name, its days in words and in figures, and how many are over."""
    due = rules.removed(plan.items)
    for kind, name in journal_text.KINDS.items():
        days = plan.days[kind]
        over = due.get(kind, {}).get("count", 0)
        yield kind, name, journal_text.days(days), days, over


@reading
def listed(_request: HttpRequest, asked: PageRequest) -> HttpResponseBase:
    """Return the list of a removal as a file: its SHA-256 is in the journal."""
    found = get_object_or_404(Removal, hall=asked.hall, number=asked.place["number"])
    sent = HttpResponse(found.listed, content_type="text/plain; charset=utf-8")
    name = f"removal-{asked.hall.code}-{found.number}.txt"
    sent["Content-Disposition"] = f'attachment; filename="{name}"'
    return sent


PAGE = Page("retention", "policy/retention/", "retention/retention.html", context, {"set": change})


def urls() -> list[URLPattern]:
    """Return the addresses of the page and of the lists."""
    at = "policy/retention/<int:number>.txt"
    return [*PAGE.urls(), path(at, listed, name="removal-list")]
