"""Celery tasks of the app `draws`: seal actas, print cards and papers, write exports, remove."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from bingo.celery_app import app
from bingo.pdf import SealError
from bingo.rules.refusal import Refusal
from bingo.slips.printer import send
from draws.cards import prints
from draws.complaints import services as complaints_services
from draws.complaints.slip import complaint_slip
from draws.models import Complaint, Rectification
from draws.prizes import services as prizes_services
from draws.receipts import documents
from draws.receipts import queries as receipts_queries
from draws.record import sealing
from draws.record.archive import writing_and_expiring
from draws.retention import services as retention_services
from halls.models import Hall, JournalEntry, Session
from halls.policy import queries as policy_queries

log = logging.getLogger(__name__)

STALE = timedelta(minutes=2)  # a player who bought cards before that has gone without the slip


@app.task(name="draws.make_seal_key")
def make_seal_key(*, hall_id: int) -> None:
    """Make the key that seals a hall's actas, unless it is there."""
    hall = Hall.objects.get(pk=hall_id)
    try:
        sealing.first_key(hall, at=timezone.now())
    except SealError as error:
        log.warning("the key of %s is not made: %s %s", hall.code, error.code, error.values)


@app.task(name="draws.seal_acta")
def seal_acta(*, session_id: int) -> None:
    """Seal the acta of a session that has just closed."""
    sealing.session(
        Session.objects.select_related("hall", "opened_by", "closed_by").get(pk=session_id)
    )


@app.task(name="draws.seal_rectification")
def seal_rectification(*, rectification_id: int) -> None:
    """Seal the acta that rectifies another."""
    found = Rectification.objects.select_related("session__hall", "entry__by")
    sealing.rectification(found.get(pk=rectification_id))


@app.task(name="draws.seal_due_actas")
def seal_due_actas() -> None:
    """Seal what has no acta yet and whose turn it is: what a lost task or a failure left behind."""
    sealing.due(at=timezone.now())


@app.task(name="draws.print_cards")
def print_cards(*, job_id: int) -> None:
    """Draw a print that was ordered, unless somebody else does or it was called off."""
    prints.draw_print(job_id=job_id, clock=timezone.now)


@app.task(name="draws.print_due_cards")
def print_due_cards() -> None:
    """Take up again what a killed worker, a lost task or a broker that was away left behind."""
    prints.revive(at=timezone.now())


@app.task(name="draws.make_export")
def make_export(*, export_id: int) -> None:
    """Write the archive that somebody asked for, unless somebody else does or it was called off."""
    writing_and_expiring.make_export(export_id=export_id, clock=timezone.now)


@app.task(name="draws.make_due_exports")
def make_due_exports() -> None:
    """Take up again what a killed worker or a lost task left behind; remove what has expired."""
    writing_and_expiring.revive(at=timezone.now())
    writing_and_expiring.expire(at=timezone.now())


# Told done before it is: a slip that may have been printed is not printed again by itself.
@app.task(name="draws.print_receipt", acks_late=False)
def print_receipt(*, sale_entry: int, given: int | None = None) -> None:
    """Print the receipt of a sale at its till, if that has a printer; too late or failed, let it be.

    `given` is the cash handed over, in minor units.
    """
    found = JournalEntry.objects.select_related("hall", "session", "by")
    entry = found.get(pk=sale_entry)
    printer = _printer(entry)
    if printer is None or timezone.now() - entry.at > STALE:
        return
    if not entry.sales.exists():
        return  # taken back meanwhile
    with _warned(f"receipt of entry {entry.number} of {entry.hall.code}"):
        values = receipts_queries.get_sale_receipt(entry, given=given)
        send(documents.sale_slip(values), printer, loopback=settings.PRINTER_LOOPBACK)


@app.task(name="draws.print_payment", acks_late=False)
def print_payment(*, payment_entry: int, asked: str | None = None) -> None:
    """Print the receipt of a payment at its till, if that has a printer; too late or failed, let it be.

    `asked` is when somebody wanted it again, in ISO 8601: that one is a copy.
    """
    found = JournalEntry.objects.select_related("hall", "session", "by")
    entry = found.get(pk=payment_entry)
    wanted = datetime.fromisoformat(asked) if asked else entry.at
    printer, now = _printer(entry), timezone.now()
    if printer is None or now - wanted > STALE:
        return
    copy = not prizes_services.given_first(entry, at=now)
    if copy and asked is None:
        return
    with _warned(f"payment of entry {entry.number} of {entry.hall.code}"):
        values = receipts_queries.get_payment_receipt(entry, copy=copy)
        send(documents.payment_slip(values), printer, loopback=settings.PRINTER_LOOPBACK)


@app.task(name="draws.print_checkpoint")
def print_checkpoint(*, hall_id: int) -> None:
    """Print a hall's newest checkpoint, where it wants them on paper."""
    documents.deliver(Hall.objects.get(pk=hall_id), at=timezone.now())


@app.task(name="draws.print_due_checkpoints")
def print_due_checkpoints() -> None:
    """Do so for every hall: what a lost task or a printer that was away left behind."""
    for hall in Hall.objects.order_by("code"):
        documents.deliver(hall, at=timezone.now())


@app.task(name="draws.print_complaint", acks_late=False)
def print_complaint(*, complaint: int, till: str, asked: str) -> None:
    """Print a complaint's slip at a till's printer, as it stands; too late or failed, let it be.

    `asked` is when somebody wanted it, in ISO 8601.
    """
    found = Complaint.objects.select_related(*complaints_services.NAMED).get(pk=complaint)
    hall = found.session.hall
    printer = policy_queries.printers(hall).get(till)
    if printer is None or timezone.now() - datetime.fromisoformat(asked) > STALE:
        return
    with _warned(f"complaint {found} of {hall.code}"):
        send(
            complaint_slip(complaints_services.get_complaint_slip(found)),
            printer,
            loopback=settings.PRINTER_LOOPBACK,
        )


@app.task(name="draws.remove_expired")
def remove_expired() -> None:
    """Remove what halls keep no longer, each once a day; one that is refused stops no other."""
    for hall in Hall.objects.order_by("code"):
        with _warned(f"nothing of {hall.code} is removed"):
            retention_services.nightly(hall=hall, at=timezone.now())


@contextmanager
def _warned(what: str) -> Iterator[None]:
    """Log a refusal: nobody waits for a worker's answer."""
    try:
        yield
    except Refusal as refused:
        log.warning("%s: %s", what, refused)


def _printer(entry: JournalEntry) -> str | None:
    return policy_queries.printers(entry.hall).get(entry.data.get("till", ""))
