"""Login, sessions and middleware of every page, and the pages for errors.

Whose password somebody else gave, and so knows, first chooses another one. The person who is logged
in is read before every page by statements that are written out: put together anew each time, they
cost as much as a sale itself. Pages speak a person's language and tell the time of their hall.
Every look of an inspector is written down before it is given, or it is not given.

Training has addresses of its own: /training/caller/ is the caller's desk where nothing is real.
The address decides, not the browser's cookie: a page of the one hall never gives an order in the
other, whatever was opened beside it or comes back by the browser's own buttons.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import LoginView, LogoutView, redirect_to_login
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends import db
from django.core.validators import MaxLengthValidator
from django.db import DatabaseError, connection, models
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import get_script_prefix, reverse, set_script_prefix
from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from psycopg import sql

from bingo.rules import staff as rules_staff
from bingo.rules.refusal import Refusal
from bingo.writing import Whole
from halls import inspection, second_person, security_log, training
from halls.attempts import LockedOut, Question
from halls.models import Hall, Person, Role
from halls.sign_in import browsers, links, logins, pins, provider
from halls.web import security
from halls.web.fields import LONGEST_USERNAME
from halls.web.headers import cookie_name, protected


class Credentials(AuthenticationForm):
    """Django's form, with names no longer than a person's can be."""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.fields["username"].validators.append(MaxLengthValidator(LONGEST_USERNAME))

    def clean(self) -> dict[str, Any]:
        """Ask for the password, by turns. Raises LockedOut, Refusal passwords_busy."""
        username, password = (self.cleaned_data.get(one) for one in ("username", "password"))
        if username is not None and password and self.request is not None:
            self.user_cache = second_person.identified(
                self.request, Question.LOGIN, username=username, password=password,
                at=timezone.now(),
            )  # fmt: skip
            if self.user_cache is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(self.user_cache)
        return self.cleaned_data

    def confirm_login_allowed(self, user: Person) -> None:
        """Let nobody in as an account of a training hall: one practises from one's own."""
        super().confirm_login_allowed(user)
        if user.hall.is_training:
            raise self.get_invalid_login_error()


class Login(LoginView):
    """Logs a person in."""

    template_name = "web/login.html"
    authentication_form = Credentials

    def post(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        """Log in; 429 where too many passwords were wrong, 503 where too many are being tried."""
        try:
            return super().post(request, *arguments, **named)
        except LockedOut as locked_out:
            security.locked_out(request, request.POST.get("username", ""))
            return locked(request, locked_out.seconds)
        except Refusal as refusal:
            return busy(request, int(str(refusal.values["seconds"])))

    def get_context_data(self, **named: Any) -> dict[str, Any]:
        """Add whether a PIN is enough here, and the chain's provider."""
        return super().get_context_data(**named) | _further_ways(self.request)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in under a new key, also whoever was logged in already; a closed PIN is open again."""
        person, before = form.get_user(), self.request.session.session_key
        if isinstance(person, Person):
            pins.reopen(person)
        answer = super().form_valid(form)
        self.request.session.pop(logins.PIN_OR_PROVIDER, None)
        if self.request.session.session_key == before:
            self.request.session.cycle_key()
        return answer


def own_login_context(request: HttpRequest) -> dict[str, Any]:
    """Return what the page of the login shows where another view than its own shows it."""
    return {
        "form": Credentials(request),
        "next": request.POST.get("next", ""),
        **_further_ways(request),
    }


def _further_ways(request: HttpRequest) -> dict[str, Any]:
    """Return by what else than a password one may come in here."""
    return {"till_browser": browsers.of(request), "provider": provider.label()}


class Logout(LogoutView):
    """Logs a person out, and lets the browser forget what it kept of their pages."""

    def post(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        """End the session. What a machine has chosen for itself, a camera or a voice, it keeps."""
        login = getattr(request, "sign_in", None)
        person = getattr(request, "signed_in", None)
        if isinstance(login, logins.Login) and isinstance(person, Person):
            logins.end(person, only=login.pk, at=timezone.now())
        came = bool(request.session.get(links.CAME))
        answer = super().post(request, *arguments, **named)
        if came and "Location" in answer:
            # The hall ends its own login; that one is signed in at the provider is told there.
            answer["Location"] = f"{reverse('login')}?left=provider"
        answer["Clear-Site-Data"] = '"cache"'
        return answer


OPEN = frozenset(["own-password", "logout", "set_language"])


class GivenPasswordMiddleware:
    """Lets a person with a given password reach the page that changes it, and no other."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass on: which page it is is known once its view is found."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Send them to the page of their password, whatever they asked for."""
        person = request.user
        if not isinstance(person, Person) or not person.password_given:
            return None
        match = request.resolver_match
        return None if match and match.view_name in OPEN else redirect("own-password")


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
        person.hall.write_currency(row[-1])
        return person if self.user_can_authenticate(person) else None


class PlaceMiddleware:
    """Uses a person's own language, unless a cookie says otherwise, and their hall's clock."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the person's language and at the hall's hour."""
        person = request.user
        if not person.is_authenticated:
            return self._get_response(request)
        if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            translation.activate(person.language)
            request.LANGUAGE_CODE = translation.get_language()
        with timezone.override(ZoneInfo(person.hall.time_zone)):
            return self._get_response(request)


log = logging.getLogger(__name__)


class LookMiddleware:
    """Writes down each page, file, search and order of a person who is an inspector."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass on: what is asked for is known once its view is found."""
        return self.get_response(request)

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


BUSY = (
    '<!doctype html><html lang="{}"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>{}</title><p role="alert">{}</p></html>'
)

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


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page."""
    return render(request, "web/refusal.html", {"title": _("Page not found")}, status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """This page is not for this person."""
    return render(request, "web/refusal.html", status=403)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was made before this person logged in, or by another site."""
    security_log.record("form_refused", request=request, path=request.path)
    context = {
        "title": _("This form is no longer good"),
        "text": _("Open the page again and repeat what you did. Nothing was changed."),
    }
    return render(request, "web/refusal.html", context, status=403)


def failed(request: HttpRequest) -> HttpResponse:
    """Something is broken in the system itself."""
    context = {
        "title": _("Something went wrong"),
        "text": _("Try again. If it stays, tell the operator."),
    }
    return render(request, "web/refusal.html", context, status=500)


def locked(request: HttpRequest, seconds: int) -> HttpResponse:
    """Somebody has tried too many passwords."""
    text = ngettext(
        "Too many wrong passwords were tried. Wait %(n)s second, then try again.",
        "Too many wrong passwords were tried. Wait %(n)s seconds, then try again.",
        seconds,
    )
    context = {"title": _("Too many attempts"), "text": text % {"n": Whole(seconds)}}
    answer = render(request, "web/refusal.html", context, status=429)
    answer["Retry-After"] = str(seconds)
    return answer


def busy(request: HttpRequest, seconds: int) -> HttpResponse:
    """More is asked for than can be answered now; a page of few bytes, for many may be sent."""
    with translation.override(translation.get_language_from_request(request)):
        text = ngettext(
            "The hall is busy. Try again in %(n)s second: nothing was changed.",
            "The hall is busy. Try again in %(n)s seconds: nothing was changed.",
            seconds,
        ) % {"n": Whole(seconds)}
        page = format_html(BUSY, translation.get_language() or "", _("Busy"), text)
    answer = HttpResponse(page, status=503)
    answer["Retry-After"] = str(seconds)
    answer._has_been_logged = True  # type: ignore[attr-defined]  # or a flood would fill the log
    return answer


def too_large(request: HttpRequest) -> HttpResponse:
    """More was sent than the address takes; nobody is known yet but by the browser's language."""
    with translation.override(translation.get_language_from_request(request)):
        context = {
            "title": _("This is too large"),
            "text": _("Nothing was kept. Go back, and send a smaller file or a shorter text."),
        }
        answer = render(request, "web/refusal.html", context, status=413)
        protected(answer)
        return answer
