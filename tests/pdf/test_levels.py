"""PAdES with time stamps: B-T and B-LTA by an authority over HTTP, and what it may answer badly."""

import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from asn1crypto import tsp
from pyhanko.pdf_utils.reader import PdfFileReader

from bingo.pdf import SealError, seal
from bingo.pdf.keys import SigningKey
from bingo.pdf.seal import Level
from bingo.pdf.signer import ASKED, Authority, post
from tests.pdf.conftest import NOW
from tests.support.time_stamps import Stamps, answering


@pytest.fixture(scope="module")
def running() -> Iterator[Stamps]:
    with answering() as stamps:
        yield stamps


@pytest.fixture
def stamps(running: Stamps) -> Stamps:
    running.how = "well"
    return running


def made(document: bytes, key: SigningKey, stamps: Authority, level: Level) -> bytes:
    return seal.sign_pdf(
        document, key=key, at=NOW, field_name="Acta", reason="", location="",
        level=level, stamps=stamps,
    )  # fmt: skip


def failed(pdf: bytes, key: SigningKey, stamps: bytes) -> set[str]:
    found = seal.verify_pdf(pdf, trust=key.trust, stamps=stamps)
    return {name for name, passed in found.checks if not passed}


@pytest.mark.slow
@pytest.mark.rule(58)
@pytest.mark.parametrize("level", ["B-T", "B-LTA"])
def test_time_of_a_stamped_seal_is_vouched_for(
    level: Level, document: bytes, key: SigningKey, stamps: Stamps
) -> None:
    sealed = made(document, key, stamps.authority, level)
    found = seal.verify_pdf(sealed, trust=key.trust, stamps=stamps.trust)
    assert found.sealed
    assert (found.level, found.signed_at) == (level, NOW)
    assert found.stamped_at is not None
    assert sealed.startswith(document)
    # Without the authority's certificate nobody vouches for the hour.
    assert "time_stamp" in failed(sealed, key, b"")


def test_plain_seal_asks_nobody(document: bytes, key: SigningKey, stamps: Stamps) -> None:
    before = stamps.asked
    sealed = made(document, key, stamps.authority, "B-B")
    assert (stamps.asked, seal.verify_pdf(sealed, trust=key.trust).level) == (before, "B-B")


@pytest.mark.slow
def test_stamp_of_another_authority_of_the_same_name_is_not_trusted(
    document: bytes, key: SigningKey, stamps: Stamps
) -> None:
    sealed = made(document, key, stamps.authority, "B-T")
    other = Stamps()
    assert other.certificate.subject == stamps.certificate.subject
    assert {"time_stamp", "bottom_line"} <= failed(sealed, key, other.trust)


@pytest.mark.parametrize("level", ["B-T", "B-LTA"])
def test_seal_is_not_made_with_a_stamp_that_nobody_trusts(
    level: Level, document: bytes, key: SigningKey, stamps: Stamps
) -> None:
    distrusted = Authority(stamps.url, Stamps().trust)
    with pytest.raises(SealError, match="timestamp_untrusted"):
        made(document, key, distrusted, level)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("silent", "timestamp_unanswered"),
        ("down", "timestamp_refused"),
        ("page", "timestamp_refused"),
        ("rubbish", "timestamp_refused"),
        ("refuses", "timestamp_refused"),
        ("other", "timestamp_untrusted"),
    ],
)
def test_no_good_answer_makes_no_seal(
    how: str, code: str, document: bytes, key: SigningKey, stamps: Stamps
) -> None:
    stamps.how = how
    with pytest.raises(SealError, match=code):
        made(document, key, stamps.authority, "B-T")


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/", "file:///etc/passwd", "http://", "http://x:y"]
)
def test_address_at_which_nobody_answers_makes_no_seal(
    url: str, document: bytes, key: SigningKey, stamps: Stamps
) -> None:
    with pytest.raises(SealError, match="timestamp_unanswered"):
        made(document, key, Authority(url, stamps.trust), "B-T")


def test_level_above_the_plain_one_needs_an_authority(document: bytes, key: SigningKey) -> None:
    with pytest.raises(SealError, match="timestamp_missing"):
        seal.sign_pdf(
            document, key=key, at=NOW, field_name="A", reason="", location="", level="B-T"
        )


@pytest.mark.slow
@pytest.mark.parametrize("level", ["B-T", "B-LTA"])
def test_stamped_seal_ends_with_its_file(
    level: Level, document: bytes, key: SigningKey, stamps: Stamps
) -> None:
    sealed = made(document, key, stamps.authority, level)
    assert "whole_file" in failed(sealed + b"\n% more", key, stamps.trust)
    # The first end of the file: what stands before the proofs is a plain seal of its own.
    ends = [at for at in range(len(sealed)) if sealed.startswith(b"%%EOF", at)]
    for end in ends[:-1]:
        cut = seal.verify_pdf(sealed[: end + 6], trust=key.trust, stamps=stamps.trust)
        assert not cut.sealed or cut.level != level


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdfsig") is None, reason="poppler-utils is not installed")
@pytest.mark.parametrize("level", ["B-T", "B-LTA"])
def test_another_program_finds_the_stamped_signature_valid(
    level: Level, document: bytes, key: SigningKey, stamps: Stamps, tmp_path: Path
) -> None:
    file = tmp_path / "acta.pdf"
    file.write_bytes(made(document, key, stamps.authority, level))
    told = subprocess.run(["pdfsig", str(file)], capture_output=True, text=True, check=False).stdout
    assert "Signature is Valid." in told
    assert told.count("Total document signed") == 1


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_finds_the_stamp_of_the_seal_good(
    document: bytes, key: SigningKey, stamps: Stamps, tmp_path: Path
) -> None:
    sealed = made(document, key, stamps.authority, "B-T")
    [signature] = PdfFileReader(BytesIO(sealed)).embedded_signatures
    token = signature.signer_info["unsigned_attrs"][0]["values"][0]
    (tmp_path / "stamp.der").write_bytes(token.dump())
    (tmp_path / "signed").write_bytes(signature.signer_info["signature"].native)
    (tmp_path / "ca.pem").write_bytes(stamps.trust)
    assert "Verification: OK" in _ts_verify(tmp_path, "signed", "-token_in")
    (tmp_path / "other").write_bytes(b"another signature")
    assert "Verification: OK" not in _ts_verify(tmp_path, "other", "-token_in")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_query_that_openssl_made_is_answered_as_it_wants(stamps: Stamps, tmp_path: Path) -> None:
    (tmp_path / "signed").write_bytes(b"an acta")
    (tmp_path / "ca.pem").write_bytes(stamps.trust)
    query = ["openssl", "ts", "-query", "-data", "signed", "-sha256", "-cert", "-out", "q"]
    subprocess.run(query, cwd=tmp_path, check=True, capture_output=True)
    answer = post(stamps.authority, (tmp_path / "q").read_bytes())
    assert tsp.TimeStampResp.load(answer)["status"]["status"].native == "granted"
    (tmp_path / "stamp.der").write_bytes(answer)
    assert ASKED.endswith("query")
    assert "Verification: OK" in _ts_verify(tmp_path, "signed")


def _ts_verify(folder: Path, data: str, *more: str) -> str:
    command = ["openssl", "ts", "-verify", "-data", data, "-in", "stamp.der", *more]
    done = subprocess.run(
        [*command, "-CAfile", "ca.pem"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr
