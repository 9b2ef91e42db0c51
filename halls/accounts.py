"""Accounts changed at the machine itself, by whoever runs it: the first inspector, and what is stuck.

An inspector's account is nobody's of the hall. The first of a hall is made here; any other change of
one needs a note that the regulator's key has signed, good once. Each is an entry of the journal that
nobody gave, shown to everybody who reads the staff or the records.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from bingo import signed_notes
from bingo.rules import staff
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from halls import staff as halls_staff
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, JournalEntry, Person
from halls.passwords import Given
from halls.sign_in import factors
from halls.staff import Secret


@dataclass(frozen=True, slots=True)
class Voucher:
    """What the regulator says: the public `key` known at the machine, and a `note` signed with it."""

    key: str = ""
    note: str = ""


NOBODY = Voucher()


def text_to_sign(hall: Hall, *, change: str, username: str) -> str:
    """Return what the regulator signs for the next change of an inspector's account of a hall."""
    found = JournalEntry.objects.filter(hall=hall, kind=staff.AT_MACHINE).order_by("-number")
    after = found.values_list("number", flat=True).first() or 0
    first = (
        JournalEntry.objects.filter(hall=hall, number=1).values_list("digest", flat=True).first()
    )
    return staff.vouched_text(
        hall.code, first=first or "", after=after, change=change, username=username
    )


@transaction.atomic
def enrol_at_machine(
    *,
    hall: Hall,
    username: str,
    name: str,
    roles: Collection[str],
    language: str,
    own_password: str = "",
    voucher: Voucher = NOBODY,
    at: datetime,
) -> Given:
    """Take somebody on with a first password, drawn unless they have one of their own.

    Raises Refusal: username_taken, or those of `_told`.
    """
    asked = {"name": name, "roles": staff.in_order(roles), "language": language}
    entry, secret = _told(
        hall, staff.ENROLLED, username, asked, voucher, own_password=own_password, at=at
    )
    return halls_staff.add_person(hall, entry, secret)


@transaction.atomic
def give_password_at_machine(
    *, hall: Hall, username: str, voucher: Voucher = NOBODY, at: datetime
) -> Given:
    """Draw a password for somebody. Raises Refusal: those of `_told`."""
    entry, secret = _told(hall, staff.PASSWORD, username, {}, voucher, at=at)
    person = Person.objects.get(hall=hall, username=username)
    return halls_staff.replace_password(person, entry, secret)


@transaction.atomic
def change_at_machine(
    *, hall: Hall, change: str, username: str, voucher: Voucher = NOBODY, at: datetime
) -> Person:
    """Disable somebody, let them in again, or take an inspector's factors.

    Raises Refusal: factor_unknown, or those of `_told`.
    """
    entry, _none = _told(hall, change, username, {}, voucher, at=at)
    person = Person.objects.get(hall=hall, username=username)
    if change == staff.FACTOR:
        factors.remove_all(person, at=at)
        return person
    return halls_staff.write_change(person, entry)


def _told(
    hall: Hall,
    change: str,
    username: str,
    asked: dict[str, Any],
    voucher: Voucher,
    *,
    own_password: str = "",
    at: datetime,
) -> tuple[JournalEntry, Secret]:
    """Journal a change; return its entry, and the password that it gives.

    Raises Refusal: password_weak, regulator_needed, regulator_note_wrong, training_is_apart, not_allowed, or what
    `halls.staff.decide` refuses.
    """
    hall = head.lock(hall.pk)
    if hall.is_training:
        raise Refusal("training_is_apart")
    people = halls_staff.members(hall)
    before = next((one for one in people if one.username == username), None)
    data = halls_staff.decide(people, change, of=username, by="", told=asked)
    vouched = _vouched(hall, voucher, change=change, username=username)
    staff.require_vouched(people, data, before, key=voucher.key, vouched=bool(vouched))
    data |= vouched | halls_staff.waiting(hall, data, before, at)
    name = data.get("name") or (before.name if before else "")
    secret = halls_staff.make_password_of(hall, data, name=name, own_password=own_password)
    entry = journal_services.append(hall, Fact(staff.AT_MACHINE, data), by=None, at=at)
    halls_staff.log_change(hall, data, person=None)
    return entry, secret


def _vouched(hall: Hall, voucher: Voucher, *, change: str, username: str) -> dict[str, str]:
    """Return what an entry tells of the regulator. Raises Refusal regulator_note_wrong."""
    if not voucher.note:
        return {}
    try:
        text = signed_notes.opened(voucher.note, [voucher.key] if voucher.key else [])
    except (Refusal, ValueError, IndexError):
        raise Refusal("regulator_note_wrong") from None
    if text != text_to_sign(hall, change=change, username=username):
        raise Refusal("regulator_note_wrong")
    return {"key": voucher.key, "note": voucher.note}
