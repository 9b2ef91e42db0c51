"""The receipt of one sale as a page: till paper's width, as long as it needs (R39, R41).

The receipt of one sale in the commands of a thermal printer (ESC/POS, paper of 80 mm).

What the receipt of a payment says in the active language, on a page and on till paper.

The receipt of a payment as a page: till paper's width, as long as it needs (R44, R50).

The receipt of a payment in the commands of a thermal printer (ESC/POS, paper of 80 mm).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Spacer

from bingo.pdf import kit
from bingo.pdf.tagging import TaggedTable
from bingo.writing import Writing
from draws import slips
from draws import terms as draws_terms
from draws.slips import RULE, PaidPrize, PaymentReceipt, Receipt, ReceiptLine, centred, printer, row

if TYPE_CHECKING:
    from escpos.printer import Dummy


def sale_receipt(values: Receipt) -> bytes:
    """Return a PDF of one page 80 mm wide in the hall's language.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        return slips.slip_page(
            _story(values, writing),
            title=f"{slips.receipt_title(values)} · {values.hall}",
            hall=values.hall,
            language=values.language,
            at=values.at,
        )


def _story(values: Receipt, writing: Writing) -> list[Flowable]:
    return [
        kit.paragraph(values.hall, slips.HALL),
        kit.paragraph(values.licence, slips.SMALL),
        *slips.rule(),
        kit.paragraph(slips.receipt_title(values), slips.GAME),
        kit.paragraph(writing.instant(values.at), slips.SMALL),
        kit.paragraph(f"{values.till} · {values.cashier}", slips.SMALL),
        *slips.rule(),
        *(part for line in values.lines for part in _cards(line, writing)),
        *slips.rule(),
        _sums(values, writing),
        *slips.rule(),
        *(kit.paragraph(text, slips.TERMS) for text in slips.terms(values)),
        Spacer(0, 3),
        kit.paragraph(slips.record_receipt(values), slips.SMALL),
    ]


def _cards(line: ReceiptLine, writing: Writing) -> list[Flowable]:
    return [
        kit.paragraph(slips.receipt_issue(line), slips.CENTRED),
        kit.paragraph(slips.receipt_numbers(line), slips.CARDS),
        Spacer(0, 2),
        slips.columns([(slips.price(line, writing), writing.amount(line.amount))]),
        Spacer(0, 3),
    ]


def _sums(values: Receipt, writing: Writing) -> TaggedTable:
    rows = [(_("Total"), writing.money(values.total)), *slips.cash(values, writing)]
    return slips.columns(rows, bold=0)


def sale_escpos(values: Receipt) -> bytes:
    """Return what a printer is sent, in the hall's language, up to the cut of the paper.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        out = printer()
        _head(out, values, writing)
        for line in values.lines:
            _receipt_escpos_cards(out, line, writing)
        _receipt_escpos_sums(out, values, writing)
        _foot(out, values)
    out.cut()
    written: bytes = out.output
    return written


def _head(out: Dummy, values: Receipt, writing: Writing) -> None:
    centred(out, values.hall, size=2)
    centred(out, values.licence)
    centred(out, RULE)
    centred(out, slips.receipt_title(values), bold=True)
    centred(out, writing.instant(values.at))
    centred(out, f"{values.till} · {values.cashier}")
    centred(out, RULE)


def _receipt_escpos_cards(out: Dummy, line: ReceiptLine, writing: Writing) -> None:
    centred(out, slips.receipt_issue(line))
    centred(out, slips.receipt_numbers(line), size=2, bold=True)
    row(out, slips.price(line, writing), writing.amount(line.amount))


def _receipt_escpos_sums(out: Dummy, values: Receipt, writing: Writing) -> None:
    centred(out, RULE)
    row(out, _("Total"), writing.money(values.total), size=2)
    for name, amount in slips.cash(values, writing):
        row(out, name, amount)
    centred(out, RULE)


def _foot(out: Dummy, values: Receipt) -> None:
    for term in slips.terms(values):
        centred(out, term)
    centred(out, slips.record_receipt(values))


POINTS = 100  # basis points in a per cent


def receipt_kind(values: PaymentReceipt) -> str:
    """Name the paper; a copy says first that it is one."""
    if values.copy:
        return _("COPY · receipt of a payment")
    return _("Receipt of a payment")


def prize(values: PaymentReceipt, paid: PaidPrize) -> str:
    """Name a prize, and its game where that is another than the payment's (R45)."""
    name = str(draws_terms.combination(paid.combination))
    if paid.game == values.game:
        return name
    return _("%(prize)s, game %(game)s") % {"prize": name, "game": paid.game}


def prizes(values: PaymentReceipt, writing: Writing) -> list[tuple[str, str]]:
    """Return each prize with its amount before tax."""
    return [(prize(values, paid), writing.amount(paid.amount)) for paid in values.prizes]


def receipt_sums(values: PaymentReceipt, writing: Writing) -> list[tuple[str, str]]:
    """Return gross, tax, what coins leave over, and net last; only the net where it is the gross."""
    net = (_("Paid"), writing.money(values.net))
    if not values.tax and not values.left_over:
        return [net]
    left_over = (_("Left over by the smallest coin"), writing.signed(-values.left_over))
    return [
        (_("Before tax"), writing.amount(values.gross)),
        (_("Tax withheld"), writing.signed(-values.tax)),
        *([left_over] if values.left_over else []),
        net,
    ]


def tax(values: PaymentReceipt, writing: Writing) -> str:
    """Say by what rate and from what amount on tax is withheld (R61 g)."""
    if not values.rate:
        return _("No tax is withheld from prizes.")
    rate = number_format(values.rate / POINTS, 2 if values.rate % POINTS else 0)
    told = {"rate": rate, "threshold": writing.amount(values.threshold)}
    if not values.threshold:
        return _("Tax: %(rate)s %% of each prize.") % told
    return _("Tax: %(rate)s %% of what a prize has above %(threshold)s.") % told


def persons(values: PaymentReceipt) -> str:
    """Name the till and whoever paid, with the second person where there was one."""
    told = [values.till, values.cashier]
    if values.witness:
        told.append(_("before %(witness)s") % {"witness": values.witness})
    return " · ".join(told)


def terms() -> str:
    """Say what was given for it (R50)."""
    return _("Paid against the card, which the hall keeps.")


def payment_receipt(values: PaymentReceipt) -> bytes:
    """Return a PDF of one page 80 mm wide in the hall's language.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        return slips.slip_page(
            _receipt_page_story(values, writing),
            title=f"{receipt_kind(values)} · {slips.receipt_title(values)} · {values.hall}",
            hall=values.hall,
            language=values.language,
            at=values.at,
        )


def _receipt_page_story(values: PaymentReceipt, writing: Writing) -> list[Flowable]:
    sums = receipt_sums(values, writing)
    return [
        kit.paragraph(values.hall, slips.HALL),
        kit.paragraph(values.licence, slips.SMALL),
        *slips.rule(),
        kit.paragraph(receipt_kind(values), slips.GAME),
        kit.paragraph(slips.receipt_title(values), slips.GAME),
        kit.paragraph(writing.instant(values.at), slips.SMALL),
        kit.paragraph(persons(values), slips.SMALL),
        *slips.rule(),
        kit.paragraph(slips.of_issue(values.issue), slips.CENTRED),
        kit.paragraph(str(values.card), slips.CARDS),
        Spacer(0, 2),
        slips.columns(prizes(values, writing)),
        *slips.rule(),
        slips.columns(sums, bold=len(sums) - 1),
        kit.paragraph(tax(values, writing), slips.SMALL),
        *slips.rule(),
        kit.paragraph(terms(), slips.TERMS),
        Spacer(0, 3),
        kit.paragraph(slips.record_receipt(values), slips.SMALL),
    ]


def payment_escpos(values: PaymentReceipt) -> bytes:
    """Return what a printer is sent, in the hall's language, up to the cut of the paper.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        out = printer()
        centred(out, values.hall, size=2)
        centred(out, values.licence)
        centred(out, RULE)
        centred(out, receipt_kind(values), bold=True)
        centred(out, slips.receipt_title(values), bold=True)
        centred(out, writing.instant(values.at))
        centred(out, persons(values))
        centred(out, RULE)
        centred(out, slips.of_issue(values.issue))
        centred(out, str(values.card), size=2, bold=True)
        for name, amount in prizes(values, writing):
            row(out, name, amount)
        centred(out, RULE)
        *before, (net, paid) = receipt_sums(values, writing)
        for name, amount in before:
            row(out, name, amount)
        row(out, net, paid, size=2)
        centred(out, tax(values, writing))
        centred(out, RULE)
        centred(out, terms())
        centred(out, slips.record_receipt(values))
    out.cut()
    written: bytes = out.output
    return written
