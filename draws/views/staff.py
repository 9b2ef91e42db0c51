"""The staff of the hall: taken on, given roles and passwords, disabled when they leave (BOE III)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from bingo.rules import staff as rules
from bingo.rules.refusal import Refusal
from draws.documents import facts, staff_words
from draws.views import listing
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from draws.views.witnessed import witness_of
from halls.models import JournalEntry, Role
from halls.queries import policies
from halls.queries.sessions import had_an_evening
from halls.queries.staff import members
from halls.services import staff

LANGUAGES = tuple(code for code, _name in settings.LANGUAGES)


def enrol(order: Order, _asked: Asked) -> Done:
    """Take somebody on with a first password."""
    made = staff.enrol(
        username=order.text("username").lower(),
        name=order.text("name"),
        roles=_roles(order),
        language=order.choice("language", LANGUAGES),
        password=password_twice(order),
        **_who(order),
    )
    return _done(_("%(person)s can log in, and chooses another password then") % {"person": made})


def change(order: Order, _asked: Asked) -> Done:
    """Set what somebody is called and may do."""
    made = staff.set_roles(
        username=order.text("username"),
        name=order.text("name"),
        roles=_roles(order),
        **_who(order),
    )
    return _done(_("%(person)s: name and roles are set") % {"person": made})


def disable(order: Order, _asked: Asked) -> Done:
    """Let somebody who leaves log in no more."""
    made = staff.set_active(username=order.text("username"), active=False, **_who(order))
    return _done(_("%(person)s can no longer log in, and stays in the record") % {"person": made})


def enable(order: Order, _asked: Asked) -> Done:
    """Let somebody in again who comes back."""
    made = staff.set_active(username=order.text("username"), active=True, **_who(order))
    return _done(_("%(person)s can log in again") % {"person": made})


def give_password(order: Order, _asked: Asked) -> Done:
    """Give somebody a password that they change at their next login."""
    made = staff.give_password(
        username=order.text("username"), password=password_twice(order), **_who(order)
    )
    return _done(_("%(person)s has a new password, and chooses another then") % {"person": made})


def password_twice(order: Order) -> str:
    """Give a password that was typed twice, as it was typed. Raises Refusal passwords_differ."""
    password = order.fields.get("password", "")
    if password != order.fields.get("password_again", ""):
        raise Refusal("passwords_differ")
    return password


def _who(order: Order) -> dict[str, Any]:
    witness = witness_of(order, kind=rules.CHANGED)
    return {"hall": order.hall, "witness": witness, **order.who}


def _roles(order: Order) -> list[str]:
    return [role for role in rules.ROLES if order.ticked(f"role-{role}")]


def _done(text: str) -> Done:
    return Done(text, reverse("staff"))


def context(asked: Asked) -> Context:
    """Give everybody with what they may do, what is missing, and what was changed before."""
    hall = asked.hall
    found = members(hall)
    given = set(hall.people.filter(password_given=True).values_list("username", flat=True))
    history = listing.listed(_history(asked), columns=(), query=asked.query)
    rows = [
        {
            "one": one,
            "roles": staff_words.roles(one.roles),
            "boxes": _boxes(one.roles),
            "given": one.username in given,
            "own": one.username == asked.person.username,
        }
        for one in sorted(found, key=lambda one: (not one.active, one.username))
    ]
    return {
        "people": rows,
        "chosen": _chosen(asked, rows),
        "missing": staff_words.roles(rules.missing(found)),
        "boxes": _boxes([r for r in rules.ROLES if asked.typed.get(f"role-{r}") == "on"]),
        "languages": [(code, get_language_info(code)["name_local"]) for code in LANGUAGES],
        "language": asked.typed.get("language", hall.language),
        "two": rules.CHANGED in policies.in_force(hall).four_eyes,
        "first_hour": not had_an_evening(hall),
        "history": [(one, facts.told(one)) for one in history.page],
        "listing": history,
    }


def _chosen(asked: Asked, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Give whom the address or a refused form names, if it is not the person themself."""
    wanted = asked.query.get("person", "")
    if asked.verb not in ("", "enrol"):
        wanted = asked.typed.get("username", "")
    others = (row for row in rows if row["one"].username == wanted and not row["own"])
    return next(others, None) if asked.may_change else None


def _boxes(ticked: Any) -> list[tuple[str, Any, bool]]:
    return [(role, Role(role).label, role in ticked) for role in rules.ROLES]


def _history(asked: Asked) -> Any:
    kinds = (rules.CHANGED, rules.PASSWORD_CHANGED)
    found = JournalEntry.objects.filter(hall=asked.hall, kind__in=kinds)
    return found.select_related("by", "hall").order_by("-number")


PAGE = Page(
    "staff",
    "staff/",
    "staff.html",
    context,
    {
        "enrol": enrol,
        "set": change,
        "disable": disable,
        "enable": enable,
        "password": give_password,
    },
)
