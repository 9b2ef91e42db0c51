"""A checkpoint in the commands of a thermal printer (ESC/POS, paper of 80 mm), with its QR code."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _

from bingo.writing import Writing
from draws.documents import checkpoint_values as words
from draws.documents.checkpoint_values import CheckpointValues
from draws.documents.receipt_printer import RULE, centred, printer

# Dots of one square: the longest note, that of a new key, still fits the paper's 512.
DOTS = 4


def slip(values: CheckpointValues) -> bytes:
    """Give what a printer is sent, in the hall's language, up to the cut of the paper.

    The same values give the same bytes. The printer itself draws the code.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        out = printer()
        centred(out, values.hall, size=2)
        centred(out, values.licence)
        centred(out, RULE)
        centred(out, _("Checkpoint of the journal"), bold=True)
        centred(out, words.place(values))
        centred(out, writing.instant(values.at))
        centred(out, RULE)
        centred(out, words.entry(values))
        centred(out, words.short(values), bold=True)
        out.qr(values.note, size=DOTS, native=True)
        centred(out, _("Keep this slip: it shows whether the journal was changed afterwards."))
    out.cut()
    written: bytes = out.output
    return written
