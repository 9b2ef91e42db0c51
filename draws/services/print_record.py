"""What becomes of an ordered print, in its row and in the journal: taken, done, failed, lost."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from bingo.rules import stock
from bingo.rules.game import Fact
from draws.models import PrintJob, PrintState
from draws.queries import prints
from draws.queries.issues import known
from draws.services import print_file
from halls.services import journal

MOST_LOSSES = 5
LOST = "print_worker_gone"

log = logging.getLogger(__name__)


class Stopped(Exception):
    """The print is no longer this worker's to draw: it was cancelled."""


def claimed(job_id: int, *, at: datetime) -> PrintJob | None:
    """Give the print if it was queued: it runs now."""
    queued = PrintJob.objects.filter(pk=job_id, state=PrintState.QUEUED)
    if not queued.update(state=PrintState.RUNNING, started_at=at, drawn=0):
        return None
    found = PrintJob.objects.select_related("issue__hall", "issue__series", "issue__authorisation")
    return found.get(pk=job_id)


def tell(job: PrintJob, *, drawn: int) -> None:
    """Write down how far the print has come.

    Raises Stopped; Refusal issue_withdrawn, issue_sent when the issue has gone meanwhile.
    """
    if not _running(job).update(drawn=drawn):
        raise Stopped
    require_printable(job)


def require_printable(job: PrintJob) -> None:
    """Refuse to go on with cards that have left the hall's stock: issue_withdrawn, issue_sent."""
    job.issue.refresh_from_db(fields=["place", "last_sold"])
    stock.may_print(known(job.issue))


@transaction.atomic
def finish(job: PrintJob, *, pages: int, digest: str, at: datetime) -> None:
    """Put the drawn file in its place and record it.

    Raises Stopped; Refusal issue_withdrawn, issue_sent.
    """
    hall = journal.lock(job.issue.hall_id)
    if not _running(job).select_for_update().exists():
        raise Stopped
    require_printable(job)
    print_file.put(job)
    data = {"job": job.pk, "pages": pages, "digest": digest}
    entry = journal.append(hall, Fact("print_finished", data), by=None, at=at)
    _running(job).update(
        state=PrintState.DONE,
        drawn=prints.standing(job).cards,
        pages=pages,
        digest=digest,
        ended_at=entry.at,
    )


@transaction.atomic
def fail(job: PrintJob, fault: str, *, at: datetime) -> None:
    """Record that the print has failed, and why; whatever there is of its file goes."""
    hall = journal.lock(job.issue.hall_id)
    if not _running(job).select_for_update().exists():
        return
    data = {"job": job.pk, "fault": fault}
    entry = journal.append(hall, Fact("print_failed", data), by=None, at=at)
    _running(job).update(state=PrintState.FAILED, fault=fault, ended_at=entry.at)
    transaction.on_commit(lambda: print_file.discard(job))


def take_back(job: PrintJob, *, at: datetime) -> None:
    """Queue a print again that has lost its worker.

    After MOST_LOSSES it has failed: it may be what kills them.
    """
    losses = job.losses + 1
    if losses >= MOST_LOSSES:
        fail(job, LOST, at=at)
        return
    kept = {"state": PrintState.QUEUED, "started_at": None, "drawn": 0}
    if _running(job).update(**kept, losses=losses):
        log.warning("print %s has lost its worker and is queued again", job.pk)


def _running(job: PrintJob) -> QuerySet[PrintJob]:
    """Find the print as long as it runs since it was taken, and not since somebody else did."""
    return PrintJob.objects.filter(pk=job.pk, state=PrintState.RUNNING, started_at=job.started_at)
