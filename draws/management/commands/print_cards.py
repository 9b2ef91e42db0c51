"""Print cards of an issue into a file, ordered and journalled like any other print."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from bingo import plain_files
from bingo.money_and_dates import number_range
from bingo.rules import stock
from bingo.rules.refusal import Refusal
from draws.cards import print_queries, prints
from draws.models import Issue, PrintJob, PrintState
from draws.refusals.text import plain_refusals
from halls.management.reporting import HallReport, plain_file_errors, require_writable, the_hall
from halls.models import Hall, Person, Role

LOOK = 0.2  # seconds between two looks at a print that the hall's worker draws


class Command(HallReport):
    """Exit code 0: written. 1: refused, failed or not written."""

    help = "Print cards of an issue into a PDF file; the hall's journal records it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what is printed, for whom, and where to."""
        super().add_arguments(parser)
        parser.add_argument("--issue", required=True, help="the issue's identification number")
        parser.add_argument("--first", type=int, default=1, help="the first card (1)")
        parser.add_argument("--last", type=int, help="the last card; otherwise the issue's last")
        parser.add_argument("--paper", choices=stock.PAPERS, default="a4", help="the paper (a4)")
        parser.add_argument("--code", choices=stock.CODES, default="barcode", help="the code")
        parser.add_argument("--back", action="store_true", help="with back pages")
        parser.add_argument("--crop", action="store_true", help="with crop marks")
        parser.add_argument("--reason", default="", help="why cards are printed again")
        parser.add_argument("--by", help="the user name of the hall manager who orders it")
        parser.add_argument("--out", type=Path, required=True, help="the file to write")

    def handle(self, *, json: bool, out: Path, **options: Any) -> None:
        """Order, draw or wait until it is drawn, copy, report."""
        require_writable(out)
        hall = the_hall(options["hall"])
        with plain_refusals(), plain_file_errors(out):
            job = self._drawn(_ordered(hall, options))
            # What the hall may print is for its owner only.
            with (
                print_queries.print_job_file(job).open("rb") as drawn,
                plain_files.written_whole(out, mode=0o600) as copy,
            ):
                shutil.copyfileobj(drawn, copy)
        again = [[run.first, run.last, run.copy] for run in print_queries.runs(job) if run.copy]
        value = {
            "file": str(out), "job": job.pk, "cards": job.drawn, "pages": job.pages,
            "digest": job.digest, "reprints": again,
        }  # fmt: skip
        lines = [
            f"print {job.pk}: {job.drawn} cards, {job.pages} pages in {out}",
            *(
                f"  cards {number_range(first, last)} say that they are reprints"
                for first, last, _ in again
            ),
            f"SHA-256 {job.digest}",
        ]
        self.report(value, lines, as_json=json)

    def _drawn(self, job: PrintJob) -> PrintJob:
        """Draw the print, or watch the hall's worker do so. Raises Refusal: the print's fault."""
        show = self.progress("print", print_queries.print_progress(job).cards)
        while True:
            prints.draw_print(job_id=job.pk, clock=timezone.now)
            now = print_queries.progress(job)
            show(now.drawn)
            if not now.under_way:
                break
            time.sleep(LOOK)
        job.refresh_from_db()
        if job.state == PrintState.FAILED:
            raise Refusal(job.fault)
        return job


def _ordered(hall: Hall, options: dict[str, Any]) -> PrintJob:
    found = Issue.objects.select_related("series").filter(hall=hall)
    issue = found.filter(identification=options["issue"]).first()
    if issue is None:
        raise CommandError(f"{hall.code} has no issue {options['issue']}")
    asked = {name: options[name] for name in ("first", "paper", "code", "back", "crop", "reason")}
    last = issue.series.size if options["last"] is None else options["last"]
    by = _manager(hall, options["by"])
    return prints.order(issue=issue, last=last, by=by, at=timezone.now(), **asked)


def _manager(hall: Hall, username: str | None) -> Person:
    """Return the person who orders: the named one, or the hall's only manager."""
    managers = hall.people.filter(roles__contains=[Role.HALL_MANAGER], is_active=True)
    found = list(hall.people.filter(username=username) if username else managers)
    if len(found) == 1:
        return found[0]
    known = ", ".join(managers.order_by("username").values_list("username", flat=True)) or "none"
    raise CommandError(f"name one hall manager with --by; known managers: {known}")
