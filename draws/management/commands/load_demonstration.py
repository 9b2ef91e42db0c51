"""Load the demonstration hall the first time, and say who can log in."""

from __future__ import annotations

import json as json_format
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from draws.demonstration import hall
from draws.demonstration.evening import CAPE_VERDE
from halls import passwords, setup
from halls.management.reporting import Report
from halls.models import Hall
from halls.setup import DEMONSTRATED


class Command(Report):
    """Exit code 0 in any case: loading twice changes nothing."""

    help = "Load the demonstration hall, once, and print who can log in and with what."

    def handle(self, *, json: bool, **_options: Any) -> None:
        """Load and tell."""
        kept = Path(settings.DATA_DIR) / "demonstration.json"
        if not setup.own_halls().exists():
            _keep(kept, password := draw_password())
            hall.make(
                code=DEMONSTRATED,
                at=timezone.now(),
                passwords=dict.fromkeys(hall.STAFF, password),
            )
        if not Hall.objects.filter(code=DEMONSTRATED).exists() or not kept.exists():
            return
        password = json_format.loads(kept.read_text())["password"]
        people = {
            name: {
                "name": CAPE_VERDE.staff[name],
                "roles": [role.value for role in roles],
                "password": password,
            }
            for name, roles in hall.STAFF.items()
        }
        lines = ["Demonstration hall: log in with", ""]
        lines += [f"    {name:<10} {password}   {one['name']}" for name, one in people.items()]
        self.report({"hall": DEMONSTRATED, "people": people}, lines, as_json=json)


def draw_password() -> str:
    """Return one password that is good for everybody."""
    names = [*hall.STAFF, *CAPE_VERDE.staff.values()]
    return passwords.draw_good(username="", name=" ".join(names), hall=CAPE_VERDE.hall)


def _keep(file: Path, password: str) -> None:
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as out:
        json_format.dump({"password": password}, out)
