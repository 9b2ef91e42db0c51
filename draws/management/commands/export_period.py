"""Write a hall's record as one signed archive (docs/archive.md)."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from bingo.pdf import SealError
from bingo.rules import actas_after_sealing
from bingo.rules.refusal import Refusal
from draws.record.archive import writing_and_expiring
from halls.management.reporting import HallReport, plain_file_errors, the_hall

YEARS = f"{actas_after_sealing.EARLIEST.year} to {actas_after_sealing.LATEST.year}"


class Command(HallReport):
    """Exit code 0: written. 1: it could not be."""

    help = "Export a hall's journal, actas, rows and tables of some days as one signed archive."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall, --from, --to, --out, --pictures."""
        super().add_arguments(parser)
        parser.add_argument(
            "--from", type=date.fromisoformat, required=True, dest="first", help="2026-01-31"
        )
        parser.add_argument(
            "--to", type=date.fromisoformat, required=True, dest="last", help="2026-12-31"
        )
        parser.add_argument("--out", type=Path, required=True, help="the ZIP file to write")
        parser.add_argument("--pictures", action="store_true", help="with the pictures of balls")

    def handle(self, *, hall: str | None, out: Path, json: bool, **options: Any) -> None:
        """Export and report."""
        chosen = the_hall(hall)
        show = [self.progress("files", 0)]

        def progress(done: int, total: int) -> None:
            if done == 1:
                show[0] = self.progress("files", total)
            show[0](done)

        try:
            with plain_file_errors(out):
                done = writing_and_expiring.export_archive(
                    hall=chosen, first=options["first"], last=options["last"], out=out,
                    with_pictures=options["pictures"], at=timezone.now(), progress=progress,
                )  # fmt: skip
        except SealError as error:
            raise CommandError(f"the archive cannot be signed: {error.code}") from error
        except Refusal as refusal:
            raise CommandError(
                f"the last day comes before the first, or one is not in {YEARS}"
            ) from refusal
        value = {
            "file": str(out), "files": done.files, "size": done.size, "sha256": done.digest,
            "entries": done.entries, "head": done.head,
        }  # fmt: skip
        lines = [
            f"{done.files} files in {out}, {done.size} bytes, SHA-256 {done.digest}",
            f"journal of {done.entries} entries, head {done.head}",
        ]
        self.report(value, lines, as_json=json)
