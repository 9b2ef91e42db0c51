"""The page of the inspectors of a hall: taken on, given a password and disabled by an inspector alone."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _

from bingo.rules import staff
from draws.office.staff import LANGUAGES, changed_at_machine, password_twice
from draws.web.forms import CommandForm
from draws.web.page import Context, Page, PageRequest, Success
from halls import staff as halls_staff
from halls.models import Role


def enrol(order: CommandForm, _asked: PageRequest) -> Success:
    """Take another inspector on with a first password."""
    made = halls_staff.enrol(
        hall=order.hall,
        username=order.text("username").lower(),
        name=order.text("name"),
        roles=[staff.INSPECTOR],
        language=order.choice("language", LANGUAGES),
        password=password_twice(order),
        **order.who,
    )
    return _done(_("%(person)s can log in, and chooses another password then") % {"person": made})


def disable(order: CommandForm, _asked: PageRequest) -> Success:
    """Let an inspector who leaves log in no more."""
    made = halls_staff.set_active(
        hall=order.hall, username=order.text("username"), active=False, **order.who
    )
    return _done(_("%(person)s can no longer log in, and stays in the record") % {"person": made})


def enable(order: CommandForm, _asked: PageRequest) -> Success:
    """Let an inspector in again."""
    made = halls_staff.set_active(
        hall=order.hall, username=order.text("username"), active=True, **order.who
    )
    return _done(_("%(person)s can log in again") % {"person": made})


def give_password(order: CommandForm, _asked: PageRequest) -> Success:
    """Return an inspector a password that they change at their next login."""
    made = halls_staff.give_password(
        hall=order.hall, username=order.text("username"), password=password_twice(order),
        **order.who,
    )  # fmt: skip
    return _done(_("%(person)s has a new password, and chooses another then") % {"person": made})


def _done(text: str) -> Success:
    return Success(text, reverse("inspector-accounts"))


def context(asked: PageRequest) -> Context:
    """Return the hall's inspectors, and what was changed of accounts at the machine."""
    found = [one for one in halls_staff.members(asked.hall) if staff.INSPECTOR in one.roles]
    wanted = asked.typed.get("username", "") or asked.query.get("person", "")
    return {
        "people": [(one, one.username == asked.person.username) for one in found],
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
        "language": asked.typed.get("language", asked.hall.language),
        "at_machine": changed_at_machine(asked.hall),
    }


PAGE = Page(
    "inspector-accounts",
    "inspector/accounts/",
    "staff/inspectors.html",
    context,
    {"enrol": enrol, "disable": disable, "enable": enable, "password": give_password},
    readers=(Role.INSPECTOR,),
    writers=(Role.INSPECTOR,),
)
