"""The staff of a hall: enrolled, given roles and passwords, disabled; never deleted (BOE III).

Also the list of its members, and what the record says of a hall's opening, its staff and its tills.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, Unpack

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules import rulebooks, setup, shifts, staff
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.staff import Member
from halls import passwords, permissions, second_person
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, Person, Role, Shift


def members(hall: Hall) -> list[Member]:
    """Return everybody the hall knows, who left too, by their usernames."""
    open_shifts = Shift.objects.filter(session__hall=hall, closed_at__isnull=True)
    tills = dict(open_shifts.values_list("cashier_id", "till__name"))
    return [
        Member(
            username=one.username,
            name=one.name,
            roles=tuple(one.roles),
            active=one.is_active,
            open_shift=tills.get(one.pk, ""),
        )
        for one in hall.people.order_by("username")
    ]


def enrol(
    *,
    hall: Hall,
    username: str,
    name: str,
    roles: Collection[str],
    language: str,
    password: str,
    given: bool = True,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> Person:
    """Take somebody on, with a first password that they change at their first login where `given`.

    Raises Refusal: username_taken, password_weak, passwords_busy, or those of `_change`.
    """
    told = {"name": name, "roles": staff.in_order(roles), "language": language}
    with passwords.turn(), transaction.atomic():
        data, new = _change(hall, staff.ENROLLED, of=username, told=told, witness=witness, **who)
        if not new:
            return Person.objects.get(hall=hall, username=username)
        if Person.objects.filter(username=username).exists():
            raise Refusal("username_taken", username=username)
        second_person.require_good(password, username=username, name=name, hall=hall.name)
        taken_on = {name: data[name] for name in ("username", "name", "roles", "language")}
        return Person.objects.enrol(hall=hall, password=password, password_given=given, **taken_on)


def set_roles(
    *,
    hall: Hall,
    username: str,
    name: str,
    roles: Collection[str],
    witness: Person | None = None,
    **who: Unpack[Who],
) -> Person:
    """Set what somebody is called and may do. Raises Refusal: those of `_change`."""
    told = {"name": name, "roles": staff.in_order(roles)}
    return _changed(hall, staff.SET, username, told, witness=witness, **who)


def set_active(
    *, hall: Hall, username: str, active: bool, witness: Person | None = None, **who: Unpack[Who]
) -> Person:
    """Disable somebody who leaves, at once, or let them in again. Raises Refusal: those of `_change`."""
    change = staff.ENABLED if active else staff.DISABLED
    return _changed(hall, change, username, {}, witness=witness, **who)


def give_password(
    *, hall: Hall, username: str, password: str, witness: Person | None = None, **who: Unpack[Who]
) -> Person:
    """Return somebody a password that they change at their next login.

    Raises Refusal: password_weak, passwords_busy, or those of `_change`.
    """
    with passwords.turn():
        return _changed(
            hall, staff.PASSWORD, username, {}, password=password, witness=witness, **who
        )


@passwords.turn()  # before the hall's lock: no sale waits for a password's turn
@transaction.atomic
def change_password(*, person: Person, password: str, at: datetime) -> Person:
    """Let somebody have a password that nobody else knows.

    Raises Refusal: password_weak, password_unchanged, passwords_busy.
    """
    hall = head.lock(person.hall_id)
    owner = Person.objects.select_for_update().get(pk=person.pk)
    if owner.check_password(password):
        raise Refusal("password_unchanged")
    second_person.require_good(password, username=owner.username, name=owner.name, hall=hall.name)
    owner.set_password(password)
    owner.password_given = False
    owner.save(update_fields=["password", "password_given"])
    journal_services.append(hall, Fact(staff.PASSWORD_CHANGED, {}), by=owner, at=at)
    return owner


@transaction.atomic
def _changed(
    hall: Hall,
    change: str,
    username: str,
    told: dict[str, Any],
    *,
    password: str = "",
    **who: Any,
) -> Person:
    data, new = _change(hall, change, of=username, told=told, **who)
    person = Person.objects.get(hall=hall, username=username)
    if not new:
        return person
    match change:
        case staff.SET:
            person.name, person.roles = data["name"], data["roles"]
        case staff.PASSWORD:
            second_person.require_good(
                password, username=username, name=person.name, hall=hall.name
            )
            person.set_password(password)
            person.password_given = True
        case _:
            person.is_active = change == staff.ENABLED
    person.save()
    return person


def _change(
    hall: Hall,
    change: str,
    *,
    of: str,
    told: dict[str, Any],
    witness: Person | None,
    **who: Unpack[Who],
) -> tuple[dict[str, Any], bool]:
    """Journal a change of the staff; return what it tells, and whether it is new under its key.

    Raises Refusal: not_allowed, key_reused, second_person_needed where the hall asks for one,
    witness_same_person, witness_not_allowed, or what `bingo.rules.staff.change` refuses.
    """
    by = who["by"]
    permissions.require(by, staff.CHANGED, hall=hall.pk)
    head.lock(hall.pk)
    # Whoever gives the order may have been disabled while it waited.
    by.refresh_from_db(fields=["roles", "is_active"])
    inputs = {"change": change, "username": of, **told}
    hall, done = begin_command(hall.pk, staff.CHANGED, inputs=inputs, **who)
    if done:
        return done.data, False
    second = second_person.second(witness, by=by, kind=staff.CHANGED, hall=hall)
    data = staff.change(members(hall), change, of=of, by=by.username, **told)
    journal_services.append(hall, Fact(staff.CHANGED, data | second), **who)
    return data, True


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
    shifts.ADDED: _("added"),
    shifts.RETIRED: _("taken out of use"),
    shifts.RESTORED: _("taken back into use"),
}


def roles(names: Iterable[str]) -> str:
    """Name roles in the active language."""
    return ", ".join(str(Role(name).label) for name in names)


def _opened(data: Data, _money: Callable[[int], str]) -> str:
    told = [data["name"], data["licence"], rulebooks.title(data["rulebook"]), data["currency"]]
    return " · ".join([*told, data["time_zone"], data["manager"]["username"]])


def _staff_changed(data: Data, _money: Callable[[int], str]) -> str:
    told = [data["username"], str(CHANGES.get(data["change"], data["change"]))]
    if "roles" in data:
        told += [data["name"], roles(data["roles"])]
    return " · ".join(told)


def _tills_changed(data: Data, _money: Callable[[int], str]) -> str:
    return f"{data['till']} · {TILL_CHANGES.get(data['change'], data['change'])}"


TELLERS: Mapping[str, Teller] = {
    setup.OPENED: _opened,
    staff.CHANGED: _staff_changed,
    shifts.CHANGED: _tills_changed,
}
