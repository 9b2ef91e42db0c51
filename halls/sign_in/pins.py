"""PINs, and the browsers of tills where a PIN is enough to come in.

A PIN is set by its owner and closed after five wrong ones in a row. The password stays a way in, and a
login by it opens the PIN again.

A browser is enrolled by a manager where it stands. What it keeps is 256 bits of chance; the hall keeps
its SHA-256.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime
from typing import Unpack

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse

from bingo.rules import sign_in_and_pins as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from halls import passwords, permissions
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, Person, Pin, TillBrowser

COOKIE = "till_browser"
YEAR = 365 * 24 * 3600
MOST = 100  # browsers of a hall that are enrolled


def may_have(person: Person) -> bool:
    """Return whether somebody may come by a PIN."""
    return rules.may_use_pin(person.roles, permissions.COMMANDS)


@passwords.turn()
@transaction.atomic
def set_pin(*, person: Person, pin: str, again: str, at: datetime) -> Pin:
    """Set a person's own PIN. Raises Refusal: not_allowed, pins_differ, pin_malformed, pin_weak, passwords_busy."""
    if not may_have(person):
        raise Refusal("not_allowed", roles=list(rules.AT_A_TILL))
    if pin != again:
        raise Refusal("pins_differ")
    rules.require_good_pin(pin)
    hashed = make_password(pin)
    told = rules.change_own(change=rules.PIN_SET, digest=rules.digest_of(hashed))
    hall = head.lock(person.hall_id)
    journal_services.append(hall, Fact(rules.CHANGED, told), by=person, at=at)
    values = {"hashed": hashed, "wrong": 0, "set_at": at}
    return Pin.objects.update_or_create(
        person=person, defaults=values, create_defaults={"hall": hall, **values}
    )[0]


@transaction.atomic
def drop(*, person: Person, at: datetime) -> None:
    """Let a person have none. Raises Refusal nothing_changed."""
    hall = head.lock(person.hall_id)
    found = Pin.objects.filter(person=person)
    if not found.exists():
        raise Refusal("nothing_changed")
    told = rules.change_own(change=rules.PIN_DROPPED)
    journal_services.append(hall, Fact(rules.CHANGED, told), by=person, at=at)
    found.delete()


@passwords.turn()
def proven(*, hall: Hall, username: str, pin: str) -> Person:
    """Return whose name and PIN this is. Raises Refusal: pin_wrong, pin_closed, passwords_busy.

    A try is counted before it is judged, so that many at once are no more than one after another.
    """
    found = Pin.objects.select_related("person__hall").filter(
        person__username=username, person__hall=hall, person__is_active=True,
        person__password_given=False,
    ).first()  # fmt: skip
    typed = pin if rules.PIN.fullmatch(pin) else "-"
    if found is None or not may_have(found.person):
        make_password(typed)  # as long as for somebody who is known
        raise Refusal("pin_wrong")
    open_still = Pin.objects.filter(pk=found.pk, wrong__lt=rules.WRONG_PINS)
    if not open_still.update(wrong=F("wrong") + 1):
        raise Refusal("pin_closed")
    if not check_password(typed, found.hashed):
        raise Refusal("pin_wrong")
    reopen(found.person)
    return found.person


def reopen(person: Person) -> None:
    """Let a PIN be tried again: its owner came by the password, or by the PIN itself."""
    Pin.objects.filter(person=person, wrong__gt=0).update(wrong=0)


@transaction.atomic
def enrol_browser(*, hall: Hall, name: str, by: Person, at: datetime) -> tuple[TillBrowser, str]:
    """Enrol a browser; return its row and what the browser is to keep.

    Raises Refusal: not_allowed, bad_factor_name, browser_known, too_many_browsers.
    """
    permissions.require(by, rules.BROWSER, hall=hall.pk)
    told = rules.change_browser(change=rules.ENROLLED, browser=name)
    locked = head.lock(hall.pk)
    known = TillBrowser.objects.filter(hall=hall, ended_at=None)
    if known.filter(name=name).exists():
        raise Refusal("browser_known", browser=name)
    if known.count() >= MOST:
        raise Refusal("too_many_browsers", most=MOST)
    token = secrets.token_urlsafe(32)
    journal_services.append(locked, Fact(rules.BROWSER, told), by=by, at=at)
    row = TillBrowser.objects.create(
        hall=hall, name=name, digest=_digest(token), enrolled_at=at, enrolled_by=by
    )
    return row, token


@transaction.atomic
def end_browser(*, hall: Hall, name: str, **who: Unpack[Who]) -> None:
    """Let a PIN be enough at a browser no more. Raises Refusal: not_allowed, key_reused, browser_unknown."""
    told = rules.change_browser(change=rules.ENDED, browser=name)
    locked, done = begin_command(hall.pk, rules.BROWSER, inputs=told, **who)
    if done:
        return
    there = TillBrowser.objects.filter(hall=hall, name=name, ended_at=None)
    if not there.update(ended_at=who["at"]):
        raise Refusal("browser_unknown")
    journal_services.append(locked, Fact(rules.BROWSER, told), **who)


def keep_browser(response: HttpResponse, token: str) -> None:
    """Let the browser keep what it is known by."""
    response.set_cookie(
        _cookie(), token, max_age=YEAR, secure=settings.SESSION_COOKIE_SECURE, httponly=True,
        samesite="Lax",
    )  # fmt: skip


def browser_of(request: HttpRequest) -> TillBrowser | None:
    """Return the browser that asks, where it is enrolled."""
    token = request.COOKIES.get(_cookie(), "")
    if not token:
        return None
    return (
        TillBrowser.objects.select_related("hall")
        .filter(digest=_digest(token), ended_at=None)
        .first()
    )


def _cookie() -> str:
    return f"{settings.COOKIE_PREFIX}{COOKIE}"


def _digest(token: str) -> str:
    return hashlib.sha256(token[:100].encode()).hexdigest()
