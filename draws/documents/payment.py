"""The receipt of a payment as a page: till paper's width, as long as it needs (R44, R50)."""

from django.utils import translation
from reportlab.platypus import Flowable, Spacer

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents import payment_words, receipt_words, slip_page
from draws.documents.payment_values import PaymentReceipt


def receipt(values: PaymentReceipt) -> bytes:
    """Give a PDF of one page 80 mm wide in the hall's language.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        return slip_page.page(
            _story(values, writing),
            title=f"{payment_words.kind(values)} · {receipt_words.title(values)} · {values.hall}",
            hall=values.hall,
            language=values.language,
            at=values.at,
        )


def _story(values: PaymentReceipt, writing: Writing) -> list[Flowable]:
    sums = payment_words.sums(values, writing)
    return [
        kit.paragraph(values.hall, slip_page.HALL),
        kit.paragraph(values.licence, slip_page.SMALL),
        *slip_page.rule(),
        kit.paragraph(payment_words.kind(values), slip_page.GAME),
        kit.paragraph(receipt_words.title(values), slip_page.GAME),
        kit.paragraph(writing.instant(values.at), slip_page.SMALL),
        kit.paragraph(payment_words.persons(values), slip_page.SMALL),
        *slip_page.rule(),
        kit.paragraph(receipt_words.of_issue(values.issue), slip_page.CENTRED),
        kit.paragraph(str(values.card), slip_page.CARDS),
        Spacer(0, 2),
        slip_page.columns(payment_words.prizes(values, writing)),
        *slip_page.rule(),
        slip_page.columns(sums, bold=len(sums) - 1),
        kit.paragraph(payment_words.tax(values, writing), slip_page.SMALL),
        *slip_page.rule(),
        kit.paragraph(payment_words.terms(), slip_page.TERMS),
        Spacer(0, 3),
        kit.paragraph(receipt_words.record(values), slip_page.SMALL),
    ]
