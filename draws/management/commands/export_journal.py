"""Writes a hall's journal as JSON Lines (docs/journal.md)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from halls.journal import queries as journal_queries
from halls.management.reporting import Report, the_hall


class Command(Report):
    """Exit code 0: written. 1: the file could not be written."""

    help = "Export a hall's journal as JSON Lines, one entry a line, for verify_journal.py."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall and --out."""
        super().add_arguments(parser)
        parser.add_argument("--hall", help="the hall's code; needed when there are several")
        parser.add_argument("--out", type=Path, help="the file to write; otherwise standard output")

    def handle(self, *, hall: str | None, out: Path | None, json: bool, **_options: Any) -> None:
        """Export and report."""
        chosen = the_hall(hall)
        if out is None:
            sys.stdout.writelines(journal_queries.export_lines(chosen))
            return
        progress = self.progress("journal", chosen.head_number)
        written = 0
        try:
            with out.open("w", encoding="utf-8", newline="\n") as file:
                for written, line in enumerate(journal_queries.export_lines(chosen), start=1):
                    file.write(line)
                    progress(written)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}") from error
        value = {"file": str(out), "entries": written, "head": chosen.head_digest}
        lines = [f"{written} entries in {out}, head {chosen.head_digest}"]
        self.report(value, lines, as_json=json)
