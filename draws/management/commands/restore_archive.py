"""Fill an empty database from an archive of export_period (docs/archive.md)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from bingo.rules.refusal import Refusal
from draws.record.archive import reading
from draws.refusals.text import in_english
from halls.management.reporting import Report, read_file


class Command(Report):
    """Exit code 0: restored and audited. 1: refused, and the database is as empty as it was."""

    help = "Restore halls from their archives into an empty, prepared database, and audit them."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files and --trust."""
        super().add_arguments(parser)
        parser.add_argument("files", type=Path, nargs="+", help="archives of export_period")
        parser.add_argument(
            "--trust",
            type=Path,
            help="the authority's certificate (PEM), from a copy kept elsewhere",
        )

    def handle(self, *, files: list[Path], trust: Path | None, json: bool, **_options: Any) -> None:
        """Restore and report."""
        known = read_file(trust) if trust else None
        try:
            found = reading.restore_archive(files, trust=known)
        except OSError as error:
            raise CommandError(f"a file could not be kept: {error.strerror}") from error
        except Refusal as refusal:
            raise CommandError(in_english(refusal)) from refusal
        lines = []
        for one in found:
            lines.append(f"{one.hall}: {one.entries} entries, {one.rows} rows, head {one.head}")
            lines.append(f"  signed under the authority of SHA-256 {one.trust}")
            if one.without_pictures:
                lines.append(f"  pictures that the archive does not hold: {one.without_pictures}")
        lines.append("nobody has a password yet: give each person a new one")
        self.report([asdict(one) for one in found], lines, as_json=json)
