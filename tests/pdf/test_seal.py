"""The seal: what it proves, what breaks it, and that nothing hostile gets past it or stops it."""

import asyncio
import hashlib
import random
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pytest
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import SigSeedSubFilter

from bingo.pdf import SealError, keys, seal, verdict
from bingo.pdf.keys import SigningKey
from bingo.pdf.signer import signing

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ALL = {
    "readable",
    "one_signature",
    "intact",
    "trusted",
    "whole_file",
    "unchanged",
    "bottom_line",
}


def failed(pdf: bytes, trust: bytes, at: datetime | None = None) -> set[str]:
    verdict = seal.verify_pdf(pdf, trust=trust, at=at)
    return {name for name, passed in verdict.checks if not passed}


def accepted(pdf: bytes, trust: bytes, journal_sha256: str) -> bool:
    verdict = seal.verify_pdf(pdf, trust=trust)
    return verdict.sealed and verdict.sha256 == journal_sha256


def flipped(pdf: bytes, place: int) -> bytes:
    return pdf[:place] + bytes([pdf[place] ^ 1]) + pdf[place + 1 :]


def signed_elsewhere(pdf: bytes, key: SigningKey, field: str) -> bytes:
    """A signature as another program makes it: no certification, the clock's own time."""
    meta = signers.PdfSignatureMetadata(
        field_name=field, subfilter=SigSeedSubFilter.PADES, md_algorithm="sha256"
    )
    out = BytesIO()
    with signing(key) as signer:
        signers.sign_pdf(IncrementalPdfFileWriter(BytesIO(pdf)), meta, signer=signer, output=out)
    return out.getvalue()


@pytest.mark.rule(58)
def test_seal_of_an_unchanged_document_passes_every_check(sealed: bytes, key: SigningKey) -> None:
    verdict = seal.verify_pdf(sealed, trust=key.trust)
    assert {name for name, _ in verdict.checks} == ALL
    assert verdict.sealed
    assert verdict.signed_at == NOW
    assert "Sala de Bingo" in verdict.signer
    assert verdict.sha256 == hashlib.sha256(sealed).hexdigest()


def test_seal_keeps_the_document_as_it_was(document: bytes, sealed: bytes) -> None:
    assert sealed.startswith(document)


def test_document_without_a_seal_is_not_sealed(document: bytes, key: SigningKey) -> None:
    assert failed(document, key.trust) == ALL - {"readable"}


@pytest.mark.slow
def test_flipped_byte_is_never_accepted_with_the_journal_digest(
    sealed: bytes, key: SigningKey
) -> None:
    sha256 = hashlib.sha256(sealed).hexdigest()
    assert accepted(sealed, key.trust, sha256)
    step = max(1, len(sealed) // 120)
    places = range(0, len(sealed), step)
    assert not [p for p in places if accepted(flipped(sealed, p), key.trust, sha256)]


@pytest.mark.slow
def test_flipped_byte_of_the_signed_pages_breaks_the_seal(
    document: bytes, sealed: bytes, key: SigningKey
) -> None:
    places = range(0, len(document), max(1, len(document) // 60))
    assert not [p for p in places if seal.verify_pdf(flipped(sealed, p), trust=key.trust).sealed]


def test_flipped_padding_passes_the_seal_and_only_the_digest_tells(
    sealed: bytes, key: SigningKey
) -> None:
    padding = sealed.index(b"0" * 64 + b">")
    verdict = seal.verify_pdf(flipped(sealed, padding), trust=key.trust)
    assert verdict.sealed
    assert verdict.sha256 != hashlib.sha256(sealed).hexdigest()


@pytest.mark.slow
def test_every_flipped_byte_is_told(sealed: bytes, key: SigningKey) -> None:
    sha256 = hashlib.sha256(sealed).hexdigest()
    contents = sealed.index(b"/Contents <")
    unseen = set()
    for place in range(len(sealed)):
        verdict = seal.verify_pdf(flipped(sealed, place), trust=key.trust)
        assert verdict.sha256 != sha256
        if verdict.sealed:
            unseen.add(place)
    assert unseen  # the control: without the digest some flips would pass
    assert min(unseen) > contents


def test_bytes_after_the_end_break_the_seal(sealed: bytes, key: SigningKey) -> None:
    assert failed(sealed + b"\n% more", key.trust) == {"whole_file"}


def test_later_revision_breaks_the_seal(sealed: bytes, key: SigningKey) -> None:
    writer: Any = IncrementalPdfFileWriter(BytesIO(sealed))  # typed only in part
    writer.root["/Lang"] = writer.root.get("/Pages")
    writer.update_root()
    out = BytesIO()
    writer.write(out)
    assert {"whole_file", "unchanged"} <= failed(out.getvalue(), key.trust)


def test_second_signature_breaks_the_seal(document: bytes, key: SigningKey) -> None:
    once = signed_elsewhere(document, key, "First")
    twice = signed_elsewhere(once, key, "Second")
    assert "one_signature" in failed(twice, key.trust)
    assert "one_signature" not in failed(once, key.trust)


def test_sealed_document_is_not_sealed_again(sealed: bytes, key: SigningKey) -> None:
    with pytest.raises(SealError) as refused:
        seal.sign_pdf(sealed, key=key, at=NOW, field_name="Again", reason="", location="")
    assert refused.value.code == "already_sealed"


def test_other_authority_of_the_same_name_is_not_trusted(
    sealed: bytes, key: SigningKey, tmp_path: Path
) -> None:
    other = keys.ensure(tmp_path / "seal", hall="Sala de Bingo", now=NOW)
    assert other.authority.subject == key.authority.subject
    assert failed(sealed, other.trust) == {"trusted", "bottom_line"}


def test_forger_with_an_authority_of_the_same_name_is_not_trusted(
    document: bytes, key: SigningKey, tmp_path: Path
) -> None:
    forger = keys.ensure(tmp_path / "seal", hall="Sala de Bingo", now=NOW)
    forged = seal.sign_pdf(document, key=forger, at=NOW, field_name="Acta", reason="", location="")
    assert seal.verify_pdf(forged, trust=forger.trust).sealed
    assert failed(forged, key.trust) == {"trusted", "bottom_line"}


@pytest.fixture
def expired(tmp_path: Path) -> SigningKey:
    return keys.ensure(tmp_path / "old", hall="Sala de Bingo", now=NOW - timedelta(days=4000))


def test_expired_key_does_not_seal(document: bytes, expired: SigningKey) -> None:
    with pytest.raises(SealError) as refused:
        seal.sign_pdf(document, key=expired, at=NOW, field_name="Acta", reason="", location="")
    assert refused.value.code == "certificate_expired"


def test_seal_made_with_an_expired_key_is_not_trusted(document: bytes, expired: SigningKey) -> None:
    forged = signed_elsewhere(document, expired, "Acta")
    assert "trusted" in failed(forged, expired.trust)


def test_old_seal_outlives_its_key_unless_another_time_is_asked_for(
    document: bytes, expired: SigningKey
) -> None:
    then = NOW - timedelta(days=3000)
    old = seal.sign_pdf(document, key=expired, at=then, field_name="Acta", reason="", location="")
    assert failed(old, expired.trust) == set()
    assert failed(old, expired.trust, at=NOW) == {"trusted", "bottom_line"}


@pytest.mark.slow
def test_renewed_key_leaves_old_seals_valid(document: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "seal"
    first = keys.ensure(folder, hall="Sala", now=NOW)
    old = seal.sign_pdf(document, key=first, at=NOW, field_name="Acta", reason="", location="")
    second = keys.renew(folder, version=2, now=NOW)
    new = seal.sign_pdf(document, key=second, at=NOW, field_name="Acta", reason="", location="")
    assert failed(old, second.trust) == failed(new, first.trust) == set()


@pytest.mark.parametrize(
    "hostile",
    [
        b"",
        b"%PDF-",
        b"%PDF-1.7\n%%EOF",
        b"\x00" * 1000,
        b"startxref\n0\n%%EOF",
        b"%PDF-1.7\n" + b"[" * 100_000 + b"\nstartxref\n9\n%%EOF",
        random.Random(1).randbytes(20_000),
        b"%PDF-1.7\n1 0 obj<</Prev 9>>endobj\nstartxref\n9\n%%EOF",
    ],
)
def test_hostile_bytes_are_only_not_sealed(hostile: bytes, key: SigningKey) -> None:
    assert not seal.verify_pdf(hostile, trust=key.trust).sealed


def test_huge_file_is_refused_before_it_is_read(key: SigningKey) -> None:
    huge = b"%PDF-1.7\n" + bytes(verdict.SIZE_LIMIT)
    assert failed(huge, key.trust) == ALL


def test_truncated_file_is_not_sealed(sealed: bytes, key: SigningKey) -> None:
    lengths = range(0, len(sealed), len(sealed) // 40)
    assert not [n for n in lengths if seal.verify_pdf(sealed[:n], trust=key.trust).sealed]


def test_unreadable_trust_is_told(sealed: bytes) -> None:
    with pytest.raises(SealError) as refused:
        seal.verify_pdf(sealed, trust=b"no certificate")
    assert refused.value.code == "trust_unreadable"


def test_unreadable_document_is_not_sealed_in_silence(key: SigningKey) -> None:
    with pytest.raises(SealError) as refused:
        seal.sign_pdf(b"no document", key=key, at=NOW, field_name="Acta", reason="", location="")
    assert refused.value.code == "pdf_unreadable"


async def test_seal_inside_a_running_loop_is_verified_in_a_thread_only(
    sealed: bytes, key: SigningKey
) -> None:
    with pytest.raises(RuntimeError):
        seal.verify_pdf(sealed, trust=key.trust)
    verdict = await asyncio.to_thread(seal.verify_pdf, sealed, trust=key.trust)
    assert verdict.sealed


@pytest.mark.skipif(shutil.which("pdfsig") is None, reason="poppler-utils is not installed")
def test_another_program_finds_the_signature_valid(
    sealed: bytes, document: bytes, tmp_path: Path
) -> None:
    assert "Signature is Valid." in _pdfsig(sealed, tmp_path)
    assert "Total document signed" in _pdfsig(sealed, tmp_path)
    broken = flipped(sealed, document.index(b"stream") + 8)
    assert "Signature is Valid." not in _pdfsig(broken, tmp_path)


def _pdfsig(pdf: bytes, folder: Path) -> str:
    file = folder / "acta.pdf"
    file.write_bytes(pdf)
    done = subprocess.run(["pdfsig", str(file)], capture_output=True, text=True, check=False)
    return done.stdout


def test_another_program_opens_the_sealed_file(sealed: bytes) -> None:
    reader = pypdf.PdfReader(BytesIO(sealed), strict=True)
    assert reader.pages[0].extract_text().strip() == "Acta"
    assert reader.attachments["acta.json"] == [b'{"session":7}']
