"""The player's slip of a complaint as a page: till paper's width, as long as it needs (R61 j)."""

from django.utils import translation
from reportlab.platypus import Flowable, Spacer

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents import complaint_slip_words as words
from draws.documents import receipt_words, slip_page
from draws.documents.complaint_values import ComplaintSlip


def slip(values: ComplaintSlip) -> bytes:
    """Give a PDF of one page 80 mm wide in the hall's language.

    The same values give the same bytes.
    """
    with translation.override(values.language):
        return slip_page.page(
            _story(values, Writing(values.language, values.currency)),
            title=f"{words.kind(values)} · {words.title(values)} · {values.hall}",
            hall=values.hall,
            language=values.language,
            at=values.at,
        )


def _story(values: ComplaintSlip, writing: Writing) -> list[Flowable]:
    return [
        kit.paragraph(values.hall, slip_page.HALL),
        kit.paragraph(values.licence, slip_page.SMALL),
        *slip_page.rule(),
        kit.paragraph(words.kind(values), slip_page.GAME),
        kit.paragraph(words.number(values), slip_page.CARDS),
        Spacer(0, 2),
        kit.paragraph(words.title(values), slip_page.GAME),
        kit.paragraph(writing.instant(values.at), slip_page.SMALL),
        *(kit.paragraph(about, slip_page.CENTRED) for about in words.about(values)),
        *slip_page.rule(),
        kit.paragraph(words.said(values), slip_page.CENTRED),
        kit.paragraph(words.taken_by(values), slip_page.SMALL),
        *slip_page.rule(),
        kit.paragraph(words.outcome(values), slip_page.TERMS),
        Spacer(0, 3),
        *(kit.paragraph(told, slip_page.SMALL) for told in words.where_to_go(values)),
        Spacer(0, 3),
        kit.paragraph(receipt_words.record(values), slip_page.SMALL),
    ]
