"""A person who shows who they are by a password, beside whoever is logged in."""

from __future__ import annotations

from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from bingo.rules.refusal import Refusal
from halls.models import Person

LONGEST = 1000  # hashing a longer one would only keep the hall waiting


class LockedOut(Exception):
    """There were too many failures: nobody is asked for a while."""


def proven(request: HttpRequest, *, username: str, password: str) -> Person | None:
    """Give the active person of a name and password, None where they are nobody's.

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
    if password.casefold() in (username.casefold(), name.casefold()):
        raise Refusal("password_weak")
    try:
        validate_password(password)
    except ValidationError:
        raise Refusal("password_weak") from None


def bare(request: HttpRequest) -> HttpRequest:
    """Give a request from the same place that carries no fields.

    django-axes keeps what a failed request posted, and only knows the login's password field; and
    it would answer a locked name with a page of its own in the place of the one ordered from.
    """
    asking = HttpRequest()
    asking.META, asking.path, asking.method = request.META, request.path, request.method
    return asking
