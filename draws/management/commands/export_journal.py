"""Write a hall's journal as JSON Lines (docs/journal.md)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from bingo import plain_files
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
        # Up to the head that is told below: people may go on working meanwhile.
        exported = journal_queries.export_lines(chosen, upto=chosen.head_number)
        if out is None:
            sys.stdout.writelines(exported)
            return
        progress = self.progress("journal", chosen.head_number)
        written = 0
        with plain_file_errors(out), plain_files.written_whole(out) as file:
            for written, line in enumerate(exported, start=1):
                file.write(line.encode())
                progress(written)
        value = {"file": str(out), "entries": written, "head": chosen.head_digest}
        lines = [f"{written} entries in {out}, head {chosen.head_digest}"]
        self.report(value, lines, as_json=json)
