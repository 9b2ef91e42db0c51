"""The halls of one inspector: their sessions of some days side by side, and the way into each."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.auth import login
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from draws.queries import complaints, period
from draws.views.inspection import asked as asked_for
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import Person, Role
from halls.queries import inspection
from halls.services import desks, looks

BACKEND = "halls.logins.Backend"
PER_HALL = 20  # sessions; the hall's own page has the others
LONGEST = 150  # signs of a password


def join(order: Order, _asked: Asked) -> Done:
    """Join the account in another hall, known by its password."""
    other = desks.join(
        person=order.person,
        username=order.text("username", longest=LONGEST),
        password=order.fields.get("password", "")[:LONGEST],
        request=order.request,
        at=order.at,
    )
    _looked(order, other)
    told = _("%(hall)s is joined: both halls are one click away from each other")
    return Done(told % {"hall": other.hall.name}, reverse("inspector-halls"))


def enter(order: Order, _asked: Asked) -> Done:
    """Go to another hall, as the account there."""
    other = desks.other(order.person, order.integer("account"))
    _looked(order, other)
    number = order.optional_integer("session")
    login(order.request, other, backend=BACKEND)
    address = reverse("inspector-session", args=[number]) if number else reverse("inspector")
    return Done("", address)


def part(order: Order, _asked: Asked) -> Done:
    """Part two halls' accounts."""
    desks.part(order.person, order.integer("account"))
    return Done(_("The halls are parted"), reverse("inspector-halls"))


def context(asked: Asked) -> Context:
    """Give each hall with its sessions of the days asked for, read as its own inspector reads."""
    begins, ends = asked_for.day(asked.query, "from"), asked_for.day(asked.query, "to")
    accounts = [asked.person, *desks.others(asked.person)]
    for other in accounts[1:]:
        looks.record(
            other,
            at=timezone.now(),
            method="GET",
            route="inspector-halls",
            path=reverse("inspector-halls"),
            source="",
        )
    return {
        "begins": begins,
        "ends": ends,
        "halls": [_hall(one, begins, ends, own=one.pk == asked.person.pk) for one in accounts],
        "longest": LONGEST,
    }


def _hall(account: Person, begins: date | None, ends: date | None, *, own: bool) -> dict[str, Any]:
    hall = account.hall
    with inspection.reading(hall):
        found = period.sessions(hall, begins=begins, ends=ends, per_page=PER_HALL)
        waiting = len(list(complaints.still_open(hall)))
    return {
        "account": account,
        "hall": hall,
        "own": own,
        "elsewhere": not own,
        "held": found.held,
        "further": found.older is not None,
        "open": next((one for one in found.held if one.state == period.OPEN), None),
        "complaints": waiting,
    }


def _looked(order: Order, other: Person) -> None:
    """Write into the other hall's looks who came, and from which account."""
    came = f"{order.request.path} ← {order.person.username} ({order.hall.code})"
    source = order.request.META.get("REMOTE_ADDR") or ""
    looks.record(
        other, at=order.at, method="POST", route="inspector-halls", path=came, source=source
    )


PAGE = Page(
    name="inspector-halls",
    route="inspector/halls/",
    template="inspection/halls.html",
    context=context,
    verbs={"join": join, "enter": enter, "part": part},
    readers=(Role.INSPECTOR,),
    writers=(Role.INSPECTOR,),
)
