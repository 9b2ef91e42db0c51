"""What the record says of a hall's opening, of its staff and of its tills."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules import halls, staff, tills
from halls.models import Role

Data = Mapping[str, Any]
Teller = Callable[[Any, Callable[[int], str]], str]

CHANGES: Mapping[str, Promise] = {
    staff.ENROLLED: _("taken on"),
    staff.SET: _("name and roles set"),
    staff.DISABLED: _("disabled"),
    staff.ENABLED: _("let in again"),
    staff.PASSWORD: _("password given"),
}

TILL_CHANGES: Mapping[str, Promise] = {
    tills.ADDED: _("added"),
    tills.RETIRED: _("taken out of use"),
    tills.RESTORED: _("taken back into use"),
}


def roles(names: Iterable[str]) -> str:
    """Name roles in the active language."""
    return ", ".join(str(Role(name).label) for name in names)


def _opened(data: Data, _money: Callable[[int], str]) -> str:
    told = [data["name"], data["licence"], data["rulebook"], data["currency"], data["time_zone"]]
    return " · ".join([*told, data["manager"]["username"]])


def _changed(data: Data, _money: Callable[[int], str]) -> str:
    told = [data["username"], str(CHANGES.get(data["change"], data["change"]))]
    if "roles" in data:
        told += [data["name"], roles(data["roles"])]
    return " · ".join(told)


def _tills_changed(data: Data, _money: Callable[[int], str]) -> str:
    return f"{data['till']} · {TILL_CHANGES.get(data['change'], data['change'])}"


TELLERS: Mapping[str, Teller] = {
    halls.OPENED: _opened,
    staff.CHANGED: _changed,
    tills.CHANGED: _tills_changed,
}
