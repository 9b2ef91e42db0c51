"""The seal of an acta: one signature over the whole file, under the hall's own certificate."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone

from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from draws.verifier import der, messages
from draws.verifier.messages import BadSignature, Signed
from draws.verifier.verdicts import Check, false, good, unknown

LIMIT = 64 * 1024 * 1024  # bytes; no acta comes near
# A hidden signature changes nothing: what one covers whole was in the file when it was made.
RANGE = re.compile(
    rb"/ByteRange\s*\[\s*([0-9]{1,12})\s+([0-9]{1,12})\s+([0-9]{1,12})\s+([0-9]{1,12})\s*\]"
)
WHEN = re.compile(rb"/M\s*\(D:([0-9]{14})(?:Z|([+-])([0-9]{2})'([0-9]{2})'?)?\s*\)")
OCTAL = re.compile(rb"\\([0-3][0-7]{2})")
NEAR = 4096  # bytes of a signature's dictionary before and after its hole
END = re.compile(rb"%%EOF\r?\n?\Z")


@dataclass(slots=True)
class Seal:
    """What was found of one file; `later` says that something was added after it was sealed."""

    sha256: str
    checks: list[Check] = field(default_factory=list)
    signer: str = ""
    signed_at: datetime | None = None
    later: bool = False


@dataclass(frozen=True, slots=True)
class Hole:
    """Where a signature stands in a file: the bytes it covers are all but those between."""

    begins: int
    ends: int
    covers: int

    def content(self, pdf: bytes) -> bytes:
        """Give the bytes that the signature is over."""
        return pdf[: self.begins] + pdf[self.ends : self.covers]


def judge(
    pdf: bytes, trusted: Sequence[x509.Certificate], authorities: Sequence[x509.Certificate]
) -> Seal:
    """Check a file; `trusted` are certificates of halls, `authorities` of time stamps.

    Never raises on the file, whatever its bytes. The first check that fails is the last.
    """
    seal = Seal(hashlib.sha256(pdf).hexdigest())
    try:
        for check in _checks(pdf, seal, trusted, authorities):
            seal.checks.append(check)
    except BadSignature as error:
        seal.checks.append(false("seal", str(error)))
    return seal


def _checks(
    pdf: bytes,
    seal: Seal,
    trusted: Sequence[x509.Certificate],
    authorities: Sequence[x509.Certificate],
) -> Iterator[Check]:
    if len(pdf) > LIMIT or not pdf.startswith(b"%PDF-") or not END.search(pdf[-16:]):
        raise BadSignature("it is no whole PDF file of reasonable size")
    hole, later = _holes(pdf)
    yield good("one_signature", "it has one seal")
    yield _coverage(pdf, hole, later, seal)
    signed = messages.verify(
        messages.read(_der(pdf, hole), kind=messages.DATA), hole.content(pdf), kind=messages.DATA
    )
    yield good("intact", "what was sealed stands unchanged")
    seal.signed_at = _when(pdf, hole)
    seal.signer = signed.certificate.subject.rfc4514_string()
    yield _trust(signed, trusted, seal)
    yield from _stamp(signed, authorities)


def _holes(pdf: bytes) -> tuple[Hole, bool]:
    found = list(RANGE.finditer(pdf))
    if pdf.count(b"/ByteRange") != len(found) or not found:
        raise BadSignature("it has no seal, or one that cannot be read")
    first, *others = found
    for other in others:
        if b"/ETSI.RFC3161" not in pdf[max(0, other.start() - NEAR) : other.end() + NEAR]:
            raise BadSignature(f"it has {len(found)} signatures, where an acta has one")
    begin, length, end, rest = map(int, first.groups())
    hole = Hole(length, end, end + rest)
    if begin != 0 or not 0 < hole.begins < hole.ends < hole.covers <= len(pdf):
        raise BadSignature("its seal does not cover it from its first byte")
    return hole, bool(others)


def _coverage(pdf: bytes, hole: Hole, stamped: bool, seal: Seal) -> Check:
    if hole.covers == len(pdf) and not stamped:
        return good("whole_file", "the seal covers the whole file, to its last byte")
    if not stamped:
        raise BadSignature("something was appended after it was sealed")
    seal.later = True
    return unknown(
        "whole_file", "a later time stamp was added: only a journal shows this very file"
    )


def _der(pdf: bytes, hole: Hole) -> bytes:
    """Give the signature's bytes. Raises BadSignature where they could be written in another way."""
    text = pdf[hole.begins : hole.ends]
    digits = text[1:-1]
    if text[:1] + text[-1:] != b"<>" or not re.fullmatch(rb"[0-9a-f]*|[0-9A-F]*", digits):
        raise BadSignature("its signature is not where it should be, or not written as one")
    value = bytes.fromhex(digits.decode()) if len(digits) % 2 == 0 else b""
    length = _length(value)
    if not length or any(value[length:]):
        raise BadSignature("something stands behind its signature")
    return value[:length]


def _length(value: bytes) -> int:
    """Give how many bytes the DER value at the beginning has, or 0."""
    if len(value) < 2 or value[0] != 0x30 or not 0x81 <= value[1] <= 0x84:
        return 0
    octets = value[1] & 0x7F
    length = 2 + octets + int.from_bytes(value[2 : 2 + octets], "big")
    return length if length <= len(value) else 0


def _when(pdf: bytes, hole: Hole) -> datetime:
    near = pdf[max(0, hole.begins - NEAR) : hole.begins] + pdf[hole.ends : hole.ends + NEAR]
    # Some programs write the colon and the apostrophe as \072 and \047.
    found = set(WHEN.findall(OCTAL.sub(lambda sign: bytes([int(sign[1], 8)]), near)))
    if len(found) != 1:
        raise BadSignature("it does not say when it was sealed")
    instant, sign, hours, minutes = found.pop()
    ahead = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        zone = timezone(-ahead if sign == b"-" else ahead)
        return (
            datetime.strptime(instant.decode(), "%Y%m%d%H%M%S").replace(tzinfo=zone).astimezone(UTC)
        )
    except (ValueError, OverflowError) as error:
        raise BadSignature("it does not say when it was sealed") from error


def _trust(signed: Signed, trusted: Sequence[x509.Certificate], seal: Seal) -> Check:
    if not trusted:
        return unknown("trusted", "nobody said whose certificate to trust: give --certificate")
    assert seal.signed_at is not None
    messages.path(signed, trusted, at=seal.signed_at)
    at = seal.signed_at.isoformat()
    return good("trusted", f"sealed {at} with a key that the hall's certificate vouches for")


def _stamp(signed: Signed, authorities: Sequence[x509.Certificate]) -> Iterator[Check]:
    """Judge the time stamp that came with the signature, if any did (PAdES B-T)."""
    for token in signed.tokens:
        message = messages.read(token, kind=messages.TIME_STAMP)
        stamp = messages.verify(message, message.content, kind=messages.TIME_STAMP)
        at = _stamped(message.content, signed.signature)
        if not authorities:
            yield unknown("time_stamp", f"a time stamp of {at.isoformat()}: give --authority")
            continue
        path = messages.path(stamp, authorities, at=at)
        _require_stamping(path[0])
        yield good("time_stamp", f"time-stamped {at.isoformat()} by an authority that is trusted")


def _stamped(told: bytes, signature: bytes) -> datetime:
    """Give the time of a time stamp, which must be of a signature (RFC 3161)."""
    try:
        _version, _policy, imprint, _serial, instant, *_rest = der.only(told, der.SEQUENCE).parts()
        algorithm, digest = imprint.parts(der.SEQUENCE, der.OCTETS)
        name = messages.DIGESTS[algorithm.parts()[0].content]
        at = datetime.strptime(instant.content.decode()[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except (ValueError, KeyError, IndexError) as error:
        raise BadSignature("its time stamp cannot be read") from error
    if digest.content != hashlib.new(name, signature).digest():
        raise BadSignature("its time stamp is of something else")
    return at


def _require_stamping(certificate: x509.Certificate) -> None:
    try:
        usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except (x509.ExtensionNotFound, ValueError):
        usage = x509.ExtendedKeyUsage([x509.ObjectIdentifier("2.5.29.37.0")])
    if list(usage) != [ExtendedKeyUsageOID.TIME_STAMPING]:
        raise BadSignature("its time stamp is not of an authority of time stamps")
