"""A signature beside a file: over its bytes, with SHA-256, by the key that seals actas.

ECDSA, or RSA (PKCS #1 v1.5). A key that is at hand signs without chance (RFC 6979), so that the
same bytes have the same signature; a token does as it is built.
"""

from __future__ import annotations

import hashlib

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding

from bingo.pdf.keys import SealError, SigningKey
from bingo.pdf.token import Token

LONGEST = 1024  # bytes: a signature of RSA with 8192 bits
LONGEST_CHAIN = 5  # certificates from the one that signs to the authority


def sign(content: bytes, *, key: SigningKey) -> bytes:
    """Give the signature, of ECDSA as DER. Raises SealError as a token does, and signature_wrong."""
    if isinstance(key.private, Token):
        signature = _by_token(content, key.private)
        verify(content, signature, seal=pem(key), trust=key.trust)
        return signature
    if isinstance(key.private, rsa.RSAPrivateKey):
        return key.private.sign(content, padding.PKCS1v15(), hashes.SHA256())
    return key.private.sign(content, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))


def _by_token(content: bytes, token: Token) -> bytes:
    with token.session() as opened:
        # As `Token.session` says: only a hall with a token needs the library.
        from pkcs11 import KeyType, Mechanism, ObjectClass
        from pkcs11.util.ec import encode_ecdsa_signature

        private = opened.get_key(object_class=ObjectClass.PRIVATE_KEY, label=token.key)
        if private.key_type == KeyType.RSA:
            return bytes(private.sign(content, mechanism=Mechanism.SHA256_RSA_PKCS))
        # Tokens such as SoftHSM do not hash before ECDSA by themselves.
        digest = hashlib.sha256(content).digest()
        return bytes(encode_ecdsa_signature(private.sign(digest, mechanism=Mechanism.ECDSA)))


def pem(key: SigningKey) -> bytes:
    """Give the certificate of a key as PEM, and those between it and its authority."""
    return b"".join(one.public_bytes(Encoding.PEM) for one in (key.certificate, *key.between))


def verify(content: bytes, signature: bytes, *, seal: bytes, trust: bytes) -> None:
    """Check a signature by the first certificate of `seal`, and that one by the authority `trust`.

    Both are PEM; further certificates of `seal` lead to the authority. Raises SealError:
    trust_unreadable, signature_wrong.
    """
    try:
        certificate, *between = x509.load_pem_x509_certificates(seal)
        authority = x509.load_pem_x509_certificate(trust)
    except ValueError as error:
        raise SealError("trust_unreadable") from error
    public = certificate.public_key()
    if len(signature) > LONGEST or len(between) >= LONGEST_CHAIN:
        raise SealError("signature_wrong")
    try:
        issuers = [*between, authority]
        for one, issuer in zip([certificate, *between], issuers, strict=True):
            one.verify_directly_issued_by(issuer)
        _require_authorities(between)
        if isinstance(public, ec.EllipticCurvePublicKey):
            public.verify(signature, content, ec.ECDSA(hashes.SHA256()))
        elif isinstance(public, rsa.RSAPublicKey):
            public.verify(signature, content, padding.PKCS1v15(), hashes.SHA256())
        else:
            raise SealError("signature_wrong")
    except (InvalidSignature, ValueError, TypeError, x509.ExtensionNotFound) as error:
        raise SealError("signature_wrong") from error


def _require_authorities(between: list[x509.Certificate]) -> None:
    """Refuse what seals only, and issued a certificate all the same. Raises ValueError."""
    for one in between:
        if not one.extensions.get_extension_for_class(x509.BasicConstraints).value.ca:
            raise ValueError("no authority")
