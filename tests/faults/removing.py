"""Removes what a hall keeps no longer, a file at each word it is given; killed by its test."""

import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "bingo.settings"
django.setup()

from datetime import datetime  # noqa: E402  Django must be set up first
from pathlib import Path  # noqa: E402

from django.conf import settings  # noqa: E402

from draws.retention import services as retention_services  # noqa: E402
from halls.models import Hall  # noqa: E402

folder, at = Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2])
settings.DATA_DIR = settings.PICTURES_DIR = folder
settings.KEYS_DIR, settings.PRINTS_DIR = folder / "keys", folder / "prints"
retention_services.AT_ONCE = 1
taken_away = retention_services._taken_away


def slowly(*given: object) -> int:
    """Say that the next file is due, and take it away when told to."""
    print("next", flush=True)
    sys.stdin.readline()
    return taken_away(*given)  # type: ignore[arg-type]


retention_services._taken_away = slowly  # type: ignore[assignment]
retention_services.remove(hall=Hall.objects.get(), at=at)
