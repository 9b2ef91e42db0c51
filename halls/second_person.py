"""A second person who confirms a command by a password, beside whoever gives it.

A person who shows who they are by a password, beside whoever is logged in.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from bingo.rules import policies as rules
from bingo.rules.refusal import Refusal
from halls.models import Hall, Person, Role
from halls.policy import queries as policy_queries

LONGEST = 1000  # hashing a longer one would only keep the hall waiting


class LockedOut(Exception):
    """There were too many failures: nobody is asked for a while."""


def proven(request: HttpRequest, *, username: str, password: str) -> Person | None:
    """Return the active person of a name and password, None where they are nobody's.

    Somebody whose password was given to them is nobody yet: whoever gave it knows it too.
    Call it before the transaction of a command: a refused one would forget the failure that
    django-axes counts. Raises LockedOut.
    """
    asking = bare(request)
    person = authenticate(asking, username=username, password=password)
    if getattr(asking, "axes_locked_out", False):
        raise LockedOut
    theirs = isinstance(person, Person) and person.is_active and not person.password_given
    return person if theirs else None


def require_good(password: str, *, username: str, name: str) -> None:
    """Refuse a password that others would guess: password_weak."""
    if len(password) > LONGEST:
        raise Refusal("password_weak")
    if _holds_a_name(password.casefold(), username, *name.split(), *username.split(".")):
        raise Refusal("password_weak")
    try:
        validate_password(password)
    except ValidationError:
        raise Refusal("password_weak") from None


def _holds_a_name(password: str, *names: str) -> bool:
    """Return whether a password holds what its owner is called; a name of two letters tells nothing."""
    return any(len(one) > 2 and one.casefold() in password for one in names)


def bare(request: HttpRequest) -> HttpRequest:
    """Return a request from the same place that carries no fields.

    django-axes keeps what a failed request posted, and only knows the login's password field; and
    it would answer a locked name with a page of its own in the place of the one ordered from.
    """
    asking = HttpRequest()
    asking.META, asking.path, asking.method = request.META, request.path, request.method
    return asking


ROLES = (Role.TABLE_CHIEF, Role.HALL_MANAGER)
# Who else may be the second person of a command: another caller confirms a ball on a console (R55).
FURTHER: Mapping[str, tuple[Role, ...]] = MappingProxyType({"ball_announced": (Role.CALLER,)})

# Who else may type their password for it: an inspector stands for what is an inspector's own.
BESIDE: Mapping[str, tuple[Role, ...]] = MappingProxyType({"factor_removed": (Role.INSPECTOR,)})


def witness(
    *, hall: Hall, username: str, password: str, request: HttpRequest, by: Person, kind: str
) -> Person:
    """Return the second person of a command of that kind, known by their own password.

    Call it before the transaction of the command: a refused one would forget the failure that
    django-axes counts. Raises Refusal: unknown_command, witness_unknown (name or password),
    witness_locked (too many failures), witness_same_person, witness_not_allowed.
    """
    rules.require_known(kind)
    try:
        person = proven(request, username=username, password=password)
    except LockedOut:
        raise Refusal("witness_locked") from None
    if person is None:
        raise Refusal("witness_unknown")
    if person.pk == by.pk:
        raise Refusal("witness_same_person")
    roles = (*ROLES, *BESIDE.get(kind, ()))
    if person.hall_id != hall.pk or not set(roles) & set(person.roles):
        raise Refusal("witness_not_allowed", roles=[role.value for role in roles])
    return person


def witness_name(witness: Person | None, *, by: Person, kind: str) -> str | None:
    """Return the second person of a command as the journal names people, None where there is none.

    Whoever calls this has made sure that it is them. Raises Refusal: witness_same_person,
    witness_not_allowed.
    """
    if witness is None:
        return None
    if witness.pk == by.pk:
        raise Refusal("witness_same_person")
    roles = (*ROLES, *FURTHER.get(kind, ()), *BESIDE.get(kind, ()))
    ours = witness.is_active and witness.hall_id == by.hall_id
    if not ours or not set(roles) & set(witness.roles):
        raise Refusal("witness_not_allowed", roles=[role.value for role in roles])
    return witness.username


def second(witness: Person | None, *, by: Person, kind: str, hall: Hall) -> dict[str, str]:
    """Return what a fact beside games tells of its second person, where there is one.

    Raises Refusal: second_person_needed where the hall asks for one (`policy_set`), or those of
    `name`.
    """
    if witness is None and kind in policy_queries.in_force(hall).four_eyes:
        raise Refusal("second_person_needed", command=kind)
    named = witness_name(witness, by=by, kind=kind)
    return {} if named is None else {"witness": named}
