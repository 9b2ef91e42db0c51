"""Verify a sealed acta: signature, coverage, no change, digest, chain."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from cryptography.x509 import CertificateRevocationList
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db.models import Q

from bingo.pdf import SealError
from bingo.pdf.keys import CERTIFICATE, revocations, trusted
from draws.models import Acta, RectifiedActa
from draws.record import seal_queries
from draws.record.seal_queries import trusted_under, verify_acta
from halls.journal import queries as journal_queries
from halls.management.reporting import Report, read_file
from halls.models import Hall

# Without a certificate of the reader's own.
UNPROVEN = (
    (
        "whose seal it is: the certificate was taken from this machine, whose owner may have made"
        " another; give the one that was handed over on the first day with --certificate"
    ),
    (
        "that the journal was not written anew as a whole: it is this machine's own; compare a"
        " checkpoint that was kept elsewhere, or ask a witness with manage.py audit --witness"
    ),
)


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
        parser.add_argument(
            "--tsa-certificate", type=Path, help="PEM of the time-stamp authority; otherwise as set"
        )
        parser.add_argument("--journal", type=Path, help="journal.jsonl; otherwise this hall's own")

    def handle(self, *, file: Path, json: bool, **options: Any) -> None:
        """Verify and report."""
        pdf = read_file(file)
        trust, hall = _sources(pdf, options["certificate"])
        stamps = options["tsa_certificate"]
        try:
            found = verify_acta(
                pdf,
                trust=trust,
                journal=_journal(options["journal"], hall),
                stamps=read_file(stamps) if stamps else seal_queries.stamp_trust(),
                revoked=_revoked(hall),
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
        if not options["certificate"]:
            lines += [f"open  {said}" for said in UNPROVEN]
            value["unproven"] = list(UNPROVEN)
        lines.append(f"{'GOOD' if found.good else 'NOT GOOD'}: {file}, SHA-256 {found.sha256}")
        self.report(value, lines, as_json=json)
        if not found.good:
            raise SystemExit(1)


def _sources(pdf: bytes, given: Path | None) -> tuple[bytes, Hall | None]:
    """Return the certificate to trust, and the hall whose journal to read unless one is named."""
    hall = _known(hashlib.sha256(pdf).hexdigest())
    if given:
        return read_file(given), hall
    return _certificate(pdf, hall)


def _known(digest: str) -> Hall | None:
    """Return the hall that sealed the file of that SHA-256, if the database knows it."""
    sealed = Acta.objects.filter(digest=digest).values("session__hall")
    rectified = RectifiedActa.objects.filter(digest=digest).values("rectification__session__hall")
    return Hall.objects.filter(Q(pk__in=sealed) | Q(pk__in=rectified)).first()


def _certificate(pdf: bytes, hall: Hall | None) -> tuple[bytes, Hall | None]:
    """Return the certificate kept on disk for a file, and whose it is.

    Never the one stored beside the acta: whoever can replace the one can replace the other.
    """
    kept = [one for one in _kept() if hall is None or one[0] == hall.code]
    if not kept:
        raise CommandError("no certificate of its hall is kept here: name one with --certificate")
    code, trust = trusted_under(pdf, kept) or kept[0]
    return trust, hall or Hall.objects.filter(code=code).first()


def _kept() -> list[tuple[str, bytes]]:
    """Return the certificates on disk, each with its hall's code; a hall's own authority first."""
    folders = sorted(file.parent for file in Path(settings.KEYS_DIR).glob(f"[!.]*/{CERTIFICATE}"))
    try:
        return [(folder.name, trust) for folder in folders for trust in trusted(folder)]
    except SealError as error:
        raise CommandError(f"a certificate kept here cannot be read: {error.code}") from error


def _revoked(hall: Hall | None) -> tuple[CertificateRevocationList, ...]:
    try:
        return revocations(seal_queries.folder(hall)) if hall else ()
    except SealError as error:
        raise CommandError("a list of revoked certificates kept here cannot be read") from error


def _journal(given: Path | None, hall: Hall | None) -> list[str]:
    if given:
        # Only a line feed ends an entry: its texts may hold what Unicode calls the end of a line.
        text = read_file(given).decode("utf-8", errors="replace")
        return text.removesuffix("\n").split("\n") if text else []
    return list(journal_queries.export_lines(hall)) if hall else []
