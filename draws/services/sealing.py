"""Sealing by the worker: what fails is written down, told, and tried again by itself and by hand."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from django.db import DatabaseError, transaction
from django.utils import timezone
from psycopg.errors import DiskFull

from bingo.celery_app import later
from bingo.pdf.fault import SealError
from bingo.rules import sealing as rules
from draws.models import Rectification, SealFault
from draws.queries import unsealed
from draws.services import actas
from halls import permissions
from halls.models import Hall, Person, Session
from halls.services import checkpoints

log = logging.getLogger(__name__)

ACTA, RECTIFICATION = "draws.seal_acta", "draws.seal_rectification"


def session(found: Session) -> None:
    """Seal the acta of a closed session; a failure is noted and never raised."""
    # It carries the checkpoint of its session's end; without a key of those it is sealed all the same.
    checkpoints.attempt(found.hall, at=timezone.now())
    _try(found, None, lambda: actas.seal_acta(session=found, at=timezone.now()))


def rectification(found: Rectification) -> None:
    """Seal the acta of a rectification; a failure is noted and never raised."""

    def sealing() -> object:
        return actas.seal_rectification(rectification=found, at=timezone.now())

    _try(found.session, found, sealing)


def due(*, at: datetime) -> None:
    """Seal all that is not sealed and whose turn it is: what a lost task or a failure left behind."""
    sessions, rectified = unsealed.waiting(at=at)
    for one in sessions:
        session(one)
    for other in rectified:
        rectification(other)


def again(*, hall: Hall, by: Person, at: datetime) -> int:
    """Let all that a hall has not sealed be tried at once; give how many. Raises Refusal not_allowed."""
    permissions.require(by, "session_closed", hall=hall.pk)
    found = unsealed.of_hall(hall, at=at)
    with transaction.atomic():
        SealFault.objects.filter(session__hall=hall, next_at__gt=at).update(next_at=at)
        for one in found:
            if one.rectification:
                later(RECTIFICATION, rectification_id=one.rectification.pk)
            else:
                later(ACTA, session_id=one.session.pk)
    return len(found)


def _try(found: Session, part: Rectification | None, sealing: Callable[[], object]) -> None:
    named = f"session {found.number} of {found.hall.code}"
    try:
        sealing()
    except SealError as error:
        log.warning("%s is not sealed: %s %s", named, error.code, error.values)
        code = error.code
    except DatabaseError as error:
        log.exception("%s is not sealed", named)
        code = "database_full" if isinstance(error.__cause__, DiskFull) else "database_failed"
    except Exception:
        # Whatever it is, the alarm must say so and the next session must have its turn.
        log.exception("%s is not sealed", named)
        code = "sealing_failed"
    else:
        later("halls.write_checkpoints", hall_id=found.hall_id)
        return
    _note(found, part, code)


def _note(found: Session, part: Rectification | None, code: str) -> None:
    """Write a failure down where that can be done; the alarm comes without it too, only later."""
    at = timezone.now()
    try:
        with transaction.atomic():
            rows = SealFault.objects.select_for_update().filter(session=found, rectification=part)
            row = rows.first() or SealFault(session=found, rectification=part, attempts=0)
            row.code, row.at, row.attempts = code, at, row.attempts + 1
            row.next_at = at + rules.wait(row.attempts)
            row.save()
    except DatabaseError:
        log.exception("the failure of session %s could not be noted", found.number)
