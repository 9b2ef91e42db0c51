"""The player's slip of a complaint in the commands of a thermal printer (ESC/POS, paper of 80 mm)."""

from __future__ import annotations

from django.utils import translation

from bingo.writing import Writing
from draws.documents import complaint_slip_words as words
from draws.documents import receipt_words
from draws.documents.complaint_values import ComplaintSlip
from draws.documents.receipt_printer import RULE, centred, printer


def slip(values: ComplaintSlip) -> bytes:
    """Give what a printer is sent, in the hall's language, up to the cut of the paper.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        out = printer()
        centred(out, values.hall, size=2)
        centred(out, values.licence)
        centred(out, RULE)
        centred(out, words.kind(values), bold=True)
        centred(out, words.number(values), size=2, bold=True)
        centred(out, words.title(values), bold=True)
        centred(out, writing.instant(values.at))
        for about in words.about(values):
            centred(out, about)
        centred(out, RULE)
        centred(out, words.said(values))
        centred(out, words.taken_by(values))
        centred(out, RULE)
        centred(out, words.outcome(values), bold=True)
        for told in words.where_to_go(values):
            centred(out, told)
        centred(out, receipt_words.record(values))
    out.cut()
    written: bytes = out.output
    return written
