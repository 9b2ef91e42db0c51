"""Rectifying a sealed acta: a new one, linked to it, before a second person (R58)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.celery_app import later
from bingo.rules import rectifying as rules
from bingo.rules.game import Fact
from bingo.rules.rectifying import RECTIFIED
from bingo.rules.refusal import Refusal
from draws.models import Rectification
from draws.queries import rectifications
from halls import permissions
from halls.models import Person, Session
from halls.services import journal, witnesses


@transaction.atomic
def rectify(
    *,
    session: Session,
    reason: str,
    what: str,
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Rectification:
    """Say what is wrong in the last sealed acta of a session, and why; its own acta is sealed after.

    What was sealed stands for ever, so that two persons always say that it is wrong. Raises
    Refusal: not_allowed, key_reused, second_person_needed, witness_same_person,
    witness_not_allowed, or what `bingo.rules.rectifying.rectify` refuses.
    """
    permissions.require(by, RECTIFIED, hall=session.hall_id)
    hall = journal.lock(session.hall_id)
    asked = {"session": session.number, "reason": reason.strip(), "what": what.strip()}
    if done := journal.earlier(hall, kind=RECTIFIED, by=by, key=key, inputs=asked):
        return Rectification.objects.get(entry=done)
    second = witnesses.name(witness, by=by, kind=RECTIFIED)
    if second is None:
        raise Refusal("second_person_needed", command=RECTIFIED)
    before, digest = rectifications.last(session)
    data = rules.rectify(
        session=session.number, before=before, digest=digest, reason=reason, what=what
    )
    fact = Fact(RECTIFIED, data | {"witness": second})
    entry = journal.append(hall, fact, session=session, by=by, at=at, key=key)
    made = Rectification.objects.create(
        session=session,
        number=data["rectification"],
        previous=before or None,
        rectifies=data["digest"],
        reason=data["reason"],
        what=data["what"],
        at=entry.at,
        entry=entry,
    )
    later("draws.seal_rectification", rectification_id=made.pk)
    return made
