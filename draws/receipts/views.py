"""Serve the PDFs of a till to those they concern: settlement, receipts of sale and payment."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from bingo.rules.refusal import Refusal
from bingo.slips.page import draw_page
from draws.models import Payment
from draws.prizes import services as prizes_services
from draws.receipts import documents, queries
from draws.receipts import settlement as receipts_settlement
from draws.refusals import text
from draws.web.forms import for_roles
from draws.web.page_classes import file_response
from halls.models import JournalEntry, Person, Role, Shift

READERS = (Role.CASHIER, Role.HALL_MANAGER, Role.INSPECTOR)
OF_ALL = {Role.HALL_MANAGER, Role.INSPECTOR}  # a cashier reads only what is of their own shift
MOST_DIGITS = 12

Draw = Callable[[HttpRequest, Person, int], tuple[str, bytes]]


def _paper(make: Draw, *methods: str) -> Callable[..., HttpResponseBase]:
    """Show the named PDF that `make` returns to whoever may read papers of tills."""

    @never_cache
    @require_http_methods(methods or ["GET"])
    @for_roles(*READERS)
    def view(request: HttpRequest, person: Person, number: int) -> HttpResponse:
        try:
            name, content = make(request, person, number)
        except Refusal as refusal:
            shown = {"text": text.refusal(refusal), "code": refusal.code}
            return render(request, "web/refusal.html", shown, status=409)
        return file_response(content, kind="application/pdf", name=name)

    return view


def settlement(_request: HttpRequest, person: Person, number: int) -> tuple[str, bytes]:
    """Return the settlement of a closed shift, by the row's number. Raises Refusal shift_still_open."""
    shifts = Shift.objects.select_related("till", "cashier", "session__hall")
    shift = get_object_or_404(shifts, pk=number, session__hall=person.hall)
    _require_concerned(person, shift)
    name = f"{shift.session.number}-{shift.number}.pdf"
    return name, receipts_settlement.settlement(queries.settlement(shift))


def receipt(request: HttpRequest, person: Person, number: int) -> tuple[str, bytes]:
    """Return the receipt of a sale by its journal number; `given` in minor units is asked for.

    Raises Refusal: not_a_sale, cash_too_little, bad_input.
    """
    entry = _entry(person, number)
    sale = entry.sales.select_related("shift").first()
    if sale is None:
        raise Http404
    _require_concerned(person, sale.shift)
    values = queries.get_sale_receipt(entry, given=_given(request))
    return f"{number}.pdf", draw_page(documents.sale_slip(values))


def _entry(person: Person, number: int, **named: str) -> JournalEntry:
    entries = JournalEntry.objects.select_related("hall", "session", "by")
    return get_object_or_404(entries, hall=person.hall, number=number, **named)


def _given(request: HttpRequest) -> int | None:
    typed = request.GET.get("given", "")
    if not typed:
        return None
    if not (typed.isascii() and typed.isdecimal() and len(typed) <= MOST_DIGITS):
        raise Refusal("bad_input", field="given", wanted="whole")
    return int(typed)


def _require_concerned(person: Person, shift: Shift) -> None:
    if not OF_ALL & set(person.roles) and shift.cashier_id != person.pk:
        raise Http404


def payment(request: HttpRequest, person: Person, number: int) -> tuple[str, bytes]:
    """Return the receipt of a payment by its journal number, once; whatever is only read is a copy.

    The cashier who paid asks for it with a POST, so that no other reader takes it away.
    """
    entry = _entry(person, number, kind="prize_paid")
    paid = get_object_or_404(Payment.objects.select_related("shift"), entry=entry)
    _require_concerned(person, paid.shift)
    own = request.method == "POST" and paid.shift.cashier_id == person.pk
    copy = not (own and prizes_services.given_first(entry, at=timezone.now()))
    values = queries.get_payment_receipt(entry, copy=copy)
    return f"{number}.pdf", draw_page(documents.payment_slip(values))


FILES = [
    path("till/settlement/<int:number>.pdf", _paper(settlement), name="till-settlement"),
    path("till/receipt/<int:number>.pdf", _paper(receipt), name="till-sale-receipt"),
    path(
        "till/payment/<int:number>.pdf", _paper(payment, "GET", "POST"), name="till-payment-receipt"
    ),
]
