"""Every look of an inspector is written down before it is given, or it is not given."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from halls.models import Person, Role
from halls.services import looks

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
            looks.record(
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
            return render(request, "refusal.html", context, status=503)
        return None
