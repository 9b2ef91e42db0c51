"""The seal of a document: a PAdES signature that permits no later change, and its verification."""

import asyncio
import hashlib
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pyhanko.keys import load_certs_from_pemder_data, load_private_key_from_pemder_data
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.pdf_utils.writer import BasePdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
from pyhanko.sign.signers.pdf_signer import PdfSigningSession
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.status import PdfSignatureStatus, SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

from bingo.pdf.keys import SealError, SigningKey

SIZE_LIMIT = 64 * 1024 * 1024  # bytes; no acta comes near, and larger ones only tire the parser

# pyHanko tells of every failed check with a traceback; the verdict says the same in one word.
for _noisy in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_noisy).setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found, check by check. `sha256` is of the whole file, to compare with the journal.

    A signature has padding that may be flipped unseen: `sealed` proves the hall sealed these
    pages, and only an equal `sha256` proves that this is the very file.
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

    @property
    def checks(self) -> tuple[tuple[str, bool], ...]:
        """Every check by name, in the order they are made."""
        return (
            ("readable", self.readable),
            ("one_signature", self.one_signature),
            ("intact", self.intact),
            ("trusted", self.trusted),
            ("whole_file", self.whole_file),
            ("unchanged", self.unchanged),
            ("bottom_line", self.bottom_line),
        )

    @property
    def sealed(self) -> bool:
        """Whether every check holds."""
        return all(passed for _, passed in self.checks)


class _Signer(signers.PdfSigner):
    """pyHanko reads the clock while it signs; the time of a seal is an argument."""

    at: datetime

    def init_signing_session(
        self, pdf_out: BasePdfFileWriter, existing_fields_only: bool = False
    ) -> PdfSigningSession:
        session = super().init_signing_session(pdf_out, existing_fields_only)
        session.system_time = self.at
        return session


def sign(
    pdf: bytes, *, key: SigningKey, at: datetime, field_name: str, reason: str, location: str
) -> bytes:
    """Seal `pdf` at the aware time `at`: PAdES B-B, SHA-256, certified, no change allowed.

    Must not be called inside a running event loop. Raises SealError: certificate_expired,
    pdf_unreadable, already_sealed.
    """
    _refuse_running_loop()
    begins, ends = key.certificate.not_valid_before_utc, key.certificate.not_valid_after_utc
    if not begins <= at <= ends:
        raise SealError("certificate_expired", begins=begins, ends=ends, at=at)
    try:
        reader = PdfFileReader(BytesIO(pdf))
        signed = len(reader.embedded_signatures)
    # Any exception: bytes that are no PDF fail anywhere in the parser.
    except Exception as error:
        raise SealError("pdf_unreadable") from error
    if signed:
        raise SealError("already_sealed")
    meta = signers.PdfSignatureMetadata(
        field_name=field_name,
        reason=reason,
        location=location,
        subfilter=SigSeedSubFilter.PADES,
        md_algorithm="sha256",
        certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES,
    )
    signer = _Signer(meta, signer=_simple_signer(key))
    signer.at = at
    out = BytesIO()
    signer.sign_pdf(IncrementalPdfFileWriter(BytesIO(pdf)), output=out)
    return out.getvalue()


def verify(pdf: bytes, *, trust: bytes, at: datetime | None = None) -> Verdict:
    """Check `pdf` against the authority whose PEM certificate is `trust`. Never raises on `pdf`.

    `at` is the time the certificates must be valid at; without it, the time the seal itself
    names, so that an old acta outlives its key. Must not be called inside a running event
    loop. Raises SealError("trust_unreadable").
    """
    _refuse_running_loop()
    try:
        anchor = x509.load_pem_x509_certificate(trust)
    except ValueError as error:
        raise SealError("trust_unreadable") from error
    sha256 = hashlib.sha256(pdf).hexdigest()
    if len(pdf) > SIZE_LIMIT:
        return Verdict(sha256)
    try:
        return _verdict(pdf, anchor, sha256, at)
    # Any exception: hostile bytes fail anywhere in a parser, and all mean the same, not sealed.
    except Exception:  # noqa: BLE001
        return Verdict(sha256)


def _refuse_running_loop() -> None:
    # pyHanko starts a loop of its own; inside another that fails, and a failure to look must
    # not be told as a document that is not sealed.
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("a seal is made and verified in a thread of its own")


def _verdict(pdf: bytes, anchor: x509.Certificate, sha256: str, at: datetime | None) -> Verdict:
    signatures = PdfFileReader(BytesIO(pdf)).embedded_signatures
    if not signatures:
        return Verdict(sha256, readable=True)
    claimed = signatures[0].self_reported_timestamp
    root = _for_pyhanko(anchor)
    context = ValidationContext(
        trust_roots=[root], moment=at or claimed or datetime.now(UTC), allow_fetching=False
    )
    status: PdfSignatureStatus = validate_pdf_signature(
        signatures[0], signer_validation_context=context, ts_validation_context=context
    )
    return Verdict(
        sha256,
        readable=True,
        one_signature=len(signatures) == 1,
        intact=bool(status.intact and status.valid),
        trusted=bool(status.trusted),
        whole_file=status.coverage == SignatureCoverageLevel.ENTIRE_FILE,
        unchanged=status.modification_level == ModificationLevel.NONE,
        bottom_line=bool(status.bottom_line),
        signer=str(status.signing_cert.subject.human_friendly),
        signed_at=claimed,
    )


def _simple_signer(key: SigningKey) -> signers.SimpleSigner:
    private = key.private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    chain = SimpleCertificateStore()  # type: ignore[no-untyped-call]
    chain.register(_for_pyhanko(key.authority))
    return signers.SimpleSigner(
        signing_cert=_for_pyhanko(key.certificate),
        signing_key=load_private_key_from_pemder_data(private, passphrase=None),
        cert_registry=chain,
    )


def _for_pyhanko(certificate: x509.Certificate) -> Any:
    der = certificate.public_bytes(Encoding.DER)
    return next(iter(load_certs_from_pemder_data(der)))
