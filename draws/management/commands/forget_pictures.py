"""Removes the pictures of balls that halls keep no longer; the worker does so every hour too."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from draws.services.forgetting import forget
from halls.management.reporting import Report, the_hall
from halls.models import Hall


class Command(Report):
    """Exit code 0, whether there was something to remove or not."""

    help = "Remove the pictures of balls whose days are over, by each hall's own rule."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall."""
        super().add_arguments(parser)
        parser.add_argument("--hall", help="the code of one hall; otherwise all halls")

    def handle(self, *, hall: str | None, json: bool, **_options: Any) -> None:
        """Remove and report."""
        halls = [the_hall(hall)] if hall else list(Hall.objects.order_by("code"))
        removed = {one.code: forget(hall=one, at=timezone.now()) for one in halls}
        lines = [f"{code}: {pictures} pictures removed" for code, pictures in removed.items()]
        self.report(removed, lines, as_json=json)
