"""Work done after a commit, by the Celery worker."""

import logging

from django.utils import timezone

from bingo.celery_app import app
from bingo.pdf.keys import SealError
from draws.services import actas, printing
from halls.models import Session

log = logging.getLogger(__name__)


@app.task(name="draws.seal_acta")
def seal_acta(*, session_id: int) -> None:
    """Seal the acta of a session that has just closed."""
    _seal(Session.objects.select_related("hall", "opened_by", "closed_by").get(pk=session_id))


@app.task(name="draws.seal_due_actas")
def seal_due_actas() -> None:
    """Seal every closed session that has no acta yet: what a lost task or a bad key left behind."""
    due = Session.objects.filter(closed_at__isnull=False, acta__isnull=True)
    for session in due.select_related("hall", "opened_by", "closed_by"):
        _seal(session)


@app.task(name="draws.print_cards")
def print_cards(*, job_id: int) -> None:
    """Draw a print that was ordered, unless somebody else does or it was called off."""
    printing.draw(job_id=job_id, clock=timezone.now)


@app.task(name="draws.print_due_cards")
def print_due_cards() -> None:
    """Take up again what a killed worker, a lost task or a broker that was away left behind."""
    printing.revive(at=timezone.now())


def _seal(session: Session) -> None:
    try:
        actas.seal_acta(session=session, at=timezone.now())
    except SealError as error:
        log.exception("session %s of %s: %s", session.number, session.hall.code, error.code)
