"""What stands before every page: who asks, whether their login is good, and what every answer tells.

The person who is logged in is read by statements that are written out: put together anew each time,
they cost as much as a sale itself. While a login is locked nothing is carried out and nothing shown;
whoever must show or add a second factor, or choose a password of their own, reaches the page for it
and no other. Pages speak a person's language and tell the time of their hall. Every look of an
inspector is written down before it is given, or it is not given. What hangs on the wall asks nobody
who they are, and is let alone.

Training has addresses of its own: /training/caller/ is the caller's desk where nothing is real.
The address decides, not the browser's cookie: a page of the one hall never gives an order in the
other, whatever was opened beside it or comes back by the browser's own buttons.

Django's own middleware adds HSTS (where HTTPS is on), nosniff, Referrer-Policy and
Cross-Origin-Opener-Policy; django-csp the policy of content.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.db import DatabaseError, connection, models
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import Resolver404, get_script_prefix, resolve, reverse, set_script_prefix
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from psycopg import sql

from bingo.money_and_dates import currency_as_written, currency_override
from bingo.rules import rulebooks
from bingo.rules import staff as rules_staff
from halls import inspection, security_log, training
from halls.models import Hall, Person, Role
from halls.sign_in import changes, factors, labels, logins
from halls.sign_in.logins import Login, Standing

log = logging.getLogger(__name__)

# The ball's trial takes a photograph; nothing else of a browser's is used.
ALLOWED = "camera=(self), fullscreen=(self), screen-wake-lock=(self)"
DENIED = (
    "accelerometer", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "serial", "usb",
)  # fmt: skip
PERMISSIONS = ", ".join([ALLOWED, *(f"{name}=()" for name in DENIED)])


def cookie_name(name: str) -> str:
    """Return what a cookie is called; over HTTPS its path is / and no other host can set it."""
    return f"{settings.COOKIE_PREFIX}{name}"


class ProtectionMiddleware:
    """Forbids browsers and proxies to keep what does not say it may be, and others to embed it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with the headers."""
        return protected(self.get_response(request))


def protected(response: HttpResponseBase) -> HttpResponseBase:
    """Return an answer with the headers of all answers.

    A browser may keep what is public, and what is immutable: a ball's picture under its digest, of
    which a page shows ninety at a time and which says nothing of anybody.
    """
    kept = response.get("Cache-Control", "")
    if "public" not in kept and "immutable" not in kept:
        del response["Cache-Control"]
        add_never_cache_headers(response)
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Permissions-Policy"] = PERMISSIONS
    return response


LOCKED = 423
# What reaches also whoever must prove something first, or choose a password of their own.
ALWAYS = frozenset(["logout", "set_language", "theme", "passkey-options", "page-lock", "page-cover", "page-unlock", "page-awake"])  # fmt: skip
UNPROVEN = ALWAYS | {"login", "login-pin", "provider-start", "provider-return", "provider-leave", "ask-second-factor"}  # fmt: skip
# What a locked login still reaches: to show who one is, to leave, to read in one's own language.
WHILE_LOCKED = UNPROVEN - {"ask-second-factor", "page-awake"}
OWN_PASSWORD = ALWAYS | {"own-password"}
ENROLS = frozenset(["second-factor"])


class SignInMiddleware:
    """Holds every request of somebody logged in against their login."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass on, or log out, or cover the page."""
        path = request.path_info.removeprefix(PREFIX)
        if path.startswith(OPEN_TO_ALL):
            return self.get_response(request)
        person = request.user
        if not isinstance(person, Person):
            return self.get_response(request)
        at = timezone.now()
        login = logins.of(request, person, at=at)
        standing = login.standing(person.roles, at=at)
        if standing is Standing.OVER:
            logout(request)
            return self.get_response(request)
        # In training the page is of another account: the login is this person's all the same.
        request.sign_in, request.signed_in = login, person  # type: ignore[attr-defined]
        if standing is Standing.LOCKED:
            if not _is_reached_locked(path):
                return covered(request, person)
        elif is_by_somebody(request):
            logins.touch(login, at=at)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Send whoever has to show or to add a second factor there; tell what others took."""
        login = login_of(request)
        own = getattr(request, "signed_in", None)
        if login is None or not isinstance(own, Person) or own.password_given:
            return None
        match = request.resolver_match
        where = (match.view_name if match else "") or ""
        if where not in UNPROVEN:
            if login.lacks_proof:
                return _led("ask-second-factor", request)
            if not login.has_factor and logins.is_obliged(own) and where not in ENROLS:
                return _led("second-factor", request)
            if logins.UNTOLD in request.session and request.method == "GET":
                del request.session[logins.UNTOLD]
                _tell_changes(request, own)
        if login.untold:
            _tell(request, own)
        return None


def _is_reached_locked(path: str) -> bool:
    try:
        return resolve(path).view_name in WHILE_LOCKED
    except Resolver404:
        return False


def _led(name: str, request: HttpRequest) -> HttpResponse:
    """Lead to a page, and from there to the one that was asked for."""
    back = urlencode({"next": request.get_full_path()}) if request.method == "GET" else ""
    address = {"ask-second-factor": "/sign-in/prove/", "second-factor": "/second-factor/"}[name]
    return redirect(f"{address}?{back}" if back else address)


def login_of(request: HttpRequest) -> Login | None:
    """Return the login by which a request comes, None where nobody is logged in."""
    found = getattr(request, "sign_in", None)
    return found if isinstance(found, Login) else None


def for_login(
    view: Callable[[HttpRequest, Person, Login], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give a view the person and the login by which a request comes; 403 where there is none."""

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        person, login = request.user, login_of(request)
        if not isinstance(person, Person) or login is None:
            return render(request, "web/refusal.html", status=403)
        return view(request, person, login)

    return answer


def is_by_somebody(request: HttpRequest) -> bool:
    """Return whether a person has done something, and not a page that follows the hall by itself."""
    if request.method not in ("GET", "HEAD"):
        return True
    mode = request.headers.get("Sec-Fetch-Mode")
    if mode is not None:
        return mode == "navigate"
    return "HX-Request" not in request.headers and not request.path_info.endswith("/live/")


def covered(request: HttpRequest, person: Person) -> HttpResponse:
    """Show nothing but the way back: a whole page to who came to one, else 423 alone."""
    whole = request.method == "GET" and "HX-Request" not in request.headers
    if not whole or request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate":
        return HttpResponse(status=LOCKED)
    context = {"next": request.get_full_path(), "person": person, "covered": True}
    return render(request, "sign_in/locked.html", context, status=LOCKED)


def _tell(request: HttpRequest, person: Person) -> None:
    for one in factors.tell_removed(person, at=timezone.now()):
        if one.removed_by is None:
            told = _("%(kind)s “%(name)s” was taken from your account at the hall's machine, with the regulator's key. If you did not ask for it, tell the regulator now.")  # fmt: skip
            messages.warning(request, told % {"kind": labels.kind(one.kind), "name": one.name})
            continue
        told = _("%(kind)s “%(name)s” was taken from your account by %(person)s, before a second person. If you did not ask for it, tell the hall manager and the inspector now.")  # fmt: skip
        named = {"kind": labels.kind(one.kind), "name": one.name, "person": one.removed_by}
        messages.warning(request, told % named)


def _tell_changes(request: HttpRequest, person: Person) -> None:
    """Tell at the first page of a login what its person must know of their sign-in."""
    at = timezone.now()
    for entry in changes.ended_by_others(person, at=at):
        told = _("Your link to the chain's provider was ended by %(person)s, before a second person. If you did not ask for it, tell the hall manager and the inspector now.")  # fmt: skip
        messages.warning(request, told % {"person": entry.by})
    if any(one.by_id == person.pk for one in changes.unattended(person.hall, at=at)):
        told = _("The journal says that you changed your sign-in while you were not logged in: see “Your sign-in”. If it was not you, tell the hall manager and the inspector now.")  # fmt: skip
        messages.warning(request, told)


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


class ViewMiddleware:
    """Judges a request in `process_view`, once its view is found, and passes everything else on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass on."""
        return self.get_response(request)


class GivenPasswordMiddleware(ViewMiddleware):
    """Lets a person with a given password reach the page that changes it, and no other."""

    def process_view(
        self, request: HttpRequest, _view: object, _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Send them to the page of their password, whatever they asked for."""
        person = request.user
        if not isinstance(person, Person) or not person.password_given:
            return None
        match = request.resolver_match
        return None if match and match.view_name in OWN_PASSWORD else redirect("own-password")


def _columns(model: type[models.Model], table: str) -> sql.Composable:
    names = [sql.Identifier(table, str(field.column)) for field in model._meta.concrete_fields]
    return sql.SQL(", ").join(names)


LOGIN = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"


EXPIRED = (
    "DELETE FROM django_session WHERE session_key = %s AND expire_date <= now()"
    " RETURNING session_data"
)


PERSON = (
    sql.SQL(
        "SELECT {}, {}, (SELECT escudo_sign FROM halls_policy WHERE hall_id = coalesce(h.trains_id, h.id)"
        " ORDER BY id DESC LIMIT 1)"
        " FROM halls_person p JOIN halls_hall h ON h.id = p.hall_id WHERE p.id = %s"
    )
    .format(_columns(Person, "p"), _columns(Hall, "h"))
    .as_string()
)


OF_PERSON = [field.attname for field in Person._meta.concrete_fields]


OF_HALL = [field.attname for field in Hall._meta.concrete_fields]


class SessionStore(db.SessionStore):
    """Django's store of what a browser is known by, in the database."""

    def _validate_session_key(self, key: str | None) -> bool:
        """Return whether a key can be one of ours: a cookie may say anything, NUL too."""
        return key is not None and len(key) >= 8 and set(key) <= set(VALID_KEY_CHARS)

    def load(self) -> dict[str, Any]:
        """Return what is kept for the browser's key; forget a key that is unknown or has run out."""
        with connection.cursor() as cursor:
            cursor.execute(LOGIN, [self.session_key, timezone.now()])
            row = cursor.fetchone()
        if row is None:
            self._forget_expired()
            self._session_key = None
            return {}
        kept: dict[str, Any] = self.decode(row[0])
        return kept

    def _forget_expired(self) -> None:
        """Remove a login that has run out, once, and tell the security log whose it was."""
        with connection.cursor() as cursor:
            cursor.execute(EXPIRED, [self.session_key])
            row = cursor.fetchone()
        person = Backend().get_user(self.decode(row[0]).get("_auth_user_id") or 0) if row else None
        if person is not None:
            security_log.record("session_expired", person=person)


class Backend(ModelBackend):
    """Django's way of knowing people by their password; gives them with their hall."""

    def get_user(self, user_id: int) -> Person | None:
        """Return an active person by key."""
        with connection.cursor() as cursor:
            cursor.execute(PERSON, [user_id])
            row = cursor.fetchone()
        if row is None:
            return None
        person = Person.from_db(connection.alias, OF_PERSON, row[: len(OF_PERSON)])
        person.hall = Hall.from_db(connection.alias, OF_HALL, row[len(OF_PERSON) : -1])
        person.hall.written_currency = currency_as_written(person.hall.currency, row[-1])
        return person if self.user_can_authenticate(person) else None


class PlaceMiddleware:
    """Uses a person's own language, unless a cookie says otherwise, and their hall's clock, currency and law."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the person's language, at the hall's hour, in its currency and under its law."""
        person = request.user
        if not person.is_authenticated:
            return self._get_response(request)
        if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            # Whom an older journal took on in a language of no page reads in the browser's.
            with suppress(LookupError):
                translation.activate(translation.get_supported_language_variant(person.language))
            request.LANGUAGE_CODE = translation.get_language()
        hall = person.hall
        before = rulebooks.active.set(hall.rulebook)
        try:
            zone, currency = ZoneInfo(hall.time_zone), hall.written_currency
            with timezone.override(zone), currency_override(currency):
                return self._get_response(request)
        finally:
            rulebooks.active.reset(before)


class LookMiddleware(ViewMiddleware):
    """Writes down each page, file, search and order of a person who is an inspector."""

    def process_view(
        self, request: HttpRequest, _view: object, _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Write the look down; 503 where that fails, whatever was asked for."""
        person = request.user
        if not isinstance(person, Person) or Role.INSPECTOR not in person.roles:
            return None
        match = request.resolver_match
        try:
            inspection.record_look(
                person,
                at=timezone.now(),
                method=request.method or "",
                route=(match.view_name if match else "") or "",
                path=request.get_full_path(),
                source=request.META.get("REMOTE_ADDR") or "",
            )
        except DatabaseError as error:
            log.warning("a look of %s is not written down: %s", person, type(error).__name__)
            text = _(
                "This cannot be shown: what is looked at is written down, and that failed. Tell the hall manager."
            )
            context = {"text": text, "code": "look_not_recorded"}
            return render(request, "web/refusal.html", context, status=503)
        return None


PREFIX = "/training"


DOORS = ("/login/", "/logout/")  # who somebody is, is one thing in both halls


OPEN_TO_ALL = "/board/"


Answer = Callable[[HttpRequest], HttpResponse]


class TrainingMiddleware:
    """Answers what lies under PREFIX as the training hall's account of whoever is logged in."""

    def __init__(self, get_response: Answer) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the hall that the address names."""
        if not request.path_info.startswith(f"{PREFIX}/"):
            _require_real(request)
            return self._get_response(request)
        inner = request.path_info.removeprefix(PREFIX)
        if inner in DOORS:
            request.path_info = inner
            return self._get_response(request)
        person = request.user
        if inner.split("/")[1] in rules_staff.REAL_ONLY:
            return redirect(f"{PREFIX}{reverse('practise')}")
        if isinstance(person, Person):
            if person.password_given:
                return redirect("own-password")
            account = training.seat(person)
            if account is None:
                return redirect("practise")
            request.user = account
        elif not inner.startswith(OPEN_TO_ALL):
            return redirect_to_login(request.get_full_path(), reverse("login"))
        request.path_info = inner
        with _prefixed():
            return self._get_response(request)


class HallMessages(FallbackStorage):
    """What an order came to, told on the next page: of the same hall, not of a tab beside it."""

    def __init__(self, request: HttpRequest, *arguments: Any, **named: Any) -> None:
        super().__init__(request, *arguments, **named)
        training = request.path.startswith(f"{PREFIX}/")
        for storage in self.storages:
            storage.cookie_name = cookie_name("training_messages" if training else "messages")
            if training:
                storage.session_key = "_training_messages"


def _require_real(request: HttpRequest) -> None:
    """Let nobody be an account of a training hall where things are real; none logs in, all the same."""
    person = request.user
    if isinstance(person, Person) and person.hall.trains_id is not None:
        request.user = AnonymousUser()


@contextmanager
def _prefixed() -> Iterator[None]:
    """Let every address that is made meanwhile be one of training."""
    before = get_script_prefix()
    set_script_prefix(f"{PREFIX}/")
    try:
        yield
    finally:
        set_script_prefix(before)
