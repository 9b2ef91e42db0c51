"""Seals whose signature holds, made by somebody else with certificates that hardly can be read."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

ROOM = 8000  # digits for a signature
CONTENT_TYPE, MESSAGE_DIGEST = "2a864886f70d010903", "2a864886f70d010904"
SIGNING_CERTIFICATE = "2a864886f70d010910022f"
DATA, SIGNED_DATA = "2a864886f70d010701", "2a864886f70d010702"
BASIC_CONSTRAINTS, KEY_IDENTIFIER = bytes.fromhex("0603551d13"), bytes.fromhex("0603551d0e")


def der(tag: int, *parts: bytes) -> bytes:
    """Return one value in DER."""
    content = b"".join(parts)
    length = len(content)
    if length < 128:
        return bytes([tag, length]) + content
    octets = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(octets)]) + octets + content


def _named(digits: str) -> bytes:
    return der(6, bytes.fromhex(digits))


SHA256 = der(0x30, _named("608648016503040201"))
ECDSA = der(0x30, _named("2a8648ce3d040302"))
ISSUER = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Issuer")])


def certificate(
    key: ec.EllipticCurvePrivateKey, *, utf8: bool = True, twice: bool = False
) -> bytes:
    """Return a certificate of a key: perhaps with a name that is no UTF-8, or an extension twice."""
    authority = ec.generate_private_key(ec.SECP256R1())
    made = x509.CertificateBuilder(
        ISSUER,
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Forged")]),
        key.public_key(),
        77,
        datetime(2020, 1, 1, tzinfo=UTC),
        datetime(2040, 1, 1, tzinfo=UTC),
    )
    if twice:
        named = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        made = made.add_extension(named, critical=False)
    told = made.sign(authority, hashes.SHA256()).tbs_certificate_bytes
    if not utf8:
        told = told.replace(b"Forged", b"\xff\xfeFORG")
    told = told.replace(KEY_IDENTIFIER, BASIC_CONSTRAINTS)
    signature = authority.sign(told, ec.ECDSA(hashes.SHA256()))
    return der(0x30, told, ECDSA, der(3, b"\0" + signature))


def sealed(*, utf8: bool = True, beside: bytes = b"") -> bytes:
    """Return a paper sealed by somebody's own key; `beside` is one more certificate carried in it."""
    key = ec.generate_private_key(ec.SECP256R1())
    own = certificate(key, utf8=utf8)
    head = b"%%PDF-1.7\n<< /M (D:20261121120000Z) /ByteRange [0 %010d %010d %010d] /Contents "
    tail = b" >>\n%%EOF\n"
    begins = len(head % (0, 0, 0))
    head %= (begins, begins + ROOM + 2, len(tail))
    cms = _signature(key, own, beside, head + tail)
    return head + b"<" + cms.hex().encode().ljust(ROOM, b"0") + b">" + tail


def _signature(key: ec.EllipticCurvePrivateKey, own: bytes, beside: bytes, content: bytes) -> bytes:
    named = der(0x30, der(0x30, der(0x30, der(4, hashlib.sha256(own).digest()))))
    attributes = [
        der(0x30, _named(name), der(0x31, value))
        for name, value in (
            (CONTENT_TYPE, _named(DATA)),
            (MESSAGE_DIGEST, der(4, hashlib.sha256(content).digest())),
            (SIGNING_CERTIFICATE, named),
        )
    ]
    signature = key.sign(der(0x31, *attributes), ec.ECDSA(hashes.SHA256()))
    signer = der(0x30, ISSUER.public_bytes(), der(2, b"\x4d"))
    info = der(
        0x30, der(2, b"\1"), signer, SHA256, der(0xA0, *attributes), ECDSA, der(4, signature)
    )
    signed = der(
        0x30, der(2, b"\1"), der(0x31, SHA256), der(0x30, _named(DATA)),
        der(0xA0, own, beside), der(0x31, info),
    )  # fmt: skip
    return der(0x30, _named(SIGNED_DATA), der(0xA0, signed))
