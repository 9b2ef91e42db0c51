"""Seal a PDF (a PAdES signature that permits no later change), and verify a seal.

`tried` makes a seal only to see that a key can make one.
"""

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from typing import Any, Literal

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from pyhanko.pdf_utils.extensions import DeveloperExtension
from pyhanko.pdf_utils.generic import StreamObject
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.pdf_utils.writer import BasePdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import MDPPerm, SigFieldSpec, SigSeedSubFilter
from pyhanko.sign.signers.pdf_byterange import BuildProps
from pyhanko.sign.signers.pdf_signer import (
    DSSContentSettings,
    PdfSigningSession,
    TimestampDSSContentSettings,
)
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.errors import ValidationError
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import SealError, certificates, pdfa, verdict
from bingo.pdf import signer as pdf_signer
from bingo.pdf.keys import SigningKey
from bingo.pdf.signer import for_pyhanko, signing
from bingo.pdf.verdict import SIZE_LIMIT, SealVerdict

# EN 319 142-1: plain; with a time stamp; with all that a later proof needs, stamped once more.
Level = Literal["B-B", "B-T", "B-LTA"]

# pyHanko tells of every failed check with a traceback; the verdict says the same in one word.
for _noisy in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_noisy).setLevel(logging.CRITICAL)


ENDED = b"\nendstream"
_write_stream = StreamObject.write_to_stream


def _write_ended(stream: StreamObject, output: Any, *given: Any, **named: Any) -> None:
    """Write a stream of a seal; data that end in a carriage return keep their last byte.

    A line feed alone would be read as one line end with it (`pdfa.finish`, ISO 19005-3, 6.1.7.1).
    Certificates and what is told of them are added by a writer that pyHanko makes for itself, so
    it is here that they are ended.
    """
    written = BytesIO()
    _write_stream(stream, written, *given, **named)
    data = written.getvalue().removesuffix(ENDED)
    output.write(data + (b"\r" if data.endswith(b"\r") else b"") + ENDED)


StreamObject.write_to_stream = _write_ended  # type: ignore[method-assign, assignment]


class _Signer(signers.PdfSigner):
    """pyHanko reads the clock while it signs; the time of a seal is an argument."""

    at: datetime

    def init_signing_session(
        self, pdf_out: BasePdfFileWriter, existing_fields_only: bool = False
    ) -> PdfSigningSession:
        session = super().init_signing_session(pdf_out, existing_fields_only)
        session.system_time = self.at
        return session


class _Writer(IncrementalPdfFileWriter):
    """Adds the seal to a document and leaves it otherwise as it was made.

    pyHanko itself would write the time of its clock, and its name, into the metadata, and declare
    the file PDF 2.0 for the curve of its key; PDF/A-3 is PDF 1.7 (ISO 19005-3, 6.1.1).
    """

    def _update_meta(self) -> None:
        pass

    def ensure_output_version(self, version: tuple[int, int]) -> None:
        super().ensure_output_version(min(version, pdfa.VERSION))  # type: ignore[no-untyped-call]

    def register_extension(self, ext: DeveloperExtension) -> None:
        if ext.base_version == f"/{pdfa.VERSION[0]}.{pdfa.VERSION[1]}":
            super().register_extension(ext)


def sign_pdf(
    pdf: bytes,
    *,
    key: SigningKey,
    at: datetime,
    field_name: str,
    reason: str,
    location: str,
    level: Level = "B-B",
    stamps: pdf_signer.Authority | None = None,
) -> bytes:
    """Seal `pdf` at the aware time `at`: PAdES, SHA-256, certified, no change allowed.

    A level above B-B asks `stamps` for a time stamp. What comes out has been verified.
    Must not be called inside a running event loop. Raises SealError: certificate_expired,
    certificate_revoked, pdf_unreadable, already_sealed, timestamp_missing, timestamp_unanswered,
    timestamp_refused, timestamp_untrusted, seal_unverified, or what a token refuses.
    """
    _refuse_running_loop()
    _require_in_force(key, at)
    _require_unsealed(pdf)
    if level != "B-B" and stamps is None:
        raise SealError("timestamp_missing", level=level)
    asked = pdf_signer.Asking(stamps) if level != "B-B" and stamps else None
    meta = signers.PdfSignatureMetadata(
        field_name=field_name,
        reason=reason,
        location=location,
        subfilter=SigSeedSubFilter.PADES,
        md_algorithm="sha256",
        certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES,
        # Under the signature stands how it was stamped, so that no stamp can be cut out unseen.
        app_build_props=BuildProps(f"PAdES-{level}") if level != "B-B" else None,
        **_proofs(key, level, stamps, at),
    )
    # Whoever has the file read out hears of the seal too, which has no place on the page.
    field = SigFieldSpec(field_name, readable_field_name=reason)
    out = BytesIO()
    with signing(key) as signer:
        sealing = _Signer(meta, signer=signer, timestamper=asked, new_field_spec=field)
        sealing.at = at
        try:
            sealing.sign_pdf(_Writer(BytesIO(pdf)), output=out)
        except ValidationError as error:
            raise SealError("timestamp_untrusted", level=level) from error
        except OSError as error:
            # pyHanko's own word for an answer that grants nothing or answers another question.
            raise SealError("timestamp_refused", url=stamps.url if stamps else "") from error
    _require_good(out.getvalue(), key, level, stamps)
    return out.getvalue()


def _proofs(
    key: SigningKey, level: Level, stamps: pdf_signer.Authority | None, at: datetime
) -> dict[str, Any]:
    """Return what pyHanko is told so that all that a later proof needs is kept in the file."""
    if level != "B-LTA" or stamps is None:
        return {}
    roots = [for_pyhanko(key.authority), *_read(stamps.trust)]
    context = ValidationContext(
        trust_roots=roots,
        other_certs=[for_pyhanko(one) for one in key.between],
        moment=at,
        crls=[told.public_bytes(Encoding.DER) for told in key.revoked],
        allow_fetching=False,
    )
    # The proofs of the stamp stand before it, so that it covers the file to its last byte.
    before = TimestampDSSContentSettings(update_before_ts=True, include_vri=False)
    return {
        "embed_validation_info": True,
        "use_pades_lta": True,
        "validation_context": context,
        "dss_settings": DSSContentSettings(next_ts_settings=before),
    }


def _require_in_force(key: SigningKey, at: datetime) -> None:
    for one in (key.certificate, *key.between, key.authority):
        begins, ends = one.not_valid_before_utc, one.not_valid_after_utc
        if not begins <= at <= ends:
            raise SealError("certificate_expired", begins=begins, ends=ends, at=at)
    issuers = (*key.between, key.authority)
    if any(
        certificates.is_revoked(one, issuers, key.revoked, at=at)
        for one in (key.certificate, *key.between)
    ):
        raise SealError("certificate_revoked", version=key.version)


def _require_unsealed(pdf: bytes) -> None:
    try:
        signed = len(PdfFileReader(BytesIO(pdf)).embedded_signatures)
    # Any exception: bytes that are no PDF fail anywhere in the parser.
    except Exception as error:
        raise SealError("pdf_unreadable") from error
    if signed:
        raise SealError("already_sealed")


def _require_good(
    sealed: bytes, key: SigningKey, level: Level, stamps: pdf_signer.Authority | None
) -> None:
    """Look at what was made as anybody will who is given it."""
    found = verify_pdf(sealed, trust=key.trust, stamps=stamps.trust if stamps else b"")
    failed = [name for name, passed in found.checks if not passed]
    if "time_stamp" in failed:
        raise SealError("timestamp_untrusted", level=level)
    if failed or found.level != level:
        raise SealError("seal_unverified", failed=failed)


def verify_pdf(
    pdf: bytes,
    *,
    trust: bytes,
    at: datetime | None = None,
    stamps: bytes = b"",
    revoked: Sequence[x509.CertificateRevocationList] = (),
) -> SealVerdict:
    """Check `pdf` against the authority whose PEM certificate is `trust`. Never raises on `pdf`.

    `stamps` are the PEM certificates of time-stamp authorities that are trusted, `revoked` lists of
    certificates taken back. `at` is the time the certificates must be valid at; without it, that
    of the time stamp, else the one the seal itself names, so that an old acta outlives its key.
    Must not be called inside a running event loop. Raises SealError("trust_unreadable").
    """
    _refuse_running_loop()
    try:
        anchor = x509.load_pem_x509_certificate(trust)
        trusted = _read(stamps)
    except ValueError as error:
        raise SealError("trust_unreadable") from error
    sha256 = hashlib.sha256(pdf).hexdigest()
    if len(pdf) > SIZE_LIMIT:
        return SealVerdict(sha256)
    try:
        return verdict.find_seal_faults(pdf, anchor, sha256, at=at, stamps=trusted, revoked=revoked)
    # Any exception: hostile bytes fail anywhere in a parser, and all mean the same, not sealed.
    except Exception:  # noqa: BLE001
        return SealVerdict(sha256)


def _read(pem: bytes) -> list[object]:
    """Return the certificates of a PEM file for pyHanko. Raises ValueError."""
    found = x509.load_pem_x509_certificates(pem) if pem.strip() else []
    return [for_pyhanko(one) for one in found]


def _refuse_running_loop() -> None:
    # pyHanko starts a loop of its own; inside another that fails, and a failure to look must
    # not be told as a document that is not sealed.
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("a seal is made and verified in a thread of its own")


def tried(key: SigningKey, *, at: datetime) -> None:
    """Seal an empty page and verify it. Raises SealError when the key cannot, or must not, seal."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.showPage()
    canvas.save()
    sign_pdf(out.getvalue(), key=key, at=at, field_name="Acta", reason="", location="")
