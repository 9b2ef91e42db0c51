"""The staff of a hall: enrolled, given roles and passwords, disabled; never deleted (BOE III).

Also the list of its members, and what the record says of a hall's opening, its staff and its tills.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Unpack

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX, make_password
from django.db import connection, transaction
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bingo.rules import (
    journal_json_and_chain,
    rulebooks,
    setup,
    sign_in_and_pins,
    staff,
    till_cash_and_shifts,
)
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.staff import Member
from halls import passwords, permissions, second_person, security_log
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, JournalEntry, Person, Pin, ProviderLink, Role, Shift
from halls.passwords import Given
from halls.policy import queries as policy_queries
from halls.sign_in import logins

# What was opened before is over, wherever its browser is, also when they are let in again.
ENDS_LOGINS = (staff.DISABLED, staff.PASSWORD)


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
    own_password: str = "",
    witness: Person | None = None,
    **who: Unpack[Who],
) -> Given:
    """Take somebody on with a first password, drawn unless they have one of their own.

    Raises Refusal: username_taken, password_weak, passwords_busy, or those of `_change`.
    """
    told = {"name": name, "roles": staff.in_order(roles), "language": language}
    with passwords.turn(), transaction.atomic():
        entry, secret = _change(
            hall, staff.ENROLLED, of=username, told=told, own_password=own_password,
            witness=witness, **who,
        )  # fmt: skip
        if entry is None:
            return Given(Person.objects.get(hall=hall, username=username))
        return add_person(hall, entry, secret)


def set_roles(
    *,
    hall: Hall,
    username: str,
    name: str,
    roles: Collection[str],
    had: Collection[str] | None = None,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> Person:
    """Set what somebody is called and may do; `had` are the roles that whoever decides has seen.

    Raises Refusal: stale_page where they have others now, or those of `_change`.
    """
    told = {"name": name, "roles": staff.in_order(roles)}
    return _changed(hall, staff.SET, username, told, had=had, witness=witness, **who)


def set_active(
    *, hall: Hall, username: str, active: bool, witness: Person | None = None, **who: Unpack[Who]
) -> Person:
    """Disable somebody who leaves and end their logins, or let them in again. Raises Refusal: those of `_change`."""
    change = staff.ENABLED if active else staff.DISABLED
    return _changed(hall, change, username, {}, witness=witness, **who)


def give_password(
    *, hall: Hall, username: str, witness: Person | None = None, **who: Unpack[Who]
) -> Given:
    """Draw a password for somebody, which they change at their next login.

    Raises Refusal: password_weak, passwords_busy, or those of `_change`.
    """
    with passwords.turn(), transaction.atomic():
        entry, secret = _change(hall, staff.PASSWORD, of=username, told={}, witness=witness, **who)
        person = Person.objects.get(hall=hall, username=username)
        return replace_password(person, entry, secret) if entry else Given(person)


@passwords.turn()  # before the hall's lock: no sale waits for a password's turn
@transaction.atomic
def change_password(
    *, person: Person, password: str, at: datetime, login: int | None = None
) -> Person:
    """Let somebody have a password that nobody else knows, and end their logins but the one that goes on.

    Raises Refusal: password_weak, password_unchanged, passwords_busy.
    """
    hall = head.lock(person.hall_id)
    owner = Person.objects.select_for_update().get(pk=person.pk)
    if owner.check_password(password):
        raise Refusal("password_unchanged")
    passwords.require_good(password, username=owner.username, name=owner.name, hall=hall.name)
    owner.set_password(password)
    owner.password_given = False
    # PostgreSQL lets nobody's password be changed but as the newest entry tells (decision 45).
    told = {"password_digest": sign_in_and_pins.digest_of(owner.password)}
    journal_services.append(hall, Fact(staff.PASSWORD_CHANGED, told), by=owner, at=at)
    owner.save(update_fields=["password", "password_given"])
    # Set by whoever stood at an open page, they would outlive what they were to be kept from.
    Pin.objects.filter(person=owner).delete()
    _end_provider_link(owner, at=at)
    logins.end(owner, at=at, but=login)
    security_log.record_later("password_changed", person=owner)
    return owner


@transaction.atomic
def _changed(
    hall: Hall,
    change: str,
    username: str,
    told: dict[str, Any],
    **who: Any,
) -> Person:
    entry, _none = _change(hall, change, of=username, told=told, **who)
    person = Person.objects.get(hall=hall, username=username)
    return write_change(person, entry) if entry else person


@dataclass(frozen=True, slots=True)
class Secret:
    """The hash of a password; and the password itself where it was drawn, not chosen by its owner."""

    hashed: str = field(default="", repr=False)
    drawn: str = field(default="", repr=False)


def make_password_of(
    hall: Hall, data: dict[str, Any], *, name: str, own_password: str = ""
) -> Secret:
    """Return the password that a change gives, and add to what is told of it; else nothing.

    Raises Refusal password_weak.
    """
    if data["change"] not in (staff.ENROLLED, staff.PASSWORD):
        return Secret()
    username = data["username"]
    named = {"username": username, "name": name, "hall": hall.name}
    if own_password:
        passwords.require_good(own_password, **named)
    drawn = "" if own_password else passwords.draw_good(**named)
    # After an archive was restored nothing is there that proved anybody before.
    lost = {"username": username, "password__startswith": UNUSABLE_PASSWORD_PREFIX}
    if Person.objects.filter(hall=hall, **lost).exists():
        data["anew"] = True
    hashed = make_password(own_password or drawn)
    data["password_digest"] = sign_in_and_pins.digest_of(hashed)
    return Secret(hashed, drawn)


def replace_password(person: Person, entry: JournalEntry, secret: Secret) -> Given:
    """Write the password that an entry gives into its owner's row; PIN and link go with the old one."""
    person.password, person.password_given = secret.hashed, True
    person.save(update_fields=["password", "password_given"])
    Pin.objects.filter(person=person).delete()
    _end_provider_link(person, at=entry.at)
    return _given(write_change(person, entry), entry, secret)


def write_change(person: Person, entry: JournalEntry) -> Person:
    """Write what an entry says of somebody into their row, and end their logins where it must."""
    # PostgreSQL lets nobody change roles but by what the journal says.
    with connection.cursor() as cursor:
        cursor.execute("SELECT apply_staff_change(%s)", [entry.pk])
    if entry.data["change"] in ENDS_LOGINS:
        logins.end(person, at=entry.at)
    person.refresh_from_db()
    return person


def _end_provider_link(person: Person, *, at: datetime) -> None:
    """Let the chain's provider sign somebody in no more: what holds after a new password is linked anew."""
    ProviderLink.objects.filter(person=person, ended_at=None).update(ended_at=at)


def _given(person: Person, entry: JournalEntry, secret: Secret) -> Given:
    until = entry.at + staff.PASSWORD_HOLDS if secret.drawn else None
    return Given(person, secret.drawn, until)


def add_person(hall: Hall, entry: JournalEntry, secret: Secret) -> Given:
    """Add whom an entry says was taken on. Raises Refusal username_taken."""
    data = entry.data
    if Person.objects.filter(username=data["username"]).exists():
        raise Refusal("username_taken", username=data["username"])
    taken_on = {name: data[name] for name in ("username", "name", "roles", "language")}
    waits = (
        journal_json_and_chain.read_moment(data["witness_from"]) if "witness_from" in data else None
    )
    person = Person.objects.create(
        hall=hall, password=secret.hashed, password_given=bool(secret.drawn), witness_from=waits,
        **taken_on,
    )  # fmt: skip
    return _given(person, entry, secret)


def waiting(
    hall: Hall, data: Mapping[str, Any], before: Member | None, at: datetime
) -> dict[str, str]:
    """Return from when somebody changed so stands as a second person, where they wait.

    Nobody waits who was changed before the hall's first session: a new hall plays on its first evening.
    """
    if not policy_queries.settled(hall) or not staff.waits(dict(data), before):
        return {}
    return {
        "witness_from": journal_json_and_chain.moment_after(
            head.stamp(at, hall.head_at), staff.WAIT
        )
    }


def _change(
    hall: Hall,
    change: str,
    *,
    of: str,
    told: dict[str, Any],
    own_password: str = "",
    had: Collection[str] | None = None,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> tuple[JournalEntry | None, Secret]:
    """Journal a change of the staff; return its entry if it is new, and the password that it gives.

    An inspector changes inspectors' accounts, a hall manager all others. Raises Refusal:
    not_allowed, inspectors_account, key_reused, stale_page, password_weak, second_person_needed where
    the hall asks for one, what `second_person.witness_name` refuses, or what `decide` refuses.
    """
    by = who["by"]
    inspects = staff.INSPECTOR in by.roles
    kind = staff.INSPECTOR_CHANGED if inspects else staff.CHANGED
    permissions.require(by, kind, hall=hall.pk)
    head.lock(hall.pk)
    # Whoever gives the order may have been disabled while it waited.
    by.refresh_from_db(fields=["roles", "is_active"])
    inputs = {"change": change, "username": of, **told}
    hall, done = begin_command(hall.pk, kind, inputs=inputs, **who)
    if done:
        return None, Secret()
    people = members(hall)
    before = next((one for one in people if one.username == of), None)
    if before is not None and had is not None and set(had) != set(before.roles):
        raise Refusal("stale_page")
    data = decide(people, change, of=of, by=by.username, told=told)
    staff.require_apart(data, before, inspects=inspects)
    second = _second(hall, kind, witness, **who)
    data |= second | waiting(hall, data, before, who["at"])
    name = data.get("name") or (before.name if before else "")
    secret = make_password_of(hall, data, name=name, own_password=own_password)
    entry = journal_services.append(hall, Fact(kind, data), **who)
    log_change(hall, data, person=by)
    return entry, secret


def decide(
    people: Sequence[Member], change: str, *, of: str, by: str, told: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what becomes of one of the staff.

    Raises Refusal: unknown_language, or what `bingo.rules.staff.change` refuses.
    """
    data = staff.change(people, change, of=of, by=by, **told)
    if change == staff.ENROLLED:
        staff.require_language(told["language"], known=[one for one, _name in settings.LANGUAGES])
    return data


def log_change(hall: Hall, data: Mapping[str, Any], *, person: Person | None) -> None:
    """Tell the security log of a change of rights, once it is committed."""
    shown = {name: data[name] for name in ("change", "roles", "witness") if name in data}
    of = data["username"]
    security_log.record_later("rights_changed", person=person, hall=hall, of=of, **shown)


def _second(hall: Hall, kind: str, witness: Person | None, **who: Unpack[Who]) -> dict[str, str]:
    """Return the second person. Raises Refusal: those of `second_person.second`.

    While a hall is set up there may be nobody yet; inspectors answer to nobody of the hall.
    """
    if witness is None and (kind != staff.CHANGED or not policy_queries.settled(hall)):
        return {}
    return second_person.second(witness, by=who["by"], kind=kind, hall=hall, at=who["at"])


Data = Mapping[str, Any]
Teller = Callable[[Any, Callable[[int], str]], str]

CHANGES: Mapping[str, Promise] = {
    staff.ENROLLED: _("taken on"),
    staff.SET: _("name and roles set"),
    staff.DISABLED: _("disabled"),
    staff.ENABLED: _("let in again"),
    staff.PASSWORD: _("password given"),
    staff.FACTOR: _("second factors removed"),
}

TILL_CHANGES: Mapping[str, Promise] = {
    till_cash_and_shifts.ADDED: _("added"),
    till_cash_and_shifts.RETIRED: _("taken out of use"),
    till_cash_and_shifts.RESTORED: _("taken back into use"),
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
    if "witness_from" in data:
        since = date_format(
            localtime(journal_json_and_chain.read_moment(data["witness_from"])),
            "SHORT_DATETIME_FORMAT",
        )
        told.append(gettext("second person from %(moment)s on") % {"moment": since})
    return " · ".join(told)


def _at_machine(data: Data, money: Callable[[int], str]) -> str:
    how = _("with the regulator's key") if "note" in data else _("without a signature")
    return " · ".join([_staff_changed(data, money), str(_("at the machine")), str(how)])


def _tills_changed(data: Data, _money: Callable[[int], str]) -> str:
    return f"{data['till']} · {TILL_CHANGES.get(data['change'], data['change'])}"


TELLERS: Mapping[str, Teller] = {
    setup.OPENED: _opened,
    staff.CHANGED: _staff_changed,
    staff.INSPECTOR_CHANGED: _staff_changed,
    staff.AT_MACHINE: _at_machine,
    till_cash_and_shifts.CHANGED: _tills_changed,
}
