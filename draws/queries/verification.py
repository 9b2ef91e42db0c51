"""The verification of an acta's file: its seal, its digest in the journal, its head in the chain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cryptography.x509 import CertificateRevocationList

from bingo.pdf import seal
from bingo.pdf.attachment import attachment
from bingo.pdf.keys import SealError
from halls.verify_journal import verify


@dataclass(frozen=True, slots=True)
class Verification:
    """Every check by name, in order, and what the file says of itself."""

    checks: tuple[tuple[str, bool], ...]
    sha256: str
    signer: str
    signed_at: str | None
    session: int | None
    fault: str | None

    @property
    def good(self) -> bool:
        """Whether every check holds."""
        return all(passed for _name, passed in self.checks)


def verify_acta(
    pdf: bytes,
    *,
    trust: bytes,
    journal: Iterable[str],
    stamps: bytes = b"",
    revoked: Sequence[CertificateRevocationList] = (),
) -> Verification:
    """Check a file against the certificate (PEM) and the journal (JSON Lines) of its hall.

    `stamps` are the PEM certificates of time-stamp authorities, `revoked` the hall's lists. Never raises on the file or the journal. Raises SealError trust_unreadable.
    """
    verdict = seal.verify(pdf, trust=trust, stamps=stamps, revoked=revoked)
    said = _said(pdf)
    lines = list(journal)
    chain = verify(lines)
    head = said.get("journal_head"), said.get("journal_last")
    number = head[1] if isinstance(head[1], int) else 0
    passes = 0 < number <= chain.entries and chain.digests[number - 1] == head[0]
    return Verification(
        checks=(
            *verdict.checks,
            ("data_attached", bool(said)),
            ("journal_whole", chain.fault is None),
            ("journal_head", passes),
            ("digest_recorded", _recorded(lines[: chain.entries], verdict.sha256, head[0])),
        ),
        sha256=verdict.sha256,
        signer=verdict.signer,
        signed_at=verdict.signed_at.isoformat() if verdict.signed_at else None,
        session=said.get("session"),
        fault=chain.fault,
    )


def trusted_under(
    pdf: bytes, certificates: Iterable[tuple[str, bytes]]
) -> tuple[str, bytes] | None:
    """Give the name and certificate (PEM) under which a file's seal is trusted, the first of them.

    Never raises: a certificate that cannot be read trusts nothing.
    """
    return next((one for one in certificates if _trusted(pdf, one[1])), None)


def _trusted(pdf: bytes, trust: bytes) -> bool:
    try:
        return seal.verify(pdf, trust=trust).trusted
    except SealError:
        return False


def _said(pdf: bytes) -> dict[str, Any]:
    try:
        return attachment(pdf)
    except LookupError:
        return {}


def _recorded(lines: list[str], sha256: str, head: object) -> bool:
    """Tell whether the journal recorded the sealing of this very file with this very head."""
    for line in lines:
        entry = json.loads(line)
        if entry["kind"] == "acta_sealed" and entry["data"].get("digest") == sha256:
            return bool(entry["data"].get("head_digest") == head)
    return False
