"""Read and verify CMS signatures (RFC 5652) and their DER (X.690), strictly.

Exactly one signer, DER to the last byte, every part accounted for. Each DER value has one way of
writing, or is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.hazmat.primitives.serialization import Encoding

from draws.record.verifier.verdicts import Trust

INTEGER, OCTETS, NULL, OID, SEQUENCE, SET = 0x02, 0x04, 0x05, 0x06, 0x30, 0x31
DEEPEST = 32


class NotDer(ValueError):
    """Bytes that are not DER, or not of the form looked for."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value: its tag, what is in it, and the whole of it as it stands."""

    tag: int
    content: bytes
    raw: bytes

    def parts(self, *tags: int) -> list[Value]:
        """Return the values in this one; with tags, exactly those. Raises NotDer."""
        found = []
        at = 0
        while at < len(self.content):
            found.append(first(self.content, at))
            at += len(found[-1].raw)
        if tags and tuple(part.tag for part in found) != tags:
            raise NotDer("has another form")
        return found


def first(data: bytes, at: int = 0) -> Value:
    """Return the value that begins at a place. Raises NotDer."""
    head = data[at : at + 2]
    if len(head) < 2 or head[0] & 0x1F == 0x1F:
        raise NotDer("is not written in DER")
    begin, length = at + 2, head[1]
    if length >= 0x80:
        octets = data[begin : begin + (length & 0x7F)]
        begin, length = begin + len(octets), int.from_bytes(octets, "big")
        if not octets or octets[0] == 0 or length < 0x80:
            raise NotDer("is not written in DER")
    end = begin + length
    if end > len(data):
        raise NotDer("is cut off")
    return Value(head[0], data[begin:end], data[at:end])


def only(data: bytes, tag: int) -> Value:
    """Return the value that the bytes are, DER all the way down. Raises NotDer."""
    value = first(data)
    if len(value.raw) != len(data) or value.tag != tag:
        raise NotDer("has another form")
    _require_throughout(value, 0)
    return value


def _require_throughout(value: Value, depth: int) -> None:
    if depth > DEEPEST:
        raise NotDer("is nested too deep")
    if value.tag & 0x20:
        for part in value.parts():
            _require_throughout(part, depth + 1)


LIMIT = 256 * 1024  # bytes of a signature
LONGEST_PATH = 5  # certificates from the signer's to the one that is trusted
TAGGED_0, TAGGED_1 = 0xA0, 0xA1
SIGNER_INFO = [INTEGER, SEQUENCE, SEQUENCE, TAGGED_0, SEQUENCE, OCTETS]
SIGNED_DATA, DATA = bytes.fromhex("2a864886f70d010702"), bytes.fromhex("2a864886f70d010701")
TIME_STAMP = bytes.fromhex("2a864886f70d0109100104")
CONTENT_TYPE = bytes.fromhex("2a864886f70d010903")
MESSAGE_DIGEST = bytes.fromhex("2a864886f70d010904")
SIGNING_CERTIFICATE = bytes.fromhex("2a864886f70d010910022f")
EARLIER_NAMED = bytes.fromhex("2a864886f70d010910020c")
TOKEN = bytes.fromhex("2a864886f70d010910020e")
# Object identifiers: of the digest, of ECDSA with it, of RSA (PKCS #1 v1.5) with it.
DIGESTS: Mapping[bytes, str] = {
    bytes.fromhex("608648016503040201"): "sha256",
    bytes.fromhex("608648016503040202"): "sha384",
    bytes.fromhex("608648016503040203"): "sha512",
}
ECDSA = {"sha256": "2a8648ce3d040302", "sha384": "2a8648ce3d040303", "sha512": "2a8648ce3d040304"}
RSA = {
    "sha256": "2a864886f70d01010b",
    "sha384": "2a864886f70d01010c",
    "sha512": "2a864886f70d01010d",
}
PLAIN_RSA = "2a864886f70d010101"
HASHES = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}


class BadSignature(ValueError):
    """A signature that does not hold; says why."""


@dataclass(frozen=True, slots=True)
class Signed:
    """A signature that holds over its content: by which certificate, and what came with it."""

    certificate: x509.Certificate
    carried: list[x509.Certificate]
    signature: bytes
    tokens: list[bytes]


@dataclass(frozen=True, slots=True)
class Message:
    """The parts of a signature before anything of them is believed."""

    content: bytes
    certificates: list[bytes]
    signer: Value
    digest: str
    attributes: Value
    way: Value
    signature: bytes
    unsigned: list[Value]


def read_cms(data: bytes, *, kind: bytes) -> Message:
    """Read a signature over something of a type. Raises BadSignature.

    A signature that holds more than an acta's needs, or is written in another way, is refused.
    """
    if len(data) > LIMIT:
        raise BadSignature("its signature is too long")
    try:
        return _message(data, kind)
    except NotDer as error:
        raise BadSignature(f"its signature {error}") from error


def _message(data: bytes, kind: bytes) -> Message:
    told, wrapped = only(data, SEQUENCE).parts(OID, TAGGED_0)
    (signed,) = wrapped.parts(SEQUENCE)
    version, digests, inner, certificates, infos = signed.parts(
        INTEGER, SET, SEQUENCE, TAGGED_0, SET
    )
    (info,) = infos.parts(SEQUENCE)
    parts = info.parts()
    if [part.tag for part in parts[:6]] != SIGNER_INFO:
        raise NotDer("has another form")
    _one, signer, way, attributes, scheme, signature = parts[:6]
    (digest,) = digests.parts(SEQUENCE)
    what, *content = inner.parts()
    right = (
        told.content == SIGNED_DATA
        and version.content == (b"\x01" if kind == DATA else b"\x03")  # RFC 5652, 5.1
        and _one.content == b"\x01"
        and what.tag == OID
        and what.content == kind
        and [part.tag for part in content] in ([], [TAGGED_0])
        and digest.raw == way.raw
        and len(parts) <= 7
        and all(part.tag == TAGGED_1 for part in parts[6:])
    )
    if not right:
        raise NotDer("has another form than that of an acta")
    return Message(
        content=content[0].parts(OCTETS)[0].content if content else b"",
        certificates=[part.raw for part in certificates.parts()],
        signer=signer,
        digest=_digest(way),
        attributes=attributes,
        way=scheme,
        signature=signature.content,
        unsigned=parts[6:],
    )


def _digest(algorithm: Value) -> str:
    name = DIGESTS.get(_plain(algorithm))
    if name is None:
        raise NotDer("is made with a digest that is not taken")
    return name


def _plain(algorithm: Value) -> bytes:
    """Return the identifier of an algorithm that has no parameters."""
    name, *rest = algorithm.parts()
    if name.tag != OID or [part.raw for part in rest] not in ([], [bytes([NULL, 0])]):
        raise NotDer("has another form")
    return name.content


def verify_cms(message: Message, content: bytes, *, kind: bytes) -> Signed:
    """Check a signature over `content`, whose type must be `kind`. Raises BadSignature."""
    try:
        carried = [x509.load_der_x509_certificate(one) for one in message.certificates]
        certificate = _signer(message.signer, carried)
        attributes = _attributes([message.attributes])
        _require_over(message, attributes, content, kind)
        _require_named(attributes, certificate, kind)
        _require_signed(message, certificate)
        unsigned = _attributes(message.unsigned)
    except NotDer as error:
        raise BadSignature(f"its signature {error}") from error
    except InvalidSignature as error:
        raise BadSignature("its signature is false") from error
    except BadSignature:
        raise
    # Any other: hostile bytes fail anywhere in the reading of certificates, and all mean the same.
    except Exception as error:
        raise BadSignature("its certificates cannot be read") from error
    if set(unsigned) - {TOKEN}:
        raise BadSignature("it carries something that nobody signed")
    return Signed(certificate, carried, message.signature, [one.raw for one in unsigned.values()])


def _require_over(
    message: Message, attributes: Mapping[bytes, Value], content: bytes, kind: bytes
) -> None:
    if attributes.get(CONTENT_TYPE, message.way).content != kind:
        raise NotDer("is over something else")
    right = hashlib.new(message.digest, content).digest()
    if attributes.get(MESSAGE_DIGEST, message.way).content != right:
        raise BadSignature("what was signed is not what stands there")


def _signer(named: Value, carried: Sequence[x509.Certificate]) -> x509.Certificate:
    issuer, serial = named.parts(SEQUENCE, INTEGER)
    number = int.from_bytes(serial.content, "big", signed=True)
    for one in carried:
        if one.serial_number == number and one.issuer.public_bytes() == issuer.raw:
            return one
    raise NotDer("does not come with its signer's certificate")


def _attributes(given: Sequence[Value]) -> dict[bytes, Value]:
    found: dict[bytes, Value] = {}
    for attribute in (part for one in given for part in one.parts()):
        if attribute.tag != SEQUENCE:
            raise NotDer("has another form")
        name, values = attribute.parts(OID, SET)
        if name.content in found or len(values.parts()) != 1:
            raise NotDer("says one thing twice")
        found[name.content] = values.parts()[0]
    return found


def _require_named(
    attributes: Mapping[bytes, Value], certificate: x509.Certificate, kind: bytes
) -> None:
    """Refuse a signature that does not itself name the certificate it was made with (RFC 5035)."""
    named, digest = attributes.get(SIGNING_CERTIFICATE), "sha256"
    if named is None and kind == TIME_STAMP:
        # As RFC 3161 had it before RFC 5816, and many authorities of time stamps still write it.
        named, digest = attributes.get(EARLIER_NAMED), "sha1"
    if named is None:
        raise NotDer("does not name its certificate")
    entry = named.parts()[0].parts()[0].parts()
    if digest == "sha256" and entry[0].tag == SEQUENCE:
        digest = _digest(entry.pop(0))
    whole = certificate.public_bytes(Encoding.DER)
    if entry[0].content != hashlib.new(digest, whole, usedforsecurity=False).digest():
        raise NotDer("names another certificate")


def _require_signed(message: Message, certificate: x509.Certificate) -> None:
    # The attributes are signed as a SET, and sent under another tag (RFC 5652, 5.4).
    signed = bytes([SET]) + message.attributes.raw[1:]
    key, digest, signature = certificate.public_key(), message.digest, message.signature
    scheme = _plain(message.way).hex()
    if isinstance(key, ec.EllipticCurvePublicKey) and scheme == ECDSA[digest]:
        if utils.encode_dss_signature(*utils.decode_dss_signature(signature)) != signature:
            raise NotDer("is not written in DER")
        key.verify(signature, signed, ec.ECDSA(HASHES[digest]))
    elif isinstance(key, rsa.RSAPublicKey) and scheme in (PLAIN_RSA, RSA[digest]):
        key.verify(signature, signed, padding.PKCS1v15(), HASHES[digest])
    else:
        raise NotDer("is made in a way that is not taken")


def cms_path(
    signed: Signed, trusted: Sequence[x509.Certificate], trust: Trust, *, at: Sequence[datetime]
) -> list[x509.Certificate]:
    """Return the certificates from the signer's to a trusted one, valid at each of some aware times.

    Raises BadSignature where there is no such path, where one of it was revoked by then, or where
    something is carried that is no part of it.
    """
    found = [signed.certificate]
    while found[-1] not in trusted:
        if len(found) == LONGEST_PATH:
            raise BadSignature("nobody who is trusted issued its certificate")
        found.append(_issuer(found[-1], [*trusted, *signed.carried]))
    for one in found:
        if not all(one.not_valid_before_utc <= hour <= one.not_valid_after_utc for hour in at):
            raise BadSignature("a certificate was not valid when it was signed")
    for one, issuer in zip(found, [*found[1:], found[-1]], strict=True):
        if trust.revokes(one, issuer, max(at)):
            raise BadSignature("a certificate had been revoked when it was signed")
    if any(one not in found and one not in trusted for one in signed.carried):
        raise BadSignature("it carries a certificate that nobody vouches for")
    return found


def _issuer(
    certificate: x509.Certificate, candidates: Sequence[x509.Certificate]
) -> x509.Certificate:
    for candidate in candidates:
        if candidate == certificate or not _may_issue(candidate):
            continue
        try:
            certificate.verify_directly_issued_by(candidate)
        except (ValueError, TypeError, InvalidSignature):
            continue
        return candidate
    raise BadSignature("nobody who is trusted issued its certificate")


def _may_issue(certificate: x509.Certificate) -> bool:
    try:
        basic = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
        usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    except (x509.ExtensionNotFound, ValueError):
        return False
    return basic.ca and usage.key_cert_sign
