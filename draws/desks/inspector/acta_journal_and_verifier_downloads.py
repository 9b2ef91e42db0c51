"""What an inspector takes away as files: actas, certificates, the journal, the verifier and the witness.

A program is one file that any Python runs: the sources of its folder and what they import besides,
which can be read in it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404

from draws.models import Acta, RectifiedActa
from draws.web.page_classes import PageRequest, file_response, reading
from halls import inspection
from halls.journal import queries as journal_queries
from halls.models import Hall

ROOT = Path(__file__).resolve().parents[3]
WRITTEN = (1980, 1, 1, 0, 0, 0)  # the same sources give the same file


@dataclass(frozen=True, slots=True)
class Program:
    """What a program is called, its folder, the files it needs besides, and its `__main__.py`."""

    name: str
    folder: str
    besides: tuple[str, ...]
    main: str

    def build(self) -> bytes:
        """Return it as an archive that Python runs as it is."""
        own = sorted(str(one.relative_to(ROOT)) for one in (ROOT / self.folder).glob("*.py"))
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in [*self.besides, *own]:
                archive.writestr(zipfile.ZipInfo(name, WRITTEN), (ROOT / name).read_bytes())
            archive.writestr(zipfile.ZipInfo("__main__.py", WRITTEN), self.main)
        return b"#!/usr/bin/env python3\n" + out.getvalue()


VERIFIER = Program(
    "bingo-verify.pyz",
    "draws/record/verifier",
    (
        "halls/__init__.py",
        "halls/verify_journal.py",
        "draws/__init__.py",
        "draws/record/__init__.py",
        "draws/verify_draw.py",
    ),
    '"""python3 bingo-verify.pyz --help"""\n\nimport draws.record.verifier.__main__\n\ndraws.record.verifier.__main__.start()\n',
)
WITNESS = Program(
    "bingo-witness.pyz",
    "halls/witness",
    ("halls/__init__.py", "halls/verify_journal.py"),
    '"""python3 bingo-witness.pyz --help"""\n\nimport sys\n\nfrom halls.witness.command import main\n\nsys.exit(main())\n',
)


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
def acta_certificate(_request: HttpRequest, asked: PageRequest) -> HttpResponse:
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
def program(_request: HttpRequest, _asked: PageRequest) -> HttpResponse:
    """Return the offline verifier."""
    return _program(VERIFIER)


@reading
def witness_program(_request: HttpRequest, _asked: PageRequest) -> HttpResponse:
    """Return the witness, for whoever runs one."""
    return _program(WITNESS)


def _program(one: Program) -> HttpResponse:
    return file_response(one.build(), kind="application/octet-stream", name=one.name, keep=True)
