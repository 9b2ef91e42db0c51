"""A signature beside a file: ECDSA over its bytes by the key that seals actas.

It is made without chance (RFC 6979), so that the same bytes have the same signature.
"""

from __future__ import annotations

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from bingo.pdf.keys import SealError, SigningKey

LONGEST = 512  # bytes: no signature of P-256 comes near


def sign(content: bytes, *, key: SigningKey) -> bytes:
    """Give the signature as DER."""
    return key.private.sign(content, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))


def pem(certificate: x509.Certificate) -> bytes:
    """Give a certificate as PEM."""
    return certificate.public_bytes(Encoding.PEM)


def verify(content: bytes, signature: bytes, *, seal: bytes, trust: bytes) -> None:
    """Check a signature by the PEM certificate `seal`, and that by the authority `trust`.

    Raises SealError: trust_unreadable, signature_wrong.
    """
    try:
        certificate = x509.load_pem_x509_certificate(seal)
        authority = x509.load_pem_x509_certificate(trust)
    except ValueError as error:
        raise SealError("trust_unreadable") from error
    public = certificate.public_key()
    if not isinstance(public, ec.EllipticCurvePublicKey) or len(signature) > LONGEST:
        raise SealError("signature_wrong")
    try:
        certificate.verify_directly_issued_by(authority)
        public.verify(signature, content, ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, ValueError, TypeError) as error:
        raise SealError("signature_wrong") from error
