"""What the tests of staff share with others."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from halls import accounts, staff
from halls.models import Hall, Person, Role
from halls.passwords import Given


def manager(hall: Hall) -> dict[str, Any]:
    by = hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("pk")[0]
    return {"hall": hall, "by": by, "at": timezone.now()}


def give(where: Hall, username: str = "rui.pires", **changed: Any) -> Given:
    """Take somebody on, and return the password that was drawn too."""
    asked: dict[str, Any] = {"name": "Rui Pires", "roles": ["cashier"], "language": "pt"}
    return staff.enrol(username=username, **asked | manager(where) | changed)


def take_on(where: Hall, username: str = "rui.pires", **changed: Any) -> Person:
    return give(where, username, **changed).person


def shown_password(answer: Any) -> str:
    """Return the password that the answer to an order shows: on its own page, and large."""
    assert answer.status_code == 200, answer.content.decode()
    page: str = answer.content.decode()
    return page.partition('id="given-password"')[2].partition("<code>")[2].partition("</code>")[0]


def take_on_inspector(where: Hall, username: str = "inspetor", **changed: Any) -> Person:
    """Take an inspector on as the first of a hall is: at the machine."""
    asked: dict[str, Any] = {
        "name": "Carlos Lima", "roles": ["inspector"], "language": "pt", "at": timezone.now(),
    }  # fmt: skip
    return accounts.enrol_at_machine(hall=where, username=username, **asked | changed).person
