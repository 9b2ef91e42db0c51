"""Changing a hall's staff: taken on, given roles and passwords, disabled; never deleted (BOE III)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import staff as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import Hall, Person
from halls.queries import staff as queries
from halls.services import journal, passwords, witnesses


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
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Person:
    """Take somebody on, with a first password that they change at their first login where `given`.

    Raises Refusal: username_taken, password_weak, or those of `_change`.
    """
    told = {"name": name, "roles": rules.in_order(roles), "language": language}
    with transaction.atomic():
        data, new = _change(
            hall, rules.ENROLLED, of=username, told=told, witness=witness, by=by, at=at, key=key
        )
        if not new:
            return Person.objects.get(hall=hall, username=username)
        if Person.objects.filter(username=username).exists():
            raise Refusal("username_taken", username=username)
        passwords.require_good(password, username=username, name=name)
        taken_on = {name: data[name] for name in ("username", "name", "roles", "language")}
        return Person.objects.enrol(hall=hall, password=password, password_given=given, **taken_on)


def set_roles(
    *,
    hall: Hall,
    username: str,
    name: str,
    roles: Collection[str],
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Person:
    """Set what somebody is called and may do. Raises Refusal: those of `_change`."""
    told = {"name": name, "roles": rules.in_order(roles)}
    return _changed(hall, rules.SET, username, told, witness=witness, by=by, at=at, key=key)


def set_active(
    *,
    hall: Hall,
    username: str,
    active: bool,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Person:
    """Disable somebody who leaves, at once, or let them in again. Raises Refusal: those of `_change`."""
    change = rules.ENABLED if active else rules.DISABLED
    return _changed(hall, change, username, {}, witness=witness, by=by, at=at, key=key)


def give_password(
    *,
    hall: Hall,
    username: str,
    password: str,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Person:
    """Give somebody a password that they change at their next login.

    Raises Refusal: password_weak, or those of `_change`.
    """
    return _changed(
        hall, rules.PASSWORD, username, {}, password=password,
        witness=witness, by=by, at=at, key=key,
    )  # fmt: skip


@transaction.atomic
def change_password(*, person: Person, password: str, at: datetime) -> Person:
    """Let somebody have a password that nobody else knows.

    Raises Refusal: password_weak, password_unchanged.
    """
    hall = journal.lock(person.hall_id)
    owner = Person.objects.select_for_update().get(pk=person.pk)
    if owner.check_password(password):
        raise Refusal("password_unchanged")
    passwords.require_good(password, username=owner.username, name=owner.name)
    owner.set_password(password)
    owner.password_given = False
    owner.save(update_fields=["password", "password_given"])
    journal.append(hall, Fact(rules.PASSWORD_CHANGED, {}), by=owner, at=at)
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
        case rules.SET:
            person.name, person.roles = data["name"], data["roles"]
        case rules.PASSWORD:
            passwords.require_good(password, username=username, name=person.name)
            person.set_password(password)
            person.password_given = True
        case _:
            person.is_active = change == rules.ENABLED
    person.save()
    return person


def _change(
    hall: Hall,
    change: str,
    *,
    of: str,
    told: dict[str, Any],
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None,
) -> tuple[dict[str, Any], bool]:
    """Journal a change of the staff; give what it tells, and whether it is new under its key.

    Raises Refusal: not_allowed, key_reused, second_person_needed where the hall asks for one,
    witness_same_person, witness_not_allowed, or what `bingo.rules.staff.change` refuses.
    """
    permissions.require(by, rules.CHANGED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    # Whoever gives the order may have been disabled while it waited.
    by.refresh_from_db(fields=["roles", "is_active"])
    permissions.require(by, rules.CHANGED, hall=hall.pk)
    inputs = {"change": change, "username": of, **told}
    if done := journal.earlier(hall, kind=rules.CHANGED, by=by, key=key, inputs=inputs):
        return done.data, False
    second = witnesses.second(witness, by=by, kind=rules.CHANGED, hall=hall)
    data = rules.change(queries.members(hall), change, of=of, by=by.username, **told)
    journal.append(hall, Fact(rules.CHANGED, data | second), by=by, at=at, key=key)
    return data, True
