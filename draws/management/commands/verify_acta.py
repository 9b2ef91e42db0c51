"""Verifies a sealed acta: signature, coverage, no change, digest, chain."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from bingo.pdf.keys import CERTIFICATE, SealError
from draws.models import Acta
from draws.queries.verification import trusted_under, verify_acta
from halls.management.reporting import Report
from halls.models import Hall
from halls.queries import export


class Command(Report):
    """Exit code 0: every check holds. 1: one does not, or a file cannot be read."""

    help = "Verify an acta against its hall's certificate and journal."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files."""
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="the acta's PDF")
        parser.add_argument(
            "--certificate", type=Path, help="certificate.pem; otherwise the one kept in KEYS_DIR"
        )
        parser.add_argument("--journal", type=Path, help="journal.jsonl; otherwise this hall's own")

    def handle(self, *, file: Path, json: bool, **options: Any) -> None:
        """Verify and report."""
        pdf = _read(file)
        trust, hall = _sources(pdf, options["certificate"])
        try:
            found = verify_acta(pdf, trust=trust, journal=_journal(options["journal"], hall))
        except SealError as error:
            raise CommandError("the certificate is not a PEM certificate") from error
        value = {
            "good": found.good,
            "file": str(file),
            "sha256": found.sha256,
            "session": found.session,
            "signer": found.signer,
            "signed_at": found.signed_at,
            "checks": dict(found.checks),
            "journal_fault": found.fault,
        }
        lines = [f"{'ok  ' if passed else 'FAIL'}  {name}" for name, passed in found.checks]
        lines.append(f"{'GOOD' if found.good else 'NOT GOOD'}: {file}, SHA-256 {found.sha256}")
        self.report(value, lines, as_json=json)
        if not found.good:
            raise SystemExit(1)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}") from error


def _sources(pdf: bytes, given: Path | None) -> tuple[bytes, Hall | None]:
    """Give the certificate to trust, and the hall whose journal to read unless one is named."""
    actas = Acta.objects.select_related("session__hall").defer("pdf")
    sealed = actas.filter(digest=hashlib.sha256(pdf).hexdigest()).first()
    if given:
        return _read(given), sealed.session.hall if sealed else None
    return _certificate(pdf, sealed)


def _certificate(pdf: bytes, sealed: Acta | None) -> tuple[bytes, Hall | None]:
    """Give the certificate kept on disk for a file, and whose it is.

    Never the one stored beside the acta: whoever can replace the one can replace the other.
    """
    kept = _kept()
    hall = sealed.session.hall if sealed else None
    code = hall.code if hall else trusted_under(pdf, kept) or next(iter(kept), "")
    if code not in kept:
        raise CommandError("no certificate of its hall is kept here: name one with --certificate")
    return kept[code], hall or Hall.objects.filter(code=code).first()


def _kept() -> dict[str, bytes]:
    """Give the certificates on disk by their hall's code."""
    files = sorted(Path(settings.KEYS_DIR).glob(f"[!.]*/{CERTIFICATE}"))
    return {file.parent.name: _read(file) for file in files}


def _journal(given: Path | None, hall: Hall | None) -> list[str]:
    if given:
        # Only a line feed ends an entry: its texts may hold what Unicode calls the end of a line.
        text = _read(given).decode("utf-8", errors="replace")
        return text.removesuffix("\n").split("\n") if text else []
    return list(export.lines(hall)) if hall else []
