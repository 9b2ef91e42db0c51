"""Sealed papers of every level, and what somebody else may do to them with a PDF library."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from io import BytesIO

from asn1crypto import algos, cms, tsp
from cryptography import x509
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers
from pyhanko.sign.timestamps import DummyTimeStamper
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import pdfa, seal
from bingo.pdf.keys import PrivateKey, SigningKey
from bingo.pdf.seal import Level
from bingo.pdf.signer import simple
from draws.record.verifier import seals
from draws.record.verifier.verdicts import Trust, worst
from tests.support.time_stamps import Stamps


def drawn(head: str = "ab" * 32) -> bytes:
    """Return a page that carries the data of an acta, not sealed."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.drawString(100, 700, "Acta")
    said = {"session": 1, "journal_last": 1, "journal_head": head}
    pdfa.embed(
        canvas,
        pdfa.canonical(said),
        description="Dados",
        at=datetime(2026, 11, 21, tzinfo=UTC),
    )
    canvas.save()
    return out.getvalue()


def made(key: SigningKey, stamps: Stamps, level: Level, at: datetime, pdf: bytes = b"") -> bytes:
    """Seal a page as the hall does."""
    return seal.sign_pdf(
        pdf or drawn(), key=key, at=at, field_name="Acta", reason="Acta", location="Sala",
        level=level, stamps=stamps.authority,
    )  # fmt: skip


def signed_again(
    pdf: bytes,
    key: SigningKey,
    *,
    field: str,
    stamper: DummyTimeStamper | None = None,
    at: datetime | None = None,
) -> bytes:
    """Add a signature as any program may, without the hall's own care."""
    assert isinstance(key.private, PrivateKey)
    meta = signers.PdfSignatureMetadata(
        field_name=field, subfilter=fields.SigSeedSubFilter.PADES, md_algorithm="sha256"
    )
    out = BytesIO()
    signer = seal._Signer(meta, signer=simple(key, key.private), timestamper=stamper)
    signer.at = at or datetime.now(UTC)
    signer.sign_pdf(_unbound(pdf), output=out)
    return out.getvalue()


def _unbound(pdf: bytes) -> IncrementalPdfFileWriter:
    """Open a file to be added to, without the word that nothing may be: who forges leaves it out."""
    writer = IncrementalPdfFileWriter(BytesIO(pdf))
    if "/Perms" in writer.root:
        del writer.root["/Perms"]
        writer.update_root()  # type: ignore[no-untyped-call]
    return writer


def stamped_again(pdf: bytes, stamps: Stamps) -> bytes:
    """Add a time stamp of the whole file."""
    out = BytesIO()
    stamper = signers.PdfTimeStamper(stamps.stamper)
    stamper.timestamp_pdf(_unbound(pdf), "sha256", output=out)
    return out.getvalue()


def with_field(pdf: bytes, name: str) -> bytes:
    """Add an empty field for a signature."""
    out = BytesIO()
    writer = _unbound(pdf)
    fields.append_signature_field(writer, fields.SigFieldSpec(name))
    writer.write(out)  # type: ignore[no-untyped-call]
    return out.getvalue()


def with_another_language(pdf: bytes) -> bytes:
    """Append a change that no signature covers."""
    out = BytesIO()
    writer = IncrementalPdfFileWriter(BytesIO(pdf))
    writer.root["/Lang"] = generic.pdf_string("xx")
    writer.update_root()  # type: ignore[no-untyped-call]
    writer.write(out)  # type: ignore[no-untyped-call]
    return out.getvalue()


def without_stamp(pdf: bytes) -> bytes:
    """Cut the time stamp out of the signature, and fill its place with zeros."""
    hole = holes(pdf)[0]
    told = cms.ContentInfo.load(bytes.fromhex(pdf[hole.begins + 1 : hole.ends - 1].decode()))
    (signer,) = told["content"]["signer_infos"]
    signer["unsigned_attrs"] = cms.CMSAttributes([])
    del signer["unsigned_attrs"]
    digits = told.dump(force=True).hex().upper().encode()
    whole = b"<" + digits.ljust(hole.ends - hole.begins - 2, b"0") + b">"
    return bytes(pdf[: hole.begins] + whole + pdf[hole.ends :])


def holes(pdf: bytes) -> list[seals.Hole]:
    """Return where the signatures of a file stand."""
    return [seals._hole(pdf, one) for one in seals.RANGE.finditer(pdf)]


def token(stamper: DummyTimeStamper, content: bytes) -> bytes:
    """Ask an authority for a time stamp of some bytes."""
    request = tsp.TimeStampReq(
        {
            "version": 1,
            "message_imprint": {
                "hash_algorithm": algos.DigestAlgorithm({"algorithm": "sha256"}),
                "hashed_message": hashlib.sha256(content).digest(),
            },
            "cert_req": True,
        }
    )
    return bytes(stamper.request_tsa_response(request)["time_stamp_token"].dump())


def trust(
    key: SigningKey, stamps: Stamps | None, *revoked: x509.CertificateRevocationList
) -> Trust:
    """Return what an inspector wrote down beforehand."""
    authorities = [stamps.certificate] if stamps else []
    return Trust([key.authority], authorities, revoked)


def verdict(pdf: bytes, known: Trust) -> str:
    """Return the verifier's verdict on a file by itself."""
    return worst(seals.judge(pdf, known).checks)


def why(pdf: bytes, known: Trust) -> str:
    """Return the last thing that the verifier says of a file."""
    return seals.judge(pdf, known).checks[-1].words
