"""Training has addresses of its own: /training/caller/ is the caller's desk where nothing is real.

The address decides, not the browser's cookie: a page of the one hall never gives an order in the
other, whatever was opened beside it or comes back by the browser's own buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import get_script_prefix, reverse, set_script_prefix

from bingo.rules import training as rules
from halls.models import Person
from halls.services import training

PREFIX = "/training"
DOORS = ("/login/", "/logout/")  # who somebody is, is one thing in both halls
OPEN = "/board/"

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
        if inner.split("/")[1] in rules.REAL_ONLY:
            return redirect(f"{PREFIX}{reverse('practise')}")
        if isinstance(person, Person):
            if person.password_given:
                return redirect("own-password")
            account = training.seat(person)
            if account is None:
                return redirect("practise")
            request.user = account
        elif not inner.startswith(OPEN):
            return redirect_to_login(request.get_full_path(), reverse("login"))
        request.path_info = inner
        with _prefixed():
            return self._get_response(request)


class Told(FallbackStorage):
    """What an order came to, told on the next page: of the same hall, not of a tab beside it."""

    def __init__(self, request: HttpRequest, *arguments: Any, **named: Any) -> None:
        super().__init__(request, *arguments, **named)
        if request.path.startswith(f"{PREFIX}/"):
            for storage in self.storages:
                storage.cookie_name, storage.session_key = "training_messages", "_training_messages"


def _require_real(request: HttpRequest) -> None:
    """Let nobody be an account of a training hall where things are real; none logs in, all the same."""
    person = request.user
    if isinstance(person, Person) and person.hall.is_training:
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
