"""The security log: who came in, who was refused, whose rights changed, as lines of JSON.

Beside the journal, which tells of the game: what is here proves nothing, and helps to see an attack
while it lasts. Every event stands in EVENTS with the fields that it may carry, so that no password
and no token can come in by a field's name; values are cut and written as JSON in ASCII, which no
line break gets out of (docs/operations.md).
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo import log_sinks
from halls.models import Hall, Person

CURRENT: ContextVar[HttpRequest | None] = ContextVar("security_request", default=None)
LONGEST = 200  # signs of a value
FILE = "security.log"
REQUEST = re.compile(r"[A-Za-z0-9-]{8,64}")


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, in words, and which fields tell more of it."""

    words: Promise
    fields: tuple[str, ...] = ()


EVENTS: Mapping[str, Event] = MappingProxyType(
    {
        "login": Event(_("Logged in"), ("by",)),
        "login_failed": Event(_("Wrong name or password")),
        "password_run_out": Event(_("Given password has run out")),
        "factor_shown": Event(_("Second factor shown"), ("by",)),
        "factor_failed": Event(_("Wrong second factor")),
        "pin_failed": Event(_("Wrong PIN")),
        "provider_failed": Event(_("Sign-in by the provider refused"), ("code", "cause")),
        "provider_linked": Event(_("Linked to the provider")),
        "provider_unlinked": Event(_("No longer linked to the provider"), ("of", "witness")),
        "locked_out": Event(_("Locked after too many attempts")),
        "logout": Event(_("Logged out")),
        "unlocked": Event(_("Page opened again"), ("by",)),
        "logins_ended": Event(_("Logins ended by another"), ("of",)),
        "session_expired": Event(_("Login has run out")),
        "refused": Event(_("Order refused"), ("code", "command")),
        "forbidden": Event(_("Page or order of another role"), ("path",)),
        "form_refused": Event(_("Form of another login or site"), ("path",)),
        "second_person_failed": Event(_("Second person not proven"), ("code", "command")),
        "rights_changed": Event(_("Rights changed"), ("change", "of", "roles", "witness")),
        "password_changed": Event(_("Password changed")),
        "accounts_joined": Event(_("Accounts of two halls joined"), ("other",)),
        "accounts_parted": Event(_("Accounts of two halls parted"), ("other",)),
    }
)
# What anybody can bring about without end: of one person, or address, and hour the first FEW have a
# line each, of everybody's the first OF_ALL, in each process; then the hundredth, the thousandth and
# so on, with the count. So nobody pushes logins and changes of rights out of the files.
BOUNDED = frozenset(["refused", "forbidden", "form_refused", "locked_out", "provider_failed"])
FEW, OF_ALL = 20, 500
KNOWN = 10_000  # of whom a process counts apart in an hour
ALWAYS = ("time", "event", "person", "role", "address", "hall", "request")


def record(
    event: str,
    *,
    request: HttpRequest | None = None,
    person: Person | None = None,
    hall: Hall | None = None,
    anybody: bool = True,
    **fields: Any,
) -> None:
    """Write down an event; what goes wrong with writing stops nobody.

    Without a request it is the one that is answered, without a person whoever is logged in by it,
    unless `anybody` is False. Raises ValueError for an event or a field that is not in EVENTS.
    """
    known = EVENTS.get(event)
    if known is None or not set(fields) <= set(known.fields):
        raise ValueError(f"{event} with {', '.join(fields)} is not in halls.security_log.EVENTS")
    request = request or CURRENT.get()
    if person is None and request is not None and anybody:
        user = getattr(request, "user", None)
        person = user if isinstance(user, Person) else None
    hall = hall or (person.hall if person else None)
    meta = request.META if request is not None else {}
    value = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "event": event,
        "person": person.username if person else "",
        "role": [str(role) for role in person.roles] if person else [],
        "address": meta.get("REMOTE_ADDR") or "",
        "hall": hall.code if hall else "",
        "request": _request(request),
        **fields,
    }
    if event in BOUNDED:
        times = _tally(file()).count(event, value["person"] or value["address"])
        if times is None:
            return
        value |= {"count": times} if times else {}
    _log().info(json.dumps({name: _plain(one) for name, one in value.items()}))


class _Tally:
    """How often what is bounded has come about in the present hour, in this process."""

    def __init__(self) -> None:
        self._lock, self._hour = threading.Lock(), ""
        self._counts: Counter[tuple[str, str | None]] = Counter()

    def count(self, event: str, whose: str) -> int | None:
        """Return 0 where this one is told, the count where it is told with it, None where it is not."""
        hour = datetime.now(UTC).isoformat(timespec="hours")
        with self._lock:
            if hour != self._hour:
                self._hour = hour
                self._counts.clear()
            one, everybody = (event, whose), (event, None)
            if one in self._counts or len(self._counts) < KNOWN:
                self._counts[one] += 1
            self._counts[everybody] += 1
            times, of_all = self._counts[one], self._counts[everybody]
        if of_all > OF_ALL:
            return of_all if _is_round(of_all) else None
        if times > FEW:
            return times if _is_round(times) else None
        return 0


def _is_round(number: int) -> bool:
    return str(number).rstrip("0") == "1"


@cache
def _tally(_path: Path) -> _Tally:
    return _Tally()


def record_later(event: str, **told: Any) -> None:
    """Write down an event once the present transaction has committed; never if it does not."""
    transaction.on_commit(lambda: record(event, **told), robust=True)


def _plain(value: Any) -> Any:
    if isinstance(value, bool | int) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value[:20]]
    return str(value)[:LONGEST]


def _request(request: HttpRequest | None) -> str:
    """Return by what a request is known here and at the proxy, made where the proxy gives nothing."""
    if request is None:
        return ""
    kept = getattr(request, "security_request", "")
    if not kept:
        given = str(request.META.get("HTTP_X_REQUEST_ID") or "")
        kept = given if REQUEST.fullmatch(given) else secrets.token_hex(8)
        request.security_request = kept  # type: ignore[attr-defined]
    return str(kept)


def file() -> Path:
    """Return where the log is written."""
    return Path(settings.DATA_DIR) / "log" / FILE


def _log() -> logging.Logger:
    return _logger(file(), settings.SECURITY_LOG_STDOUT, settings.SECURITY_LOG_TO)


@cache
def _logger(path: Path, stdout: bool, to: str) -> logging.Logger:
    log = logging.getLogger(f"halls.security.{path}")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.handlers = [
        log_sinks.RotatedFile(path),
        *([logging.StreamHandler(sys.stdout)] if stdout else []),
        *([log_sinks.elsewhere(to)] if to else []),
    ]
    return log


MOST = 200_000  # lines that are looked through for one page


def lines(hall: Hall) -> Iterator[dict[str, Any]]:
    """Return a hall's events, the newest first, and those of which nobody knows the hall."""
    left = MOST
    for number in range(log_sinks.KEPT + 1):
        place = log_sinks.aside(file(), number) if number else file()
        try:
            found = place.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return
        for line in reversed(found[-left:]):
            value = _read(line)
            if value is not None and value["hall"] in (hall.code, ""):
                yield value
        left -= len(found)
        if left <= 0:
            return


def _read(line: str) -> dict[str, Any] | None:
    """Return what a line tells; None of one that a power cut left half written."""
    try:
        value = json.loads(line)
        value["at"] = datetime.fromisoformat(value["time"])
    except (ValueError, TypeError, KeyError):
        return None
    told = isinstance(value, dict) and all(
        isinstance(value.get(one, ""), str) for one in ("event", "person", "hall")
    )
    return {"hall": "", "person": "", **value} if told else None


@receiver(user_logged_in)
def logged_in(request: HttpRequest, user: Person, **_signal: Any) -> None:
    """Tell of a login, and where it was not by something of the hall's own, by what."""
    by = getattr(request, "signed_in_by", "")
    if by:
        record("login", request=request, person=user, by=by)
    else:
        record("login", request=request, person=user)


@receiver(user_logged_out)
def logged_out(request: HttpRequest, user: Person | None, **_signal: Any) -> None:
    """Tell of a logout, unless nobody was logged in."""
    if user is not None:
        record("logout", request=request, person=user)


@receiver(user_login_failed)
def login_failed(
    credentials: dict[str, Any], request: HttpRequest | None = None, **_signal: Any
) -> None:
    """Tell of a wrong name or password."""
    person = _named(credentials.get("username"))
    record("login_failed", request=request, person=person, anybody=False)


def locked_out(request: HttpRequest, username: str) -> None:
    """Tell of a name that is locked for a while."""
    record("locked_out", request=request, person=_named(username), anybody=False)


def _named(username: object) -> Person | None:
    """Return the person of a name; what is nobody's is not kept, for it may be a password."""
    found = Person.objects.select_related("hall").filter(username=str(username or "")[:200])
    return found.first() if username and "\x00" not in str(username) else None
