"""Browsers of tills, each enrolled by a manager where it stands: there a PIN is enough.

What the browser keeps is 256 bits of chance; the hall keeps its SHA-256.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from bingo.rules import sign_in as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, Person, TillBrowser

COOKIE = "till_browser"
YEAR = 365 * 24 * 3600
MOST = 100  # browsers of a hall


@transaction.atomic
def enrol(*, hall: Hall, name: str, by: Person, at: datetime) -> tuple[TillBrowser, str]:
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
def end(*, hall: Hall, name: str, by: Person, at: datetime) -> None:
    """Let a PIN be enough there no more. Raises Refusal: not_allowed, browser_unknown."""
    permissions.require(by, rules.BROWSER, hall=hall.pk)
    locked = head.lock(hall.pk)
    told = rules.change_browser(change=rules.ENDED, browser=name)
    if not TillBrowser.objects.filter(hall=hall, name=name, ended_at=None).update(ended_at=at):
        raise Refusal("browser_unknown")
    journal_services.append(locked, Fact(rules.BROWSER, told), by=by, at=at)


def set_cookie(response: HttpResponse, token: str) -> None:
    """Let the browser keep what it is known by."""
    response.set_cookie(
        _cookie(), token, max_age=YEAR, secure=settings.SESSION_COOKIE_SECURE, httponly=True,
        samesite="Lax",
    )  # fmt: skip


def of(request: HttpRequest) -> TillBrowser | None:
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
