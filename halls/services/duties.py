"""A duty of the law left out by two persons, with the reason that the acta prints (R4, R20, R22, R23)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules.duties import APPROVAL, CLOSING, OPENING, SET
from bingo.rules.refusal import Refusal
from bingo.rules.session import load
from halls import permissions
from halls.models import BallSet, JournalEntry, Person, Session
from halls.queries import duties as queries
from halls.queries import equipment
from halls.services import journal, witnesses

KIND = "duty_left_out"


@transaction.atomic
def leave_out(
    *,
    session: Session,
    duty: str,
    subject: str,
    reason: str,
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Leave a duty out for the rest of the session: what is due of its balls, and nothing else.

    `duty` is one of `bingo.rules.duties.DUTIES`, `subject` the set, device or format it is of.
    Raises Refusal: not_allowed, key_reused, duty_not_due, second_person_needed,
    witness_same_person, witness_not_allowed, or what `bingo.rules.duties.leave_out` refuses.
    """
    permissions.require(by, KIND, hall=session.hall_id)
    hall = journal.lock(session.hall_id)
    why = reason.strip()
    asked = {"duty": duty, "subject": subject, "reason": why}
    if done := journal.earlier(hall, kind=KIND, by=by, key=key, inputs=asked):
        return done
    session = Session.objects.select_related("hall").get(pk=session.pk)
    named = witnesses.name(witness, by=by, kind=KIND)
    done = journal.record(
        session, KIND, by=by, at=at, key=key, witness=named,
        duty=duty, subject=subject, reason=why,
    ).entry  # fmt: skip
    if not _is_due(session, duty, subject, at=at):
        raise Refusal("duty_not_due")
    return done


def _is_due(session: Session, duty: str, subject: str, *, at: datetime) -> bool:
    """Tell whether it would have to be done, asked of the books as they are."""
    hall = session.hall
    if duty == SET:
        formats = session.state["terms"].get("formats") or [90]
        known = subject in [str(one) for one in formats]
        return known and equipment.in_use(hall, int(subject)) is None
    if duty == APPROVAL:
        day = queries.day_of(hall, at)
        used = BallSet.objects.filter(hall=hall, standing="in_use").select_related("extractor")
        return any(subject in queries.unapproved(one, day=day) for one in used)
    if duty == CLOSING:
        called = queries.closing_call(session, subject)
        due = subject in load(session.state).balls.drawn
        return due and (called is None or not queries.is_whole(called))
    called = queries.opening_call(session, subject)
    there = BallSet.objects.filter(hall=hall, serial=subject).exclude(standing="retired").exists()
    return duty == OPENING and there and (called is None or not queries.is_whole(called))
