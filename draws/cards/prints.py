"""Order a print of cards, call it off, and draw it in the worker (R3, R14-R18).

The file is written aside, then put in its place whole, or not at all. Each print is drawn by one
worker only, who holds an advisory lock of PostgreSQL on it and loses it with the connection. So a
print that runs while nobody holds its lock has lost its worker, and is taken up again; so it is
with an export. What becomes of a print stands in its row and in the journal: taken, done, failed,
lost.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Unpack, cast

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import QuerySet
from django.utils import translation

from bingo import plain_files
from bingo.celery_app import later
from bingo.rules import stock
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.stock import ROLL
from draws.cards import print_queries, printing, series_queries
from draws.cards.printing.values import CodeName, SheetName
from draws.cards.stock_queries import issue_state
from draws.models import Issue, PrintJob, PrintState
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command

# As far as the mask of the hall's user allows: its group is who removes what is over.
PRIVATE_FOLDER = 0o770


def print_file_part(job: PrintJob) -> Path:
    """Return the place where a print is drawn until it is whole."""
    place = print_queries.print_job_path(job)
    return place.with_name(f"{place.name}.part")


@contextmanager
def drawn(job: PrintJob) -> Iterator[BinaryIO]:
    """Return a new file to draw a print into, for its owner only; it is deleted if that breaks off.

    Raises OSError.
    """
    place = print_file_part(job)
    place.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    with plain_files.written_anew(place) as out:
        yield out


def print_file_digest(out: BinaryIO) -> str:
    """Force what was drawn onto the disk, and return its SHA-256 in hex."""
    out.flush()
    os.fsync(out.fileno())
    out.seek(0)
    return hashlib.file_digest(out, "sha256").hexdigest()  # type: ignore[arg-type]


def put_print_file(job: PrintJob) -> None:
    """Give the drawn file its name, durably."""
    place = print_queries.print_job_path(job)
    print_file_part(job).replace(place)
    folder = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def discard(job: PrintJob) -> None:
    """Delete whatever there is of a print that will never be done."""
    for place in (print_file_part(job), print_queries.print_job_path(job)):
        with suppress(OSError):
            place.unlink()


@transaction.atomic
def order(
    *,
    issue: Issue,
    first: int,
    last: int,
    paper: str,
    code: str,
    back: bool,
    crop: bool,
    reason: str,
    **who: Unpack[Who],
) -> PrintJob:
    """Order cards first..last of an issue on paper; retired ones are left out.

    A card that an earlier order drew, or still may draw, is a reprint: it says so, and the order
    needs a reason. Raises Refusal: not_allowed, key_reused, issue_withdrawn, issue_sent,
    print_paper_unknown, print_code_unknown, print_roll_plain, print_range_bad, print_too_long,
    print_nothing_left, print_reason_missing, bad_input (the reason).
    """
    asked = {
        "issue": issue.pk, "first": first, "last": last, "paper": paper, "code": code,
        "back": back, "crop": crop, "reason": reason,
    }  # fmt: skip
    hall, done = begin_command(issue.hall_id, "print_ordered", inputs=asked, **who)
    if done:
        return print_queries.get_print_job(hall, done.data["job"])
    issue = Issue.objects.select_related("series", "hall").get(pk=issue.pk)
    stock.may_print(issue_state(issue))
    stock.check_shape(paper=paper, code=code, back=back, crop=crop)
    runs = print_queries.planned(issue, first, last)
    if not runs:
        raise Refusal("print_nothing_left", first=first, last=last)
    stock.check_reason(runs, reason)
    number = _next_number()
    copies = [[run.first, run.last, run.copy] for run in runs]
    data = {"job": number, **asked, "copies": copies}
    entry = journal_services.append(hall, Fact("print_ordered", data), **who)
    job = PrintJob.objects.create(
        pk=number, issue=issue, first=first, last=last, paper=paper, code=code, back=back,
        crop=crop, reason=reason, copies=copies, ordered_at=entry.at, entry=entry,
    )  # fmt: skip
    later("draws.print_cards", job_id=job.pk)
    return job


def _next_number() -> int:
    """Return the number of the next print: its entry tells it, and is written first."""
    with connection.cursor() as cursor:
        table = PrintJob._meta.db_table
        cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id'))", [table])
        return int(cursor.fetchone()[0])


@transaction.atomic
def cancel(*, job: PrintJob, **who: Unpack[Who]) -> PrintJob:
    """Call a print off before it is done; its file, as far as it had come, is deleted.

    Raises Refusal: not_allowed, key_reused, print_not_running.
    """
    asked = {"job": job.pk}
    hall, done = begin_command(job.issue.hall_id, "print_cancelled", inputs=asked, **who)
    if done:
        return print_queries.get_print_job(hall, job.pk)
    job = (
        PrintJob.objects.select_related("issue__hall")
        .select_for_update(of=("self",))
        .get(pk=job.pk)
    )
    if job.state not in print_queries.UNDER_WAY:
        raise Refusal("print_not_running", state=job.state)
    entry = journal_services.append(hall, Fact("print_cancelled", asked), **who)
    job.state, job.ended_at = PrintState.CANCELLED, entry.at
    job.save(update_fields=["state", "ended_at"])
    transaction.on_commit(lambda: discard(job))
    return job


LOCKS = 0x7072_696E  # "prin": the class of these locks
EXPORTS = 0x6578_706F  # "expo": of those of exports


@contextmanager
def print_lock(job_id: int, *, locks: int = LOCKS) -> Iterator[bool]:
    """Hold the lock of a print meanwhile, and tell whether it was free; not within a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [locks, job_id])
        free = bool(cursor.fetchone()[0])
    try:
        yield free
    finally:
        if free:
            # The pool keeps the connection, and with it the lock; one that is gone has let go.
            with suppress(DatabaseError, InterfaceError), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [locks, job_id])


MOST_LOSSES = 5
LOST = "print_worker_gone"

log = logging.getLogger(__name__)


class PrintStopped(Exception):
    """The print is no longer this worker's to draw: it was cancelled."""


def claimed(job_id: int, *, at: datetime) -> PrintJob | None:
    """Return the print if it was queued: it runs now."""
    queued = PrintJob.objects.filter(pk=job_id, state=PrintState.QUEUED)
    if not queued.update(state=PrintState.RUNNING, started_at=at, drawn=0):
        return None
    found = PrintJob.objects.select_related("issue__hall", "issue__series", "issue__authorisation")
    return found.get(pk=job_id)


def record_print_progress(job: PrintJob, *, drawn: int) -> None:
    """Write down how far the print has come.

    Raises Stopped; Refusal issue_withdrawn, issue_sent when the issue has gone meanwhile.
    """
    if not _running(job).update(drawn=drawn):
        raise PrintStopped
    require_printable(job)


def require_printable(job: PrintJob) -> None:
    """Refuse to go on with cards that have left the hall's stock: issue_withdrawn, issue_sent."""
    job.issue.refresh_from_db(fields=["place", "last_sold"])
    stock.may_print(issue_state(job.issue))


@transaction.atomic
def finish_print(job: PrintJob, *, pages: int, digest: str, at: datetime) -> None:
    """Put the drawn file in its place and record it.

    Raises Stopped; Refusal issue_withdrawn, issue_sent.
    """
    hall = head.lock(job.issue.hall_id)
    if not _running(job).select_for_update().exists():
        raise PrintStopped
    require_printable(job)
    put_print_file(job)
    data = {"job": job.pk, "pages": pages, "digest": digest}
    entry = journal_services.append(hall, Fact("print_finished", data), by=None, at=at)
    _running(job).update(
        state=PrintState.DONE,
        drawn=print_queries.print_progress(job).cards,
        pages=pages,
        digest=digest,
        ended_at=entry.at,
    )


@transaction.atomic
def fail_print(job: PrintJob, fault: str, *, at: datetime) -> None:
    """Record that the print has failed, and why; whatever there is of its file goes."""
    hall = head.lock(job.issue.hall_id)
    if not _running(job).select_for_update().exists():
        return
    data = {"job": job.pk, "fault": fault}
    entry = journal_services.append(hall, Fact("print_failed", data), by=None, at=at)
    _running(job).update(state=PrintState.FAILED, fault=fault, ended_at=entry.at)
    transaction.on_commit(lambda: discard(job))


def take_back(job: PrintJob, *, at: datetime) -> None:
    """Queue a print again that has lost its worker.

    After MOST_LOSSES it has failed: it may be what kills them.
    """
    losses = job.losses + 1
    if losses >= MOST_LOSSES:
        fail_print(job, LOST, at=at)
        return
    kept = {"state": PrintState.QUEUED, "started_at": None, "drawn": 0}
    if _running(job).update(**kept, losses=losses):
        log.warning("print %s has lost its worker and is queued again", job.pk)


def _running(job: PrintJob) -> QuerySet[PrintJob]:
    """Find the print as long as it runs since it was taken, and not since somebody else did."""
    return PrintJob.objects.filter(pk=job.pk, state=PrintState.RUNNING, started_at=job.started_at)


LOOK = 0.5  # seconds between two looks at whether the print is still wanted
FULL = frozenset([errno.ENOSPC, errno.EDQUOT])

Clock = Callable[[], datetime]


def draw_print(*, job_id: int, clock: Clock) -> None:
    """Draw a queued print into its file, or do nothing when it is not queued or somebody is at it.

    What goes wrong with the drawing is recorded as the print's fault. What goes wrong with the
    database is raised (OperationalError, InterfaceError): the print waits for `revive`.
    """
    with print_lock(job_id) as ours:
        job = claimed(job_id, at=clock()) if ours else None
        if job is None:
            return
        try:
            _draw(job, clock=clock)
        except PrintStopped:
            log.info("print %s was cancelled", job.pk)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            log.exception("print %s", job.pk)
            fail_print(job, _fault(error), at=clock())


def revive(*, at: datetime) -> None:
    """Queue again the prints whose worker was killed, and ask again for all that wait."""
    for job in PrintJob.objects.filter(state=PrintState.RUNNING).select_related("issue__hall"):
        with print_lock(job.pk) as nobody_at_it:
            if nobody_at_it:
                take_back(job, at=at)
    waiting = PrintJob.objects.filter(state=PrintState.QUEUED).order_by("pk")
    for number in waiting.values_list("pk", flat=True):
        later("draws.print_cards", job_id=number)


def _draw(job: PrintJob, *, clock: Clock) -> None:
    require_printable(job)
    # Wrong cards on paper are found out by players.
    if not series_queries.is_intact(job.issue.series):
        raise Refusal("matrix_changed", issue=job.issue_id)
    with drawn(job) as out:
        pages = _pages(job, out)
        digest = print_file_digest(out)
        finish_print(job, pages=pages, digest=digest, at=clock())


def _pages(job: PrintJob, out: BinaryIO) -> int:
    """Draw the cards; return the number of pages. Raises Stopped."""
    issue, code, progress = job.issue, cast(CodeName, job.code), _telling(job)
    values, cards = (
        print_queries.print_content_values(issue),
        print_queries.Stored(issue, print_queries.runs(job)),
    )
    with translation.override(issue.hall.language):
        if job.paper == ROLL:
            return printing.roll(values, cards, code=code, out=out, progress=progress)
        return printing.sheets(
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
    """Return a function that tells how far the print is, and raises Stopped when it was cancelled."""
    told = time.monotonic()

    def tell(drawn: int) -> None:
        nonlocal told
        if time.monotonic() - told >= LOOK:
            told = time.monotonic()
            record_print_progress(job, drawn=drawn)

    return tell


def _fault(error: Exception) -> str:
    """Return the code of what went wrong."""
    if isinstance(error, Refusal):
        return error.code
    if isinstance(error, OSError):
        return "print_disk_full" if error.errno in FULL else "print_file_not_written"
    return "print_drawing_failed"
