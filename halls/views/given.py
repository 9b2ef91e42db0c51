"""Whose password somebody else gave, and so knows, first chooses another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from halls.models import Person

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
