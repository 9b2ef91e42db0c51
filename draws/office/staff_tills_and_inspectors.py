"""The pages of staff, tills and inspectors: people taken on, given roles and passwords, disabled (BOE III).

Tills are added, put out of use, and taken back. Inspectors are taken on and disabled by an
inspector alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from bingo.rules import staff, till_cash_and_shifts
from bingo.rules.setup import MOST_TILLS
from bingo.rules.staff import Member
from draws.record import journal_text
from draws.web import listing
from draws.web.forms import CommandForm, witness_of
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls import passwords, tills
from halls import staff as halls_staff
from halls.journal.queries import had_an_evening
from halls.models import Hall, JournalEntry, Person, Role
from halls.passwords import Given
from halls.policy import queries as policy_queries
from halls.staff import members

LANGUAGES = tuple(code for code, _name in settings.LANGUAGES)


def enrol(order: CommandForm, _asked: PageRequest) -> Success:
    """Take somebody on with a first password, which the answer shows."""
    given = halls_staff.enrol(
        username=order.text("username").lower(),
        name=order.text("name"),
        roles=_roles(order),
        language=order.choice("language", LANGUAGES),
        **_who(order),
    )
    return _shown_once(given, reverse("staff"))


def change(order: CommandForm, _asked: PageRequest) -> Success:
    """Set what somebody is called and may do."""
    made = halls_staff.set_roles(
        username=order.text("username"),
        name=order.text("name"),
        roles=_roles(order),
        had=order.text("had").split() if "had" in order.fields else None,
        **_who(order),
    )
    return _done(_("%(person)s: name and roles are set") % {"person": made})


def disable(order: CommandForm, _asked: PageRequest) -> Success:
    """Let somebody who leaves log in no more."""
    made = halls_staff.set_active(username=order.text("username"), active=False, **_who(order))
    return _done(_("%(person)s can no longer log in, and stays in the record") % {"person": made})


def enable(order: CommandForm, _asked: PageRequest) -> Success:
    """Let somebody in again who comes back."""
    made = halls_staff.set_active(username=order.text("username"), active=True, **_who(order))
    return _done(_("%(person)s can log in again") % {"person": made})


def give_password(order: CommandForm, _asked: PageRequest) -> Success:
    """Draw a password for somebody, which the answer shows, and they change at their next login."""
    given = halls_staff.give_password(username=order.text("username"), **_who(order))
    return _shown_once(given, reverse("staff"))


def _shown_once(given: Given, address: str) -> Success:
    """Show a password in the answer of its order; of an order that comes again, say that it was shown."""
    if given.password:
        return Success("", address, once={"given": given})
    text = _("This was done before: the password of %(person)s was shown then, and is shown no more. If nobody has it, give another.")  # fmt: skip
    return Success(text % {"person": given.person}, address, warning=True)


def _who(order: CommandForm) -> dict[str, Any]:
    witness = witness_of(order, kind=staff.CHANGED)
    return {"hall": order.hall, "witness": witness, **order.who}


def _roles(order: CommandForm) -> list[str]:
    return [role for role in staff.ROLES if order.ticked(f"role-{role}")]


def _done(text: str) -> Success:
    return Success(text, reverse("staff"))


def staff_context(asked: PageRequest) -> Context:
    """Return everybody with what they may do, what is missing, and what was changed before."""
    hall = asked.hall
    found = members(hall)
    now = timezone.now()
    later = hall.people.filter(witness_from__gt=now, is_active=True)
    waits = dict(later.values_list("username", "witness_from"))
    history = listing.listed(_history(asked), columns=(), query=asked.query)
    rows = [
        {
            **row,
            "roles": halls_staff.roles(one.roles),
            "boxes": _boxes(one.roles),
            "inspects": staff.INSPECTOR in one.roles,
            "stands_from": waits.get(one.username),
        }
        for row in _accounts(asked, found, now)
        for one in [row["one"]]
    ]
    return {
        "people": rows,
        "chosen": _chosen(asked, rows),
        "missing": halls_staff.roles(staff.missing(found)),
        "no_inspector": staff.INSPECTOR in staff.missing(found),
        "boxes": _boxes(()),
        "languages": [(code, get_language_info(code)["name_local"]) for code in LANGUAGES],
        "two": policy_queries.settled(hall)
        and staff.CHANGED in policy_queries.in_force(hall, timezone.now()).four_eyes,
        "at_machine": changed_at_machine(hall),
        "first_hour": not had_an_evening(hall),
        "history": [(one, journal_text.describe_entry(one)) for one in history.page],
        "listing": history,
    }


def _accounts(asked: PageRequest, people: Iterable[Member], now: datetime) -> list[dict[str, Any]]:
    """Return people with how the passwords given to them stand, whoever is disabled last."""
    given = {one.username: one for one in asked.hall.people.filter(password_given=True)}
    holds = passwords.given_until(asked.hall, given.values())
    return [
        {
            "one": one,
            "own": one.username == asked.person.username,
            "given": one.username in given,
            "until": _holds_until(given.get(one.username), holds, now),
        }
        for one in sorted(people, key=lambda one: (not one.active, one.username))
    ]


def _holds_until(
    person: Person | None, holds: Mapping[int, datetime], now: datetime
) -> datetime | None:
    """Return until when somebody's given password holds, None where it has run out."""
    until = holds.get(person.pk) if person else None
    return until if until and until > now else None


def _chosen(asked: PageRequest, rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return whom the address or a refused form names, if it is not the person themself."""
    wanted = asked.query.get("person", "")
    if asked.verb not in ("", "enrol"):
        wanted = asked.typed.get("username", "")
    others = (
        row
        for row in rows
        if row["one"].username == wanted and not row["own"] and not row["inspects"]
    )
    return next(others, None) if asked.may_change else None


def _boxes(ticked: Any) -> list[tuple[str, Any, bool]]:
    offered = [role for role in staff.ROLES if role != staff.INSPECTOR]
    return [(role, Role(role).label, role in ticked) for role in offered]


AT_MACHINE_SHOWN = 5


def changed_at_machine(hall: Hall) -> list[tuple[JournalEntry, str]]:
    """Return the newest accounts that were changed at the machine itself, for everybody to see."""
    found = JournalEntry.objects.filter(hall=hall, kind=staff.AT_MACHINE)
    newest = found.select_related("hall").order_by("-number")[:AT_MACHINE_SHOWN]
    return [(one, journal_text.describe_entry(one)) for one in newest]


def _history(asked: PageRequest) -> Any:
    kinds = (staff.CHANGED, staff.PASSWORD_CHANGED, staff.INSPECTOR_CHANGED, staff.AT_MACHINE)
    found = JournalEntry.objects.filter(hall=asked.hall, kind__in=kinds)
    return found.select_related("by", "hall").order_by("-number")


STAFF_PAGE = Page(
    "staff",
    "staff/",
    "staff/staff.html",
    staff_context,
    {
        "enrol": enrol,
        "set": change,
        "disable": disable,
        "enable": enable,
        "password": give_password,
    },
)


def add_tills(order: CommandForm, _asked: PageRequest) -> Success:
    """Add a till."""
    return _changed(
        order, till_cash_and_shifts.ADDED, _("%(till)s is added: a cashier can open it")
    )


def retire_tills(order: CommandForm, _asked: PageRequest) -> Success:
    """Take a till out of use."""
    return _changed(
        order, till_cash_and_shifts.RETIRED, _("%(till)s is out of use, and stays in the record")
    )


def restore_tills(order: CommandForm, _asked: PageRequest) -> Success:
    """Take a till back into use."""
    return _changed(order, till_cash_and_shifts.RESTORED, _("%(till)s is in use again"))


def _changed(order: CommandForm, change: str, told: str) -> Success:
    made = tills.change_tills(hall=order.hall, change=change, till=order.text("till"), **order.who)
    return Success(told % {"till": made.name}, reverse("tills"))


def tills_context(asked: PageRequest) -> Context:
    """Return every till, those in use first, and what was changed before."""
    found = JournalEntry.objects.filter(hall=asked.hall, kind=till_cash_and_shifts.CHANGED)
    history = listing.listed(
        found.select_related("by", "hall").order_by("-number"), columns=(), query=asked.query
    )
    known = tills.list_tills(asked.hall)
    in_use = sum(one.in_use for one in known.values())
    return {
        "tills": sorted(known.items(), key=lambda each: (not each[1].in_use, each[0])),
        "may_add": in_use < MOST_TILLS,
        "alone": in_use == 1,
        "most": MOST_TILLS,
        "history": [(one, journal_text.describe_entry(one)) for one in history.page],
        "listing": history,
    }


TILLS_PAGE = Page(
    "tills",
    "tills/",
    "tills/tills.html",
    tills_context,
    {"add": add_tills, "retire": retire_tills, "restore": restore_tills},
)


def enrol_inspector(order: CommandForm, _asked: PageRequest) -> Success:
    """Take another inspector on with a first password, which the answer shows."""
    given = halls_staff.enrol(
        hall=order.hall,
        username=order.text("username").lower(),
        name=order.text("name"),
        roles=[staff.INSPECTOR],
        language=order.choice("language", LANGUAGES),
        **order.who,
    )
    return _shown_once(given, reverse("inspector-accounts"))


def disable_inspector(order: CommandForm, _asked: PageRequest) -> Success:
    """Let an inspector who leaves log in no more."""
    made = halls_staff.set_active(
        hall=order.hall, username=order.text("username"), active=False, **order.who
    )
    return _inspectors_done(
        _("%(person)s can no longer log in, and stays in the record") % {"person": made}
    )


def enable_inspector(order: CommandForm, _asked: PageRequest) -> Success:
    """Let an inspector in again."""
    made = halls_staff.set_active(
        hall=order.hall, username=order.text("username"), active=True, **order.who
    )
    return _inspectors_done(_("%(person)s can log in again") % {"person": made})


def give_inspectors_password(order: CommandForm, _asked: PageRequest) -> Success:
    """Draw a password for an inspector, which the answer shows, and they change at their next login."""
    given = halls_staff.give_password(hall=order.hall, username=order.text("username"), **order.who)
    return _shown_once(given, reverse("inspector-accounts"))


def _inspectors_done(text: str) -> Success:
    return Success(text, reverse("inspector-accounts"))


def inspectors_context(asked: PageRequest) -> Context:
    """Return the hall's inspectors, and what was changed of accounts at the machine."""
    found = [one for one in halls_staff.members(asked.hall) if staff.INSPECTOR in one.roles]
    wanted = asked.typed.get("username", "") or asked.query.get("person", "")
    return {
        "people": _accounts(asked, found, timezone.now()),
        "chosen": next(
            (
                one
                for one in found
                if one.username == wanted
                and wanted != asked.person.username
                and asked.verb != "enrol"
            ),
            None,
        ),
        "languages": [(code, get_language_info(code)["name_local"]) for code in LANGUAGES],
        "at_machine": changed_at_machine(asked.hall),
    }


INSPECTORS_PAGE = Page(
    "inspector-accounts",
    "inspector/accounts/",
    "staff/inspectors.html",
    inspectors_context,
    {
        "enrol": enrol_inspector,
        "disable": disable_inspector,
        "enable": enable_inspector,
        "password": give_inspectors_password,
    },
    readers=(Role.INSPECTOR,),
    writers=(Role.INSPECTOR,),
)
