"""Write a hall's journal as JSON Lines (docs/journal.md)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from halls.journal import queries as journal_queries
from halls.management.reporting import HallReport, plain_file_errors, the_hall


class Command(HallReport):
    """Exit code 0: written. 1: the file could not be written."""

    help = "Export a hall's journal as JSON Lines, one entry a line, for verify_journal.py."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall and --out."""
        super().add_arguments(parser)
        parser.add_argument("--out", type=Path, help="the file to write; otherwise standard output")

    def handle(self, *, hall: str | None, out: Path | None, json: bool, **_options: Any) -> None:
        """Export and report."""
        chosen = the_hall(hall)
        if out is None:
            sys.stdout.writelines(journal_queries.export_lines(chosen))
            return
        progress = self.progress("journal", chosen.head_number)
        written = 0
        with plain_file_errors(out), out.open("w", encoding="utf-8", newline="\n") as file:
            for written, line in enumerate(journal_queries.export_lines(chosen), start=1):
                file.write(line)
                progress(written)
        value = {"file": str(out), "entries": written, "head": chosen.head_digest}
        lines = [f"{written} entries in {out}, head {chosen.head_digest}"]
        self.report(value, lines, as_json=json)
