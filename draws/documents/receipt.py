"""The receipt of one sale as a page: till paper's width, as long as it needs (R39, R41)."""

from django.utils import translation
from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Spacer

from bingo.pdf import kit
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import receipt_words as words
from draws.documents import slip_page
from draws.documents.receipt_values import Receipt, ReceiptLine


def receipt(values: Receipt) -> bytes:
    """Give a PDF of one page 80 mm wide in the hall's language.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        return slip_page.page(
            _story(values, writing),
            title=f"{words.title(values)} · {values.hall}",
            hall=values.hall,
            language=values.language,
            at=values.at,
        )


def _story(values: Receipt, writing: Writing) -> list[Flowable]:
    return [
        kit.paragraph(values.hall, slip_page.HALL),
        kit.paragraph(values.licence, slip_page.SMALL),
        *slip_page.rule(),
        kit.paragraph(words.title(values), slip_page.GAME),
        kit.paragraph(writing.instant(values.at), slip_page.SMALL),
        kit.paragraph(f"{values.till} · {values.cashier}", slip_page.SMALL),
        *slip_page.rule(),
        *(part for line in values.lines for part in _cards(line, writing)),
        *slip_page.rule(),
        _sums(values, writing),
        *slip_page.rule(),
        *(kit.paragraph(text, slip_page.TERMS) for text in words.terms(values)),
        Spacer(0, 3),
        kit.paragraph(words.record(values), slip_page.SMALL),
    ]


def _cards(line: ReceiptLine, writing: Writing) -> list[Flowable]:
    return [
        kit.paragraph(words.issue(line), slip_page.CENTRED),
        kit.paragraph(words.numbers(line), slip_page.CARDS),
        Spacer(0, 2),
        slip_page.columns([(words.price(line, writing), writing.amount(line.amount))]),
        Spacer(0, 3),
    ]


def _sums(values: Receipt, writing: Writing) -> Table:
    rows = [(_("Total"), writing.money(values.total)), *words.cash(values, writing)]
    return slip_page.columns(rows, bold=0)
