"""Maintain the message catalogues: update, check, compile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from bingo import catalogues
from halls.management.reporting import Report


class Command(Report):
    """Exit code 0: done, or nothing is wrong. 1: --check found something."""

    help = "Update, check or compile the message catalogues."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what to do."""
        super().add_arguments(parser)
        parser.add_argument("--update", action="store_true", help="add what the sources say")
        parser.add_argument("--check", action="store_true", help="exit 1 unless all is translated")
        parser.add_argument("--compile", action="store_true", help="write what Django reads")

    def handle(
        self, *, update: bool, check: bool, compile: bool, json: bool, **_options: Any
    ) -> None:
        """Do what is asked, in that order."""
        root = Path(settings.BASE_DIR)
        if update:
            for language in catalogues.LANGUAGES:
                left = catalogues.update(root, language)
                self.stdout.write(f"{language}: {left} to translate")
        if check:
            found = [
                fault for one in catalogues.LANGUAGES for fault in catalogues.faults(root, one)
            ]
            self.report(found, found or ["catalogues are complete"], as_json=json)
            if found:
                raise SystemExit(1)
        if compile:
            catalogues.compile_all(root)
