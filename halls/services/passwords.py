"""A person who shows who they are by a password, beside whoever is logged in."""

from __future__ import annotations

from django.contrib.auth import authenticate
from django.http import HttpRequest

from halls.models import Person


class LockedOut(Exception):
    """There were too many failures: nobody is asked for a while."""


def proven(request: HttpRequest, *, username: str, password: str) -> Person | None:
    """Give the active person of a name and password, None where they are nobody's.

    Call it before the transaction of a command: a refused one would forget the failure that
    django-axes counts. Raises LockedOut.
    """
    asking = _bare(request)
    person = authenticate(asking, username=username, password=password)
    if getattr(asking, "axes_locked_out", False):
        raise LockedOut
    return person if isinstance(person, Person) and person.is_active else None


def _bare(request: HttpRequest) -> HttpRequest:
    """Give a request from the same place that carries no fields.

    django-axes keeps what a failed request posted, and only knows the login's password field; and
    it would answer a locked name with a page of its own in the place of the one ordered from.
    """
    bare = HttpRequest()
    bare.META, bare.path, bare.method = request.META, request.path, request.method
    return bare
