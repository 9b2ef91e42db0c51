"""A second person who confirms a command by a password, beside whoever gives it.

A person who shows who they are by a password, beside whoever is logged in.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from django.contrib.auth import authenticate
from django.http import HttpRequest

from bingo.rules import policies as rules
from bingo.rules.refusal import Refusal
from halls import attempts, passwords, security_log
from halls.attempts import Question
from halls.models import Hall, Person, Role
from halls.policy import queries as policy_queries

LockedOut = attempts.LockedOut


class RunOut(Exception):
    """The password is right, was given to somebody, and holds no longer."""

    def __init__(self, person: Person) -> None:
        super().__init__(person.pk)
        self.person = person


def proven(
    request: HttpRequest,
    question: Question,
    *,
    username: str,
    password: str,
    asker: Person | None = None,
    at: datetime,
) -> Person | None:
    """Return the active person of a name and password, None where they are nobody's.

    Somebody whose password was given to them is nobody yet: whoever gave it knows it too.
    Raises LockedOut, Refusal passwords_busy.
    """
    try:
        person = identified(
            request, question, username=username, password=password, asker=asker, at=at
        )
    except RunOut:
        return None
    return None if person is None or person.password_given else person


def identified(
    request: HttpRequest,
    question: Question,
    *,
    username: str,
    password: str,
    asker: Person | None = None,
    at: datetime,
) -> Person | None:
    """Return the active person of a name and password, whoever gave it; None where there is none.

    A try has its turn before it counts, so that nobody is told that the hall is busy at the price
    of a failure; one with a given password that has run out counts as a wrong one. Raises LockedOut,
    RunOut, Refusal passwords_busy.
    """
    if len(password) > passwords.LONGEST or len(username) > passwords.LONGEST:
        return None
    place = str(request.META.get("REMOTE_ADDR") or "")
    with passwords.turn():
        attempt = attempts.begin(
            question, name=username, asker=asker.pk if asker else None, place=place, at=at
        )
        person = authenticate(request, username=username, password=password)
        if not isinstance(person, Person) or not person.is_active:
            return None
        if passwords.has_run_out(person, at=at):
            security_log.record("password_run_out", request=request, person=person)
            raise RunOut(person)
        attempts.succeeded(attempt)
    return person


ROLES = (Role.TABLE_CHIEF, Role.HALL_MANAGER)
# Who else may be the second person of a command: another caller confirms a ball on a console (R55).
FURTHER: Mapping[str, tuple[Role, ...]] = MappingProxyType({"ball_announced": (Role.CALLER,)})

# Who else may type their password for it: an inspector stands for what is an inspector's own.
BESIDE: Mapping[str, tuple[Role, ...]] = MappingProxyType({"factor_removed": (Role.INSPECTOR,)})


def witness(
    *,
    hall: Hall,
    username: str,
    password: str,
    request: HttpRequest,
    by: Person,
    kind: str,
    at: datetime,
) -> Person:
    """Return the second person of a command of that kind, known by their own password.

    Wrong passwords keep `by` from naming this person for a while; neither of them is kept from
    anything else. Call it before the transaction of the command, which would keep the hall while a
    password has its turn. Raises Refusal: unknown_command, witness_unknown (name or password),
    witness_locked (too many failures), witness_same_person, witness_not_allowed, passwords_busy.
    """
    rules.require_known(kind)
    try:
        person = proven(
            request, Question.WITNESS, username=username, password=password, asker=by, at=at
        )
    except LockedOut as locked:
        raise Refusal("witness_locked", seconds=locked.seconds) from None
    if person is None:
        raise Refusal("witness_unknown")
    if person.pk == by.pk:
        raise Refusal("witness_same_person")
    roles = (*ROLES, *BESIDE.get(kind, ()))
    if person.hall_id != hall.pk or not set(roles) & set(person.roles):
        raise Refusal("witness_not_allowed", roles=[role.value for role in roles])
    return person


def _require_known_for_long(person: Person, at: datetime) -> None:
    """Refuse whom others have made, let in or given a password a day ago or less: witness_too_soon."""
    if person.witness_from is not None and at < person.witness_from:
        here = person.witness_from.astimezone(ZoneInfo(person.hall.time_zone))
        raise Refusal("witness_too_soon", person=person.name, moment=here.isoformat())


def witness_name(witness: Person | None, *, by: Person, kind: str, at: datetime) -> str | None:
    """Return the second person of a command as the journal names people, None where there is none.

    Whoever calls this has made sure that it is them. Raises Refusal: witness_same_person,
    witness_not_allowed, witness_too_soon.
    """
    if witness is None:
        return None
    # What was changed of them while the command waited for the hall counts.
    witness.refresh_from_db(fields=["roles", "is_active", "password_given", "witness_from"])
    if witness.pk == by.pk:
        raise Refusal("witness_same_person")
    roles = (*ROLES, *FURTHER.get(kind, ()), *BESIDE.get(kind, ()))
    ours = witness.is_active and not witness.password_given and witness.hall_id == by.hall_id
    if not ours or not set(roles) & set(witness.roles):
        raise Refusal("witness_not_allowed", roles=[role.value for role in roles])
    _require_known_for_long(witness, at)
    return witness.username


def second(
    witness: Person | None, *, by: Person, kind: str, hall: Hall, at: datetime
) -> dict[str, str]:
    """Return what a fact beside games tells of its second person, where there is one.

    Raises Refusal: second_person_needed where the hall asks for one (`policy_set`), or those of
    `witness_name`.
    """
    if witness is None and kind in policy_queries.in_force(hall, at).four_eyes:
        raise Refusal("second_person_needed", command=kind)
    named = witness_name(witness, by=by, kind=kind, at=at)
    return {} if named is None else {"witness": named}
