"""Verifies a sealed acta: signature, coverage, no change, digest, chain."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from bingo.pdf.keys import SealError
from draws.models import Acta
from draws.queries.verification import verify_acta
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
            "--certificate", type=Path, help="certificate.pem; otherwise this hall's own"
        )
        parser.add_argument("--journal", type=Path, help="journal.jsonl; otherwise this hall's own")

    def handle(self, *, file: Path, json: bool, **options: Any) -> None:
        """Verify and report."""
        pdf = _read(file)
        sealed = Acta.objects.filter(digest=hashlib.sha256(pdf).hexdigest()).first()
        try:
            found = verify_acta(
                pdf,
                trust=_trust(options["certificate"], sealed),
                journal=_journal(options["journal"], sealed),
            )
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


def _trust(given: Path | None, sealed: Acta | None) -> bytes:
    if given:
        return _read(given)
    if sealed:
        return sealed.certificate.encode()
    kept = sorted(Path(settings.KEYS_DIR).glob("*/certificate.pem"))
    if not kept:
        raise CommandError("no certificate is known here: name one with --certificate")
    return _read(kept[0])


def _journal(given: Path | None, sealed: Acta | None) -> list[str]:
    if given:
        return _read(given).decode("utf-8", errors="replace").splitlines()
    hall = Hall.objects.filter(sessions__acta=sealed).first() if sealed else None
    return list(export.lines(hall)) if hall else []
