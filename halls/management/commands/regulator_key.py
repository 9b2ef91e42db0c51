"""Make the key of a regulator, and sign with it what `account --text` prints: on the regulator's machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from bingo import signed_notes
from bingo.rules.refusal import Refusal
from halls.management.reporting import Report, read_file

NAME = "bingo-regulator"
LONGEST = 16 * 1024  # bytes of what is signed
VERSION = 1


class Command(Report):
    """Exit code 0: the public key is shown, or the note is printed. 1: refused, said why."""

    help = "Make or show the regulator's key in a folder, or sign a text with it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the folder of the key, and what is to be signed."""
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, help="keeps the key; never on a hall's machine")
        parser.add_argument("--sign", type=Path, help="the file that account --text has printed")

    def handle(self, *, folder: Path, sign: Path | None, json: bool, **_options: Any) -> None:
        """Sign, or show the key for BINGO_REGULATOR_KEY."""
        try:
            key = signed_notes.ensure(folder, name=NAME)[VERSION]
        except (Refusal, KeyError) as refused:
            raise CommandError(f"the key cannot be read in {folder}") from refused
        if sign is None:
            self.report({"key": key.vkey}, [key.vkey], as_json=json)
            return
        text = read_file(sign, most=LONGEST).decode(errors="replace")
        if not text.startswith("bingo-account/") or not text.endswith("\n"):
            raise CommandError(f"{sign} is not what account --text prints")
        self.stdout.write(signed_notes.sign_note(text, [key]), ending="")
