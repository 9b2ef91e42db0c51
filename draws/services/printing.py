"""The worker's side of a print: drawn by one worker only, and taken up again when that one is killed."""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Callable
from datetime import datetime
from typing import BinaryIO, cast

from django.db import InterfaceError, OperationalError
from django.utils import translation

from bingo.celery_app import later
from bingo.rules.prints import ROLL
from bingo.rules.refusal import Refusal
from draws.documents import cards as document
from draws.documents.cards.values import CodeName, SheetName
from draws.models import PrintJob, PrintState
from draws.queries import fingerprint, printing, prints
from draws.services import print_file, print_lock, print_record
from draws.services.print_record import Stopped

LOOK = 0.5  # seconds between two looks at whether the print is still wanted
FULL = frozenset([errno.ENOSPC, errno.EDQUOT])

Clock = Callable[[], datetime]

log = logging.getLogger(__name__)


def draw(*, job_id: int, clock: Clock) -> None:
    """Draw a queued print into its file, or do nothing when it is not queued or somebody is at it.

    What goes wrong with the drawing is recorded as the print's fault. What goes wrong with the
    database is raised (OperationalError, InterfaceError): the print waits for `revive`.
    """
    with print_lock.held(job_id) as ours:
        job = print_record.claimed(job_id, at=clock()) if ours else None
        if job is None:
            return
        try:
            _draw(job, clock=clock)
        except Stopped:
            log.info("print %s was cancelled", job.pk)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            log.exception("print %s", job.pk)
            print_record.fail(job, _fault(error), at=clock())


def revive(*, at: datetime) -> None:
    """Queue again the prints whose worker was killed, and ask again for all that wait."""
    for job in PrintJob.objects.filter(state=PrintState.RUNNING).select_related("issue__hall"):
        with print_lock.held(job.pk) as nobody_at_it:
            if nobody_at_it:
                print_record.take_back(job, at=at)
    waiting = PrintJob.objects.filter(state=PrintState.QUEUED).order_by("pk")
    for number in waiting.values_list("pk", flat=True):
        later("draws.print_cards", job_id=number)


def _draw(job: PrintJob, *, clock: Clock) -> None:
    print_record.require_printable(job)
    # Wrong cards on paper are found out by players.
    if not fingerprint.is_intact(job.issue.series):
        raise Refusal("matrix_changed", issue=job.issue_id)
    with print_file.drawn(job) as out:
        pages = _pages(job, out)
        digest = print_file.digest(out)
        print_record.finish(job, pages=pages, digest=digest, at=clock())


def _pages(job: PrintJob, out: BinaryIO) -> int:
    """Draw the cards; give the number of pages. Raises Stopped."""
    issue, code, progress = job.issue, cast(CodeName, job.code), _telling(job)
    values, cards = printing.values(issue), printing.Stored(issue, prints.runs(job))
    with translation.override(issue.hall.language):
        if job.paper == ROLL:
            return document.roll(values, cards, code=code, out=out, progress=progress)
        return document.sheets(
            values,
            cards,
            paper=cast(SheetName, job.paper),
            code=code,
            back=job.back,
            crop=job.crop,
            out=out,
            progress=progress,
        )


def _telling(job: PrintJob) -> Callable[[int], None]:
    """Give a function that tells how far the print is, and raises Stopped when it was cancelled."""
    told = time.monotonic()

    def tell(drawn: int) -> None:
        nonlocal told
        if time.monotonic() - told >= LOOK:
            told = time.monotonic()
            print_record.tell(job, drawn=drawn)

    return tell


def _fault(error: Exception) -> str:
    """Give the code of what went wrong."""
    if isinstance(error, Refusal):
        return error.code
    if isinstance(error, OSError):
        return "print_disk_full" if error.errno in FULL else "print_file_not_written"
    return "print_drawing_failed"
