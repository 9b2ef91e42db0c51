"""The receipt of a payment in the commands of a thermal printer (ESC/POS, paper of 80 mm)."""

from __future__ import annotations

from django.utils import translation

from bingo.writing import Writing
from draws.documents import payment_words, receipt_words
from draws.documents.payment_values import PaymentReceipt
from draws.documents.receipt_printer import RULE, centred, printer, row


def slip(values: PaymentReceipt) -> bytes:
    """Give what a printer is sent, in the hall's language, up to the cut of the paper.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        out = printer()
        centred(out, values.hall, size=2)
        centred(out, values.licence)
        centred(out, RULE)
        centred(out, payment_words.kind(values), bold=True)
        centred(out, receipt_words.title(values), bold=True)
        centred(out, writing.instant(values.at))
        centred(out, payment_words.persons(values))
        centred(out, RULE)
        centred(out, receipt_words.of_issue(values.issue))
        centred(out, str(values.card), size=2, bold=True)
        for name, amount in payment_words.prizes(values, writing):
            row(out, name, amount)
        centred(out, RULE)
        *before, (net, paid) = payment_words.sums(values, writing)
        for name, amount in before:
            row(out, name, amount)
        row(out, net, paid, size=2)
        centred(out, payment_words.tax(values, writing))
        centred(out, RULE)
        centred(out, payment_words.terms())
        centred(out, receipt_words.record(values))
    out.cut()
    written: bytes = out.output
    return written
