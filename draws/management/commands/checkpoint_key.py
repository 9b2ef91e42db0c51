"""Show the key that signs a hall's checkpoints, and renew it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.refusals.text import in_english
from halls.checkpoints import services as checkpoints_services
from halls.management.reporting import HallReport, person_called, the_hall
from halls.models import Hall, Person


class Command(HallReport):
    """Exit code 0: shown, or renewed. 1: refused, said why."""

    help = "Show the key that signs a hall's checkpoints, or renew it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall, --renew and --by."""
        super().add_arguments(parser)
        parser.add_argument(
            "--renew", action="store_true",
            help="make a new key; the old one and the new one sign the change",
        )  # fmt: skip
        parser.add_argument("--by", help="who renews it: the user name of a hall manager")

    def handle(
        self, *, hall: str | None, renew: bool, by: str | None, json: bool, **_options: Any
    ) -> None:
        """Renew it if asked, and show every key there is."""
        found = the_hall(hall)
        try:
            entry = self._renew(found, by) if renew else None
            *before, vkey = checkpoints_services.vkeys(found)
        except Refusal as refused:
            raise CommandError(in_english(refused)) from refused
        told: dict[str, Any] = {"hall": found.code, "key": vkey, "before": before}
        lines = [vkey, *(f"before: {one}" for one in before)]
        if entry is not None:
            told["entry"] = entry
            lines.append(f"signs from entry {entry} on: keep a copy of its file elsewhere")
        self.report(told, lines, as_json=json)

    def _renew(self, hall: Hall, by: str | None) -> int:
        now = timezone.now()
        entry = checkpoints_services.renew_key(hall=hall, by=_person(hall, by), at=now)
        checkpoints_services.deliver(hall, at=now)
        return entry.number


def _person(hall: Hall, name: str | None) -> Person:
    if not name:
        raise CommandError("say with --by who renews the key")
    return person_called(hall, name)
