"""The record of cards destroyed or handed over as a PDF, to be signed (R51, R52)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path

from draws.documents.custody_record import custody_record
from draws.queries import custody_record as query
from draws.views.page import Asked, reading


@reading
def record(_request: HttpRequest, asked: Asked) -> HttpResponse:
    """Give the record of the hall's journal entry of that number."""
    number = asked.place["number"]
    entry = get_object_or_404(query.entries(asked.hall), number=number)
    sent = HttpResponse(custody_record(query.record(entry)), content_type="application/pdf")
    sent["Content-Disposition"] = f'inline; filename="custody-{asked.hall.code}-{number}.pdf"'
    return sent


FILES: list[URLPattern] = [path("custody/<int:number>.pdf", record, name="custody-record")]
