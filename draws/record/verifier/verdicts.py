"""Verdicts of the verifier, and what its reader trusts beforehand.

A check holds, is false, or nobody can tell from what was given. The reader trusts certificates, and
lists of those that count no longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa

GOOD, FALSE, OPEN = "good", "false", "open"
NOTE = "note"  # said for the reader, and no verdict
EXIT = {GOOD: 0, FALSE: 1, OPEN: 2}


@dataclass(frozen=True, slots=True)
class Check:
    """One question, its answer, and the answer in words."""

    name: str
    verdict: str
    words: str


def good(name: str, words: str) -> Check:
    """Return a check that holds."""
    return Check(name, GOOD, words)


def false(name: str, words: str) -> Check:
    """Return a check that does not hold."""
    return Check(name, FALSE, words)


def unknown(name: str, words: str) -> Check:
    """Return a check that could not be made."""
    return Check(name, OPEN, words)


def training() -> Check:
    """Return what is said of every paper of a training hall, whatever else holds."""
    return Check("training", NOTE, "TRAINING: nothing of this was real, it is NOT A RECORD")


def worst(checks: list[Check]) -> str:
    """Return the verdict on several checks together; without any, nothing was judged."""
    found = {check.verdict for check in checks}
    if FALSE in found:
        return FALSE
    return OPEN if OPEN in found or not found else GOOD


@dataclass(frozen=True, slots=True)
class Trust:
    """Certificates of halls, and of authorities of time stamps; lists of revoked certificates."""

    halls: Sequence[x509.Certificate] = ()
    authorities: Sequence[x509.Certificate] = ()
    revoked: Sequence[x509.CertificateRevocationList] = ()

    def revokes(
        self, certificate: x509.Certificate, issuer: x509.Certificate, at: datetime
    ) -> bool:
        """Return whether a list that the issuer signed takes a certificate back by an aware time."""
        for told in self.revoked:
            found = told.get_revoked_certificate_by_serial_number(certificate.serial_number)
            if found is not None and found.revocation_date_utc <= at and _signed(told, issuer):
                return True
        return False


def read_list(content: bytes) -> list[x509.CertificateRevocationList]:
    """Read one list of revoked certificates, PEM or DER. Raises ValueError."""
    pem = content.lstrip().startswith(b"-----")
    return [x509.load_pem_x509_crl(content) if pem else x509.load_der_x509_crl(content)]


def _signed(told: x509.CertificateRevocationList, issuer: x509.Certificate) -> bool:
    key = issuer.public_key()
    if told.issuer != issuer.subject or not isinstance(
        key, ec.EllipticCurvePublicKey | rsa.RSAPublicKey
    ):
        return False
    return told.is_signature_valid(key)
