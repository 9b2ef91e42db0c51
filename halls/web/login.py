"""Log in and out with a password."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.money_and_dates import Whole
from bingo.rules.refusal import Refusal
from bingo.rules.staff import PASSWORD_HOLDS
from halls import second_person, security_log
from halls.attempts import LockedOut, Question
from halls.models import Person, Role
from halls.sign_in import links, logins, pins, provider
from halls.web.error_pages import busy, locked
from halls.web.fields import LONGEST_USERNAME


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
