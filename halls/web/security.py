"""What pages tell the security log by themselves: logins, logouts, refused forms, the request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase

from halls import security_log
from halls.models import Person


class RequestMiddleware:
    """Lets the log know which request is answered, wherever an event comes of it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with the request at hand for the log."""
        token = security_log.CURRENT.set(request)
        try:
            return self.get_response(request)
        finally:
            security_log.CURRENT.reset(token)


@receiver(user_logged_in)
def logged_in(request: HttpRequest, user: Person, **_signal: Any) -> None:
    """Tell of a login, and where it was not by something of the hall's own, by what."""
    by = getattr(request, "signed_in_by", "")
    if by:
        security_log.record("login", request=request, person=user, by=by)
    else:
        security_log.record("login", request=request, person=user)


@receiver(user_logged_out)
def logged_out(request: HttpRequest, user: Person | None, **_signal: Any) -> None:
    """Tell of a logout, unless nobody was logged in."""
    if user is not None:
        security_log.record("logout", request=request, person=user)


@receiver(user_login_failed)
def login_failed(
    credentials: dict[str, Any], request: HttpRequest | None = None, **_signal: Any
) -> None:
    """Tell of a wrong name or password."""
    person = _named(credentials.get("username"))
    security_log.record("login_failed", request=request, person=person, anybody=False)


def locked_out(request: HttpRequest, username: str) -> None:
    """Tell of a name that is locked for a while."""
    security_log.record("locked_out", request=request, person=_named(username), anybody=False)


def _named(username: object) -> Person | None:
    """Return the person of a name; what is nobody's is not kept, for it may be a password."""
    found = Person.objects.select_related("hall").filter(username=str(username or "")[:200])
    return found.first() if username and "\x00" not in str(username) else None
