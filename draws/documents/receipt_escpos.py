"""The receipt of one sale in the commands of a thermal printer (ESC/POS, paper of 80 mm)."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.translation import gettext as _

from bingo.writing import Writing
from draws.documents import receipt_words as words
from draws.documents.receipt_printer import COLUMNS, printable, printer
from draws.documents.receipt_values import Receipt, ReceiptLine

if TYPE_CHECKING:
    from escpos.printer import Dummy

RULE = "-" * COLUMNS


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
    _centred(out, values.hall, size=2)
    _centred(out, values.licence)
    _centred(out, RULE)
    _centred(out, words.title(values), bold=True)
    _centred(out, writing.instant(values.at))
    _centred(out, f"{values.till} · {values.cashier}")
    _centred(out, RULE)


def _cards(out: Dummy, line: ReceiptLine, writing: Writing) -> None:
    _centred(out, words.issue(line))
    _centred(out, words.numbers(line), size=2, bold=True)
    _row(out, words.price(line, writing), writing.amount(line.amount))


def _sums(out: Dummy, values: Receipt, writing: Writing) -> None:
    _centred(out, RULE)
    _row(out, _("Total"), writing.money(values.total), size=2)
    for name, amount in words.cash(values, writing):
        _row(out, name, amount)
    _centred(out, RULE)


def _foot(out: Dummy, values: Receipt) -> None:
    for text in words.terms(values):
        _centred(out, text)
    _centred(out, words.record(values))


def _centred(out: Dummy, text: str, *, size: int = 1, bold: bool = False) -> None:
    out.set(align="center", bold=bold, custom_size=True, width=size, height=size)
    for line in textwrap.wrap(printable(text), COLUMNS // size):
        out.textln(line)


def _row(out: Dummy, name: str, amount: str, *, size: int = 1) -> None:
    out.set(align="left", bold=size > 1, custom_size=True, width=size, height=size)
    left, right, room = printable(name), printable(amount), COLUMNS // size
    if len(left) + 1 + len(right) > room:
        out.textln(left)
        left = ""
    out.textln(left + right.rjust(room - len(left)))
