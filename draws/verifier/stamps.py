"""Time stamps of third parties (RFC 3161): of a signature (PAdES B-T), and of a whole file (B-LTA)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from draws.verifier import der, messages
from draws.verifier.messages import BadSignature, Signed
from draws.verifier.trust import Trust


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time stamp that holds over its bytes; `known` tells whether a trusted authority gave it."""

    at: datetime
    known: bool


def read(token: bytes, content: bytes, trust: Trust) -> Stamp:
    """Check a time stamp of some bytes. Raises BadSignature.

    Without certificates of authorities all is checked but who gave it.
    """
    message = messages.read(token, kind=messages.TIME_STAMP)
    signed = messages.verify(message, message.content, kind=messages.TIME_STAMP)
    if signed.tokens:
        raise BadSignature("its time stamp carries something that nobody signed")
    at = _told(message.content, content)
    if trust.authorities:
        _require_known(signed, trust, at)
    return Stamp(at, known=bool(trust.authorities))


def _require_known(signed: Signed, trust: Trust, at: datetime) -> None:
    try:
        path = messages.path(signed, trust.authorities, trust, at=[at])
    except BadSignature as error:
        raise BadSignature(f"of its time stamp: {error}") from error
    _require_stamping(path[0])


def _told(told: bytes, content: bytes) -> datetime:
    """Give the time that a stamp tells, which must be of these bytes."""
    try:
        _version, _policy, imprint, _serial, instant, *_rest = der.only(told, der.SEQUENCE).parts()
        algorithm, digest = imprint.parts(der.SEQUENCE, der.OCTETS)
        name = messages.DIGESTS[algorithm.parts()[0].content]
        at = datetime.strptime(instant.content.decode()[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except (ValueError, KeyError, IndexError) as error:
        raise BadSignature("its time stamp cannot be read") from error
    if digest.content != hashlib.new(name, content).digest():
        raise BadSignature("its time stamp is of something else")
    return at


def _require_stamping(certificate: x509.Certificate) -> None:
    try:
        usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except (x509.ExtensionNotFound, ValueError):
        usage = x509.ExtendedKeyUsage([x509.ObjectIdentifier("2.5.29.37.0")])
    if list(usage) != [ExtendedKeyUsageOID.TIME_STAMPING]:
        raise BadSignature("its time stamp is not of an authority of time stamps")
