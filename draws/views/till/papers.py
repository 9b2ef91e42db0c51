"""The papers of a till as PDF: a shift's settlement and a sale's receipt, to those they concern."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo.rules.refusal import Refusal
from draws.documents import receipt as receipt_document
from draws.documents import settlement as settlement_document
from draws.documents import words
from draws.queries import receipts as receipt_query
from draws.queries import settlement as settlement_query
from draws.views import refused
from halls.models import JournalEntry, Person, Role, Shift

READERS = (Role.CASHIER, Role.HALL_MANAGER, Role.INSPECTOR)
OF_ALL = {Role.HALL_MANAGER, Role.INSPECTOR}  # a cashier reads only what is of their own shift
MOST_DIGITS = 12

Paper = Callable[[HttpRequest, Person, int], tuple[str, bytes]]


def _paper(make: Paper) -> Callable[..., HttpResponse]:
    @never_cache
    @require_GET
    @login_required
    def view(request: HttpRequest, number: int) -> HttpResponse:
        person = request.user
        if not isinstance(person, Person) or not set(READERS) & set(person.roles):
            return refused.forbidden(request, READERS)
        try:
            name, content = make(request, person, number)
        except Refusal as refusal:
            shown = {"text": words.refusal(refusal), "code": refusal.code}
            return render(request, "refusal.html", shown, status=409)
        sent = HttpResponse(content, content_type="application/pdf")
        sent["Content-Disposition"] = f'inline; filename="{name}"'
        return sent

    return view


def settlement(_request: HttpRequest, person: Person, number: int) -> tuple[str, bytes]:
    """Give the settlement of a closed shift, by the row's number. Raises Refusal shift_still_open."""
    shifts = Shift.objects.select_related("till", "cashier", "session__hall")
    shift = get_object_or_404(shifts, pk=number, session__hall=person.hall)
    _require_concerned(person, shift)
    values = settlement_query.settlement(shift)
    name = f"{shift.session.number}-{shift.number}.pdf"
    return name, settlement_document.settlement(values)


def receipt(request: HttpRequest, person: Person, number: int) -> tuple[str, bytes]:
    """Give the receipt of a sale by its journal number; `given` in minor units is asked for.

    Raises Refusal: not_a_sale, cash_too_little, bad_input.
    """
    entries = JournalEntry.objects.select_related("hall", "session", "by")
    entry = get_object_or_404(entries, hall=person.hall, number=number)
    sale = entry.sales.select_related("shift").first()
    if sale is None:
        raise Http404
    _require_concerned(person, sale.shift)
    values = receipt_query.receipt(entry, given=_given(request))
    return f"{number}.pdf", receipt_document.receipt(values)


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


FILES = [
    path("till/settlement/<int:number>.pdf", _paper(settlement), name="till-settlement"),
    path("till/receipt/<int:number>.pdf", _paper(receipt), name="till-receipt"),
]
