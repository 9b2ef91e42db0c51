"""Check a sealed document; sign and verify a file by a detached signature.

`find_seal_faults` says check by check what is wrong with a sealed document. A detached signature
stands beside a file: over its bytes, with SHA-256, by the key that seals actas, with ECDSA or RSA
(PKCS #1 v1.5). A key that is at hand signs without chance (RFC 6979), so that the same bytes have
the same signature; a token does as it is built.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.general import find_cms_attribute_iter
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import PdfSignatureStatus, SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from bingo.pdf import SealError, certificates
from bingo.pdf.keys import SigningKey, Token
from bingo.pdf.signer import for_pyhanko

SIZE_LIMIT = 64 * 1024 * 1024  # bytes; no acta comes near, and larger ones only tire the parser
CHECKS = (
    "readable", "one_signature", "intact", "trusted", "whole_file", "unchanged", "bottom_line",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SealVerdict:
    """What was found, check by check. `sha256` is of the whole file, to compare with the journal.

    A signature has padding that may be flipped unseen: `sealed` proves the hall sealed these
    pages, and only an equal `sha256` proves that this is the very file. `stamped_at` is the hour
    that a trusted time-stamp authority vouches for.
    """

    sha256: str
    readable: bool = False
    one_signature: bool = False
    intact: bool = False
    trusted: bool = False
    whole_file: bool = False
    unchanged: bool = False
    bottom_line: bool = False
    signer: str = ""
    signed_at: datetime | None = None
    level: str = "B-B"
    time_stamp: bool = True
    stamped_at: datetime | None = None

    @property
    def checks(self) -> tuple[tuple[str, bool], ...]:
        """Every check by name, in the order they are made; of a time stamp only where there is one."""
        made = CHECKS if self.level == "B-B" else (*CHECKS, "time_stamp")
        return tuple((name, getattr(self, name)) for name in made)

    @property
    def sealed(self) -> bool:
        """Whether every check holds."""
        return all(passed for _, passed in self.checks)


def find_seal_faults(
    pdf: bytes,
    anchor: x509.Certificate,
    sha256: str,
    *,
    at: datetime | None,
    stamps: Sequence[Any],
    revoked: Sequence[x509.CertificateRevocationList],
) -> SealVerdict:
    """Look at a document; hostile bytes raise anything. `stamps` are certificates as pyHanko's."""
    reader = PdfFileReader(BytesIO(pdf))
    signatures = reader.embedded_regular_signatures
    archived = reader.embedded_timestamp_signatures
    if not signatures:
        return SealVerdict(sha256, readable=True)
    first: EmbeddedPdfSignature = signatures[0]
    stamped_at = _stamped_at(first)
    moment = at or stamped_at or first.self_reported_timestamp or datetime.now(UTC)
    status = _status(first, anchor, stamps, moment)
    seen = SealVerdict(
        sha256,
        readable=True,
        one_signature=len(signatures) == 1 and len(archived) <= 1,
        intact=bool(status.intact and status.valid),
        trusted=bool(status.trusted) and not _revoked(first, anchor, revoked, moment),
        whole_file=status.coverage == SignatureCoverageLevel.ENTIRE_FILE,
        unchanged=status.modification_level == ModificationLevel.NONE,
        bottom_line=bool(status.bottom_line),
        signer=str(status.signing_cert.subject.human_friendly),
        signed_at=first.self_reported_timestamp,
    )
    promised = _promised(first)
    if promised != "B-B" and (stamped_at is None or (promised == "B-LTA" and not archived)):
        # Somebody cut the stamp out, or the end of the file off.
        return replace(seen, level=promised, time_stamp=False, stamped_at=stamped_at)
    if stamped_at is None and not archived:
        return seen
    stamp = status.timestamp_validity
    seen = replace(
        seen,
        level="B-T",
        time_stamp=bool(stamp and stamp.intact and stamp.valid and stamp.trusted),
        stamped_at=stamped_at,
    )
    return _with_archive(seen, status, archived[0], stamps, at) if archived else seen


def _status(
    signature: EmbeddedPdfSignature, anchor: x509.Certificate, stamps: Sequence[Any], at: datetime
) -> PdfSignatureStatus:
    ours = ValidationContext(trust_roots=[for_pyhanko(anchor)], moment=at, allow_fetching=False)
    theirs = _of_stamps(stamps, at)
    return validate_pdf_signature(
        signature, signer_validation_context=ours, ts_validation_context=theirs
    )


def _with_archive(
    seen: SealVerdict,
    status: PdfSignatureStatus,
    archive: EmbeddedPdfSignature,
    stamps: Sequence[Any],
    at: datetime | None,
) -> SealVerdict:
    """Judge a document whose proofs were put behind its signature, and stamped once more."""
    token = archive.signed_data["encap_content_info"]["content"].parsed
    moment = at or token["gen_time"].native
    last = validate_pdf_timestamp(archive, validation_context=_of_stamps(stamps, moment))
    kept = status.modification_level in (ModificationLevel.NONE, ModificationLevel.LTA_UPDATES)
    return replace(
        seen,
        level="B-LTA",
        # The last word is the stamp's: it covers the signature, its proofs and every byte.
        whole_file=last.coverage == SignatureCoverageLevel.ENTIRE_FILE
        and status.coverage == SignatureCoverageLevel.ENTIRE_REVISION,
        unchanged=kept and last.modification_level == ModificationLevel.NONE,
        time_stamp=seen.time_stamp and bool(last.intact and last.valid and last.trusted),
    )


def _of_stamps(stamps: Sequence[Any], at: datetime) -> ValidationContext:
    # No root at all would let pyHanko look for some in the system's own store.
    return ValidationContext(trust_roots=list(stamps), moment=at, allow_fetching=False)


def _promised(signature: EmbeddedPdfSignature) -> str:
    """Return the level that stands under the signature, where it is above the plain one."""
    built = signature.sig_object.get("/Prop_Build", {}).get("/App", {})
    level = str(built.get("/Name", "")).removeprefix("/PAdES-")
    return level if level in ("B-T", "B-LTA") else "B-B"


def _stamped_at(signature: EmbeddedPdfSignature) -> datetime | None:
    unsigned = signature.signer_info["unsigned_attrs"]
    token = next(find_cms_attribute_iter(unsigned, "signature_time_stamp_token"), None)
    if token is None:
        return None
    info = token["content"]["encap_content_info"]["content"].parsed
    told: datetime = info["gen_time"].native
    return told


def _revoked(
    signature: EmbeddedPdfSignature,
    anchor: x509.Certificate,
    lists: Sequence[x509.CertificateRevocationList],
    at: datetime,
) -> bool:
    own = x509.load_der_x509_certificate(signature.signer_cert.dump())
    others = [x509.load_der_x509_certificate(one.dump()) for one in signature.other_embedded_certs]
    issuers = [anchor, *others]
    return any(certificates.is_revoked(one, issuers, lists, at=at) for one in (own, *others))


LONGEST = 1024  # bytes: a signature of RSA with 8192 bits
LONGEST_CHAIN = 5  # certificates from the one that signs to the authority


def sign_detached(content: bytes, *, key: SigningKey) -> bytes:
    """Return the signature, of ECDSA as DER. Raises SealError as a token does, and signature_wrong."""
    if isinstance(key.private, Token):
        signature = _by_token(content, key.private)
        verify_detached(content, signature, seal=pem(key), trust=key.trust)
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
    """Return the certificate of a key as PEM, and those between it and its authority."""
    return b"".join(one.public_bytes(Encoding.PEM) for one in (key.certificate, *key.between))


def verify_detached(content: bytes, signature: bytes, *, seal: bytes, trust: bytes) -> None:
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
