"""The receipt of one sale in the commands of a thermal printer (ESC/POS, paper of 80 mm)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.translation import gettext as _

from bingo.writing import Writing
from draws.documents import receipt_words as words
from draws.documents.receipt_printer import RULE, centred, printer, row
from draws.documents.receipt_values import Receipt, ReceiptLine

if TYPE_CHECKING:
    from escpos.printer import Dummy


def slip(values: Receipt) -> bytes:
    """Give what a printer is sent, in the hall's language, up to the cut of the paper.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        out = printer()
        _head(out, values, writing)
        for line in values.lines:
            _cards(out, line, writing)
        _sums(out, values, writing)
        _foot(out, values)
    out.cut()
    written: bytes = out.output
    return written


def _head(out: Dummy, values: Receipt, writing: Writing) -> None:
    centred(out, values.hall, size=2)
    centred(out, values.licence)
    centred(out, RULE)
    centred(out, words.title(values), bold=True)
    centred(out, writing.instant(values.at))
    centred(out, f"{values.till} · {values.cashier}")
    centred(out, RULE)


def _cards(out: Dummy, line: ReceiptLine, writing: Writing) -> None:
    centred(out, words.issue(line))
    centred(out, words.numbers(line), size=2, bold=True)
    row(out, words.price(line, writing), writing.amount(line.amount))


def _sums(out: Dummy, values: Receipt, writing: Writing) -> None:
    centred(out, RULE)
    row(out, _("Total"), writing.money(values.total), size=2)
    for name, amount in words.cash(values, writing):
        row(out, name, amount)
    centred(out, RULE)


def _foot(out: Dummy, values: Receipt) -> None:
    for text in words.terms(values):
        centred(out, text)
    centred(out, words.record(values))
