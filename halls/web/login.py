"""The door: a name, a password, and the person's own page behind it.

Whose password somebody else gave, and so knows, first chooses another one.

Pages for what cannot be shown.

Who has logged in: read before every page, by statements that are written out.

Put together anew each time they cost as much as a sale itself does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.contrib.sessions.backends import db
from django.core.validators import MaxLengthValidator
from django.db import connection, models
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from psycopg import sql

from halls.models import Hall, Person

LONGEST = 150  # as Person.username; the log of attempts could not hold much more


class Credentials(AuthenticationForm):
    """Django's form, with names no longer than a person's can be."""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.fields["username"].validators.append(MaxLengthValidator(LONGEST))

    def confirm_login_allowed(self, user: Person) -> None:
        """Let nobody in as an account of a training hall: one practises from one's own."""
        super().confirm_login_allowed(user)
        if user.hall.is_training:
            raise self.get_invalid_login_error()


class Login(LoginView):
    """Logs a person in."""

    template_name = "web/login.html"
    authentication_form = Credentials


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


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page."""
    return render(request, "web/refusal.html", {"title": _("Page not found")}, status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """This page is not for this person."""
    return render(request, "web/refusal.html", status=403)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was made before this person logged in, or by another site."""
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


def locked(request: HttpRequest, response: HttpResponse, credentials: Any) -> HttpResponse:
    """Somebody has tried too many passwords for a name."""
    context = {
        "title": _("Too many attempts"),
        "text": _("Wait a quarter of an hour, then try again."),
    }
    return render(request, "web/refusal.html", context, status=429)


def too_large(request: HttpRequest) -> HttpResponse:
    """More was sent than the address takes; nobody is known yet but by the browser's language."""
    with translation.override(translation.get_language_from_request(request)):
        context = {
            "title": _("This is too large"),
            "text": _("Nothing was kept. Go back, and send a smaller file or a shorter text."),
        }
        return render(request, "web/refusal.html", context, status=413)


def _columns(model: type[models.Model], table: str) -> sql.Composable:
    names = [sql.Identifier(table, str(field.column)) for field in model._meta.concrete_fields]
    return sql.SQL(", ").join(names)


LOGIN = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"
PERSON = (
    sql.SQL(
        "SELECT {}, {} FROM halls_person p JOIN halls_hall h ON h.id = p.hall_id WHERE p.id = %s"
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
            self._session_key = None
            return {}
        kept: dict[str, Any] = self.decode(row[0])
        return kept


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
        person.hall = Hall.from_db(connection.alias, OF_HALL, row[len(OF_PERSON) :])
        return person if self.user_can_authenticate(person) else None
