"""Verify the seal of an acta: one signature over the whole file, under the hall's certificate.

Also time stamps of third parties (RFC 3161): of a signature (PAdES B-T), and of a whole file
(B-LTA).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone

from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from draws.record.verifier import cms
from draws.record.verifier.cms import BadSignature, Signed
from draws.record.verifier.verdicts import NOTE, Check, Trust, false, good, unknown


@dataclass(frozen=True, slots=True)
class HeldStamp:
    """A time stamp that holds over its bytes; `known` tells whether a trusted authority gave it."""

    at: datetime
    known: bool


def read_stamp(token: bytes, content: bytes, trust: Trust) -> HeldStamp:
    """Check a time stamp of some bytes. Raises BadSignature.

    Without certificates of authorities all is checked but who gave it.
    """
    message = cms.read_cms(token, kind=cms.TIME_STAMP)
    signed = cms.verify_cms(message, message.content, kind=cms.TIME_STAMP)
    if signed.tokens:
        raise BadSignature("its time stamp carries something that nobody signed")
    at = _describe_stamp(message.content, content)
    if trust.authorities:
        _require_known(signed, trust, at)
    return HeldStamp(at, known=bool(trust.authorities))


def _require_known(signed: Signed, trust: Trust, at: datetime) -> None:
    try:
        path = cms.cms_path(signed, trust.authorities, trust, at=[at])
    except BadSignature as error:
        raise BadSignature(f"of its time stamp: {error}") from error
    _require_stamping(path[0])


def _describe_stamp(told: bytes, content: bytes) -> datetime:
    """Return the time that a stamp tells, which must be of these bytes."""
    try:
        _version, _policy, imprint, _serial, instant, *_rest = cms.only(told, cms.SEQUENCE).parts()
        algorithm, digest = imprint.parts(cms.SEQUENCE, cms.OCTETS)
        name = cms.DIGESTS[algorithm.parts()[0].content]
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


LIMIT = 64 * 1024 * 1024  # bytes; no acta comes near
# A hidden signature changes nothing: what one covers whole was in the file when it was made.
RANGE = re.compile(
    rb"/ByteRange\s*\[\s*([0-9]{1,12})\s+([0-9]{1,12})\s+([0-9]{1,12})\s+([0-9]{1,12})\s*\]"
)
# What an acta has, whichever of its parts was taken out; other papers of a hall have none of it.
TRACES = re.compile(rb"/ByteRange|/Type\s*/Sig|/SubFilter|/FT\s*/Sig|/EmbeddedFile")
WHEN = re.compile(rb"/M\s*\(D:([0-9]{14})(?:Z|([+-])([0-9]{2})'([0-9]{2})'?)?\s*\)")
OCTAL = re.compile(rb"\\([0-3][0-7]{2})")
NEAR = 4096  # bytes of a signature's dictionary before and after its hole
PROMISED = re.compile(rb"/Prop_Build\s*<<\s*/App\s*<<\s*/Name\s*/PAdES-(B-T|B-LTA)(?![-A-Za-z])")
APART = timedelta(minutes=10)  # between the hall's clock and the authority's, before it is told
END = re.compile(rb"%%EOF\r?\n?\Z")


@dataclass(slots=True)
class Seal:
    """What was found of one file; `later` says that something was added after it was sealed.

    `sealed` is the SHA-256 of the file as it was sealed, empty where it was not; `sha256` that of the
    whole of it.
    """

    sha256: str
    sealed: str = ""
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
        """Return the bytes that the signature is over."""
        return pdf[: self.begins] + pdf[self.ends : self.covers]


def judge(pdf: bytes, trust: Trust) -> Seal:
    """Check a file against what is trusted.

    Never raises on the file, whatever its bytes. The first check that fails is the last.
    """
    seal = Seal(hashlib.sha256(pdf).hexdigest())
    try:
        for check in _checks(pdf, seal, trust):
            seal.checks.append(check)
    except BadSignature as error:
        seal.checks.append(false("seal", str(error)))
    # Any other: hostile bytes fail anywhere in the reading of certificates, and all mean the same.
    except Exception:  # noqa: BLE001
        seal.checks.append(false("seal", "its certificates cannot be read"))
    return seal


def _checks(pdf: bytes, seal: Seal, trust: Trust) -> Iterator[Check]:
    if len(pdf) > LIMIT or not pdf.startswith(b"%PDF-") or not END.search(pdf[-16:]):
        raise BadSignature("it is no whole PDF file of reasonable size")
    if not TRACES.search(pdf):
        yield unknown("seal", "it is no sealed paper: nothing proves whose it is")
        return
    hole, last = _holes(pdf)
    seal.sealed = hashlib.sha256(pdf[: hole.covers]).hexdigest()
    yield good("one_signature", "it has one seal")
    yield _coverage(pdf, hole, last, seal)
    signed = cms.verify_cms(
        cms.read_cms(_der(pdf, hole), kind=cms.DATA), hole.content(pdf), kind=cms.DATA
    )
    yield good("intact", "what was sealed stands unchanged")
    near = _near(pdf, hole)
    seal.signed_at = _when(near)
    seal.signer = signed.certificate.subject.rfc4514_string()  # refuses a name that is no text
    _require_promised(near, signed, archived=last is not None)
    stamped = [read_stamp(token, signed.signature, trust) for token in signed.tokens]
    yield _trust(signed, trust, seal, stamped)
    for stamp in stamped:
        yield from _check_stamp(stamp, seal.signed_at)
    if last is not None:
        stamp = read_stamp(_der(pdf, last), last.content(pdf), trust)
        yield _vouched(stamp, "archive_stamp", "the whole file was time-stamped")


def _holes(pdf: bytes) -> tuple[Hole, Hole | None]:
    """Return where the seal stands, and where the time stamp of the whole file does, if there is one."""
    found = list(RANGE.finditer(pdf))
    if pdf.count(b"/ByteRange") != len(found) or not found:
        raise BadSignature("it has no seal, or one that cannot be read")
    hole, *others = [_hole(pdf, one) for one in found]
    if not others:
        return hole, None
    last = others[-1]
    if len(others) > 1 or b"/ETSI.RFC3161" not in _near(pdf, last)[-2 * NEAR :]:
        raise BadSignature(f"it has {len(found)} signatures, where an acta has one")
    if not END.search(pdf[hole.covers - 16 : hole.covers]) or last.begins < hole.covers:
        raise BadSignature("its time stamp is not one of the whole file")
    if last.covers != len(pdf):
        raise BadSignature("something was appended after it was time-stamped")
    return hole, last


def _hole(pdf: bytes, found: re.Match[bytes]) -> Hole:
    begin, length, end, rest = map(int, found.groups())
    hole = Hole(length, end, end + rest)
    if begin != 0 or not 0 < hole.begins < hole.ends < hole.covers <= len(pdf):
        raise BadSignature("its seal does not cover it from its first byte")
    return hole


def _near(pdf: bytes, hole: Hole) -> bytes:
    """Return what stands around a signature, as far as it covers it: the rest of its dictionary."""
    after = pdf[hole.ends : min(hole.ends + NEAR, hole.covers)]
    return pdf[max(0, hole.begins - NEAR) : hole.begins] + after


def _coverage(pdf: bytes, hole: Hole, last: Hole | None, seal: Seal) -> Check:
    if last is None:
        if hole.covers == len(pdf):
            return good("whole_file", "the seal covers the whole file, to its last byte")
        raise BadSignature("something was appended after it was sealed")
    seal.later = True
    return unknown(
        "whole_file", "a later time stamp was added: only a journal shows this very file"
    )


def _der(pdf: bytes, hole: Hole) -> bytes:
    """Return the signature's bytes. Raises BadSignature where they could be written in another way."""
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
    """Return how many bytes the DER value at the beginning has, or 0."""
    if len(value) < 2 or value[0] != 0x30 or not 0x81 <= value[1] <= 0x84:
        return 0
    octets = value[1] & 0x7F
    length = 2 + octets + int.from_bytes(value[2 : 2 + octets], "big")
    return length if length <= len(value) else 0


def _when(near: bytes) -> datetime:
    # Some programs write the colon and the apostrophe as \072 and \047.
    found = set(WHEN.findall(OCTAL.sub(lambda sign: bytes([int(sign[1], 8)]), near)))
    if len(found) != 1:
        raise BadSignature("it does not say when it was sealed")
    instant, sign, hours, minutes = found.pop()
    ahead = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        zone = timezone(-ahead if sign == b"-" else ahead)
        at = datetime.strptime(instant.decode(), "%Y%m%d%H%M%S").replace(tzinfo=zone)
        return at.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadSignature("it does not say when it was sealed") from error


def _require_promised(near: bytes, signed: Signed, *, archived: bool) -> None:
    """Refuse a seal that says under its signature that it is time-stamped, and no longer is."""
    promised = {one.decode() for one in PROMISED.findall(near)}
    if promised and not signed.tokens:
        raise BadSignature("its time stamp was cut out")
    if "B-LTA" in promised and not archived:
        raise BadSignature("the time stamp of the whole file was cut off")
    if archived and promised != {"B-LTA"}:
        raise BadSignature("something was appended after it was sealed")


def _trust(signed: Signed, trust: Trust, seal: Seal, stamped: list[HeldStamp]) -> Check:
    if not trust.halls:
        return unknown(
            "trusted",
            "nobody said whose certificate to trust: it is not proven who sealed it, nor when, and"
            " anybody can make such a file; give --certificate, handed over on the first day",
        )
    assert seal.signed_at is not None
    # The hall names its hour itself; one that a third party vouches for must be within the time too.
    cms.cms_path(signed, trust.halls, trust, at=[seal.signed_at, *(one.at for one in stamped)])
    at = seal.signed_at.isoformat()
    return good("trusted", f"sealed {at} with a key that the hall's certificate vouches for")


def _check_stamp(stamp: HeldStamp, signed_at: datetime) -> Iterator[Check]:
    yield _vouched(stamp, "time_stamp", "time-stamped")
    if abs(stamp.at - signed_at) > APART:
        words = (
            f"the hall's clock said {signed_at.isoformat()}, the time stamp {stamp.at.isoformat()}"
        )
        yield Check("hour", NOTE, words)


def _vouched(stamp: HeldStamp, name: str, words: str) -> Check:
    at = stamp.at.isoformat()
    if not stamp.known:
        return unknown(name, f"{words} {at}, nobody said whose stamps to trust: give --authority")
    return good(name, f"{words} {at} by an authority that is trusted")
