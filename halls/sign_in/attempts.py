"""Count wrong second factors of a person, and close for a while after too many.

Counted by the login's own guard under a name that nobody can have, and by the person alone: whoever
guesses at a code has the password already, and changes addresses as often as they like.
"""

from __future__ import annotations

from axes.handlers.proxy import AxesProxyHandler
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest

from bingo.rules.refusal import Refusal
from halls import second_person
from halls.models import Person

NOWHERE = "192.0.2.1"  # one address for all (RFC 5737: nobody has it)


def require_open(request: HttpRequest, person: Person) -> None:
    """Refuse whoever has given too many wrong ones: factor_locked."""
    asking, named = _asking(request, person)
    if not AxesProxyHandler.is_allowed(asking, named):
        raise Refusal("factor_locked")


def count_wrong(request: HttpRequest, person: Person) -> None:
    """Count one that was wrong; call it outside of the transaction of what is refused."""
    asking, named = _asking(request, person)
    user_login_failed.send(sender=__name__, credentials=named, request=asking)


def _asking(request: HttpRequest, person: Person) -> tuple[HttpRequest, dict[str, str]]:
    asking = second_person.bare(request)
    asking.META = {**request.META, "REMOTE_ADDR": NOWHERE}
    asking.META.pop("HTTP_X_FORWARDED_FOR", None)
    return asking, {"username": f"/factor/{person.pk}"}
