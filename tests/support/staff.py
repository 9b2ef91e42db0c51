"""What the tests of staff share with others."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from halls import accounts, staff
from halls.models import Hall, Person, Role

FIRST = "primeira-senha-9"


def manager(hall: Hall) -> dict[str, Any]:
    by = hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("pk")[0]
    return {"hall": hall, "by": by, "at": timezone.now()}


def take_on(where: Hall, username: str = "rui.pires", **changed: Any) -> Person:
    asked: dict[str, Any] = {
        "name": "Rui Pires",
        "roles": ["cashier"],
        "language": "pt",
        "password": FIRST,
    }
    return staff.enrol(username=username, **asked | manager(where) | changed)


def take_on_inspector(where: Hall, username: str = "inspetor", **changed: Any) -> Person:
    """Take an inspector on as the first of a hall is: at the machine."""
    asked: dict[str, Any] = {
        "name": "Carlos Lima", "roles": ["inspector"], "language": "pt", "password": FIRST,
        "at": timezone.now(),
    }  # fmt: skip
    return accounts.enrol_at_machine(hall=where, username=username, **asked | changed)
