"""Ordering a print of cards, and calling it off; the worker draws it (R3, R14-R18)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import connection, transaction

from bingo.celery_app import later
from bingo.rules import prints as rules
from bingo.rules import stock
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import Issue, PrintJob, PrintState
from draws.queries import prints as query
from draws.queries.issues import known
from draws.services import print_file
from halls import permissions
from halls.models import Person
from halls.services import journal


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
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> PrintJob:
    """Order cards first..last of an issue on paper; retired ones are left out.

    A card that an earlier order drew, or still may draw, is a reprint: it says so, and the order
    needs a reason. Raises Refusal: not_allowed, key_reused, issue_withdrawn, issue_sent,
    print_paper_unknown, print_code_unknown, print_roll_plain, print_range_bad, print_too_long,
    print_nothing_left, print_reason_missing, bad_input (the reason).
    """
    permissions.require(by, "print_ordered", hall=issue.hall_id)
    hall = journal.lock(issue.hall_id)
    asked = {
        "issue": issue.pk, "first": first, "last": last, "paper": paper, "code": code,
        "back": back, "crop": crop, "reason": reason,
    }  # fmt: skip
    if done := journal.earlier(hall, kind="print_ordered", by=by, key=key, inputs=asked):
        return query.get(hall, done.data["job"])
    issue = Issue.objects.select_related("series", "hall").get(pk=issue.pk)
    stock.may_print(known(issue))
    rules.check_shape(paper=paper, code=code, back=back, crop=crop)
    runs = query.planned(issue, first, last)
    if not runs:
        raise Refusal("print_nothing_left", first=first, last=last)
    rules.check_reason(runs, reason)
    number = _next_number()
    copies = [[run.first, run.last, run.copy] for run in runs]
    data = {"job": number, **asked, "copies": copies}
    entry = journal.append(hall, Fact("print_ordered", data), by=by, at=at, key=key)
    job = PrintJob.objects.create(
        pk=number, issue=issue, first=first, last=last, paper=paper, code=code, back=back,
        crop=crop, reason=reason, copies=copies, ordered_at=entry.at, entry=entry,
    )  # fmt: skip
    later("draws.print_cards", job_id=job.pk)
    return job


def _next_number() -> int:
    """Give the number of the next print: its entry tells it, and is written first."""
    with connection.cursor() as cursor:
        table = PrintJob._meta.db_table
        cursor.execute("SELECT nextval(pg_get_serial_sequence(%s, 'id'))", [table])
        return int(cursor.fetchone()[0])


@transaction.atomic
def cancel(*, job: PrintJob, by: Person, at: datetime, key: UUID | None = None) -> PrintJob:
    """Call a print off before it is done; its file, as far as it had come, is deleted.

    Raises Refusal: not_allowed, key_reused, print_not_running.
    """
    permissions.require(by, "print_cancelled", hall=job.issue.hall_id)
    hall = journal.lock(job.issue.hall_id)
    asked = {"job": job.pk}
    if journal.earlier(hall, kind="print_cancelled", by=by, key=key, inputs=asked):
        return query.get(hall, job.pk)
    job = (
        PrintJob.objects.select_related("issue__hall")
        .select_for_update(of=("self",))
        .get(pk=job.pk)
    )
    if job.state not in query.UNDER_WAY:
        raise Refusal("print_not_running", state=job.state)
    entry = journal.append(hall, Fact("print_cancelled", asked), by=by, at=at, key=key)
    job.state, job.ended_at = PrintState.CANCELLED, entry.at
    job.save(update_fields=["state", "ended_at"])
    transaction.on_commit(lambda: print_file.discard(job))
    return job
