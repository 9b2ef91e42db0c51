"""Sending a slip to a till's thermal printer: of a sale, a payment, a checkpoint, a complaint.

A signed head as papers show it.

Printing the newest checkpoint where a hall wants it on paper; each covers all before it.
"""

from __future__ import annotations

import socket
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db import transaction

from bingo.rules import journal, policies
from bingo.rules.refusal import Refusal
from draws import slips
from draws.complaints import slip
from draws.receipts import documents
from draws.slips import CheckpointValues, ComplaintSlip, PaymentReceipt, Receipt
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.models import Checkpoint, CheckpointPlace, Hall, Session

PORT = 9100  # where printers take raw data
PATIENCE = 2.0  # seconds for a printer to answer, and again to take the slip
GRACE = 0.5  # seconds for it to end the connection

Slip = Receipt | PaymentReceipt | CheckpointValues | ComplaintSlip


def printer_address(text: str) -> tuple[str, int]:
    """Return host and port of a printer in the hall, port 9100 where none is named.

    Raises Refusal bad_printer for what is no plain name nor an address of a private network.
    """
    host, colon, port = text.partition(":")
    policies.require_printer(text if colon else f"{host}:{PORT}")
    return host, int(port) if colon else PORT


def send(values: Slip, printer: str) -> None:
    """Print a slip on the printer at "host:port".

    Raises Refusal: bad_printer; printer_unreachable when it cannot be found, answers with nothing
    or takes nothing in time, and then the paper may hold a part of the slip.
    """
    address = printer_address(printer)
    written = _slip(values)
    try:
        with socket.create_connection(address, timeout=PATIENCE) as line:
            line.sendall(written)
            line.shutdown(socket.SHUT_WR)
            _hear_out(line)
    except OSError as error:
        raise Refusal("printer_unreachable", printer=printer) from error


def _slip(values: Slip) -> bytes:
    if isinstance(values, Receipt):
        return documents.sale_escpos(values)
    if isinstance(values, CheckpointValues):
        return slips.checkpoint_escpos(values)
    if isinstance(values, ComplaintSlip):
        return slip.complaint_escpos(values)
    return documents.payment_escpos(values)


def _hear_out(line: socket.socket) -> None:
    """Read what a printer says of itself, until it hangs up or GRACE is over.

    Words left unread at the close would reset the connection, and the printer may drop the slip.
    """
    line.settimeout(GRACE)
    try:
        while line.recv(1024):
            pass
    except OSError:
        return


def checkpoint_values(checkpoint: Checkpoint, *, note: str) -> CheckpointValues:
    """Return what a paper says of a checkpoint; `note` is what was signed of its entry."""
    entry = checkpoint.entry
    hall = entry.hall
    return CheckpointValues(
        hall=hall.name,
        licence=hall.licence,
        language=hall.language,
        currency=hall.currency,
        session=entry.session.number if entry.session else None,
        game=entry.game,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        number=entry.number,
        digest=_signed(note) or entry.digest,
        note=note,
    )


def _signed(note: str) -> str:
    """Return the digest that a note tells: after a rewriting the journal would tell another."""
    try:
        return journal.read_checkpoint(note.rpartition("\n\n")[0] + "\n").digest
    except Refusal:
        return ""


def checkpoint_of_session(session: Session) -> CheckpointValues | None:
    """Return the last checkpoint signed up to a session's end; None where none was."""
    found = Checkpoint.objects.filter(
        hall=session.hall_id,
        entry__hall=session.hall_id,
        entry__session__number__lte=session.number,
    )
    last = found.select_related("entry__hall", "entry__session").order_by("entry__number").last()
    return checkpoint_values(last, note=last.note) if last else None


def deliver(hall: Hall, *, at: datetime) -> None:
    """Print the newest checkpoint unless it was; a printer that is away is told and tried again.

    What was not printed meanwhile is covered by the next slip.
    """
    wanted = checkpoints_queries.printer(hall)
    if wanted is None:
        return
    place = checkpoints_queries.printed_at(wanted.till)
    keys = checkpoints_services.attempt(hall, at=at)
    CheckpointPlace.objects.get_or_create(hall=hall, place=place)
    with transaction.atomic():
        # Of two workers one prints; the other need not wait for the printer.
        waiting = CheckpointPlace.objects.select_for_update(skip_locked=True)
        row = waiting.filter(hall=hall, place=place).first()
        newest = checkpoints_queries.newest(hall)
        if row is None or newest is None or newest.number <= row.number:
            return
        try:
            note = checkpoints_services.true_note(hall, newest, keys)
            send(checkpoint_values(newest, note=note), wanted.address)
        except Refusal as refused:
            checkpoints_services.tell(hall, place, refused.code, wanted.address, at)
            return
        CheckpointPlace.objects.filter(pk=row.pk).update(number=newest.number)
        checkpoints_services.tell(hall, place, "", "", at)
