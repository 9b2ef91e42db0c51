"""Run the process that draws the numbers of the hall's RNG (docs/randomness.md)."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from bingo.system_users import bare_environment
from draws.rng import client


class Command(BaseCommand):
    """Exit code 0: asked to stop. 2: the folder cannot be used. 3: another process draws there."""

    help = "Draw the numbers of the RNG, in a process that keeps its seeds in memory alone."

    def handle(self, **_options: Any) -> None:
        """Give this process up to a plain one, without Django and without its passwords."""
        os.chdir(client.PROJECT)
        sys.stdout.flush()
        command = client.command(settings.RNG_DIR)
        os.execve(command[0], command, bare_environment())  # nosec B606
