"""Sending a slip to a till's thermal printer: of a sale, a payment, a checkpoint, a complaint."""

from __future__ import annotations

import socket

from bingo.rules import policies
from bingo.rules.refusal import Refusal
from draws.documents import (
    checkpoint_escpos,
    complaint_escpos,
    payment_escpos,
    receipt_escpos,
)
from draws.documents.checkpoint_values import CheckpointValues
from draws.documents.complaint_values import ComplaintSlip
from draws.documents.payment_values import PaymentReceipt
from draws.documents.receipt_values import Receipt

PORT = 9100  # where printers take raw data
PATIENCE = 2.0  # seconds for a printer to answer, and again to take the slip
GRACE = 0.5  # seconds for it to end the connection

Slip = Receipt | PaymentReceipt | CheckpointValues | ComplaintSlip


def printer_address(text: str) -> tuple[str, int]:
    """Give host and port of a printer in the hall, port 9100 where none is named.

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
        return receipt_escpos.slip(values)
    if isinstance(values, CheckpointValues):
        return checkpoint_escpos.slip(values)
    if isinstance(values, ComplaintSlip):
        return complaint_escpos.slip(values)
    return payment_escpos.slip(values)


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
