"""Log in and out with a password, and the pages for errors."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.money_and_dates import Whole
from bingo.rules.refusal import Refusal
from bingo.rules.staff import PASSWORD_HOLDS
from halls import second_person, security_log
from halls.attempts import LockedOut, Question
from halls.models import Person, Role
from halls.sign_in import links, logins, pins, provider
from halls.web.fields import LONGEST_USERNAME
from halls.web.middleware import protected


class Credentials(AuthenticationForm):
    """Django's form, with names no longer than a person's can be."""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self.fields["username"].validators.append(MaxLengthValidator(LONGEST_USERNAME))

    def clean(self) -> dict[str, Any]:
        """Ask for the password, by turns. Raises LockedOut, Refusal passwords_busy."""
        username, password = (self.cleaned_data.get(one) for one in ("username", "password"))
        if username is not None and password and self.request is not None:
            try:
                self.user_cache = second_person.identified(
                    self.request, Question.LOGIN, username=username, password=password,
                    at=timezone.now(),
                )  # fmt: skip
            except second_person.RunOut as run_out:
                raise ValidationError(_run_out(run_out.person)) from None
            if self.user_cache is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(self.user_cache)
        return self.cleaned_data

    def confirm_login_allowed(self, user: Person) -> None:
        """Let nobody in as an account of a training hall: one practises from one's own."""
        super().confirm_login_allowed(user)
        if user.hall.is_training:
            raise self.get_invalid_login_error()


def _run_out(person: Person) -> str:
    """Return what whoever typed the right password is told, too late."""
    if Role.INSPECTOR in person.roles:
        text = _("This password was good for %(hours)s hours and has run out. Another inspector gives you a new one; where there is none, whoever runs the machine.")  # fmt: skip
    elif Role.HALL_MANAGER in person.roles:
        text = _("This password was good for %(hours)s hours and has run out. Another hall manager gives you a new one; where there is none, whoever runs the machine.")  # fmt: skip
    else:
        text = _("This password was good for %(hours)s hours and has run out. A hall manager gives you a new one.")  # fmt: skip
    return text % {"hours": Whole(PASSWORD_HOLDS // timedelta(hours=1))}


class Login(LoginView):
    """Logs a person in."""

    template_name = "web/login.html"
    authentication_form = Credentials

    def post(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        """Log in; 429 where too many passwords were wrong, 503 where too many are being tried."""
        try:
            return super().post(request, *arguments, **named)
        except LockedOut as locked_out:
            security_log.locked_out(request, request.POST.get("username", ""))
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
    return {"till_browser": pins.browser_of(request), "provider": provider.label()}


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


BUSY = (
    '<!doctype html><html lang="{}"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>{}</title><p role="alert">{}</p></html>'
)


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
