"""What an inspector takes away as files: actas, certificates, the journal, checkpoints, programs."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404

from draws.desks.inspector.programs import VERIFIER, WITNESS, Program
from draws.models import Acta, RectifiedActa
from draws.web.page import PageRequest, file_response, reading
from halls import inspection
from halls.checkpoints import queries as checkpoints_queries
from halls.journal import queries as journal_queries
from halls.models import Checkpoint, Hall


@reading
def acta(_request: HttpRequest, asked: PageRequest) -> HttpResponseBase:
    """Return the sealed acta as it was sealed."""
    number = asked.place["number"]
    sealed = get_object_or_404(Acta, session__hall=asked.hall, session__number=number)
    return _pdf(sealed, f"acta-{asked.hall.code}-{number}.pdf")


@reading
def rectified(_request: HttpRequest, asked: PageRequest) -> HttpResponseBase:
    """Return a sealed acta that rectifies another, as it was sealed."""
    number, part = asked.place["number"], asked.place["part"]
    sealed = get_object_or_404(
        RectifiedActa,
        rectification__session__hall=asked.hall,
        rectification__session__number=number,
        rectification__number=part,
    )
    return _pdf(sealed, f"acta-{asked.hall.code}-{number}-{part}.pdf")


def _pdf(sealed: Acta | RectifiedActa, name: str) -> HttpResponse:
    response = HttpResponse(bytes(sealed.pdf), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


@reading
def certificate(_request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Return the certificate that the acta's signature is checked against."""
    sealed = get_object_or_404(
        Acta, session__hall=asked.hall, session__number=asked.place["number"]
    )
    response = HttpResponse(sealed.certificate, content_type="application/x-pem-file")
    response["Content-Disposition"] = 'attachment; filename="certificate.pem"'
    return response


def _streamed(hall: Hall, lines: Iterator[str]) -> Iterator[str]:
    """Read as the inspector too what is sent after the page was made."""
    with inspection.reading(hall):
        yield from lines


@reading
def journal(_request: HttpRequest, asked: PageRequest) -> StreamingHttpResponse:
    """Return the hall's whole journal as JSON Lines, for the stand-alone verifier."""
    lines = _streamed(asked.hall, journal_queries.export_lines(asked.hall))
    response = StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="journal-{asked.hall.code}.jsonl"'
    return response


@reading
def checkpoint_file(_request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Return one checkpoint as it was signed, with the lines of witnesses that cosigned it."""
    number = asked.place["number"]
    found = get_object_or_404(Checkpoint, hall=asked.hall, number=number)
    name = f"{asked.hall.code}-{number:010d}.checkpoint"
    note = checkpoints_queries.cosigned(found)
    return file_response(note, kind="text/plain; charset=utf-8", name=name)


@reading
def program(_request: HttpRequest, _asked: PageRequest) -> HttpResponse:
    """Return the offline verifier."""
    return _program(VERIFIER)


@reading
def witness_program(_request: HttpRequest, _asked: PageRequest) -> HttpResponse:
    """Return the witness, for whoever runs one."""
    return _program(WITNESS)


def _program(one: Program) -> HttpResponse:
    return file_response(one.build(), kind="application/octet-stream", name=one.name, keep=True)
