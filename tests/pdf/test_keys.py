"""The hall's key: made once whoever asks first, kept private, and plain about what is wrong."""

import multiprocessing
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bingo.pdf import SealError, certificates, keys
from bingo.pdf.keys import VARIABLE, SigningKey

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _no_passphrase_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "seal"


def make(folder: Path) -> SigningKey:
    return keys.ensure(folder, hall="Sala de Bingo", now=NOW)


def code_of(folder: Path) -> str:
    with pytest.raises(SealError) as refused:
        make(folder)
    return refused.value.code


def test_key_is_p256_issued_by_an_authority_named_after_the_hall(folder: Path) -> None:
    key = make(folder)
    name = key.authority.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value
    assert name == "Sala de Bingo"
    assert isinstance(key.private, ec.EllipticCurvePrivateKey)
    assert isinstance(key.private.curve, ec.SECP256R1)
    key.certificate.verify_directly_issued_by(key.authority)
    key.authority.verify_directly_issued_by(key.authority)
    assert (folder / "certificate.pem").read_bytes() == key.trust


def test_key_is_the_same_at_every_later_run(folder: Path) -> None:
    first = make(folder)
    later = keys.ensure(folder, hall="Another name", now=NOW + timedelta(days=900))
    assert later.certificate == first.certificate
    assert later.authority == first.authority


def test_key_files_are_the_owners_alone(folder: Path) -> None:
    make(folder)
    # Passed through, not listed: the certificates in it are public.
    assert stat.S_IMODE(folder.stat().st_mode) == 0o711
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    assert modes.pop("certificate.pem") == 0o644
    assert modes == dict.fromkeys(("authority.p12", "passphrase", "seal.p12"), 0o600)


def test_key_does_not_show_itself(folder: Path) -> None:
    assert "private" not in repr(make(folder))


@pytest.mark.slow
def test_key_is_made_once_by_many_processes_at_the_same_time(folder: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        certificates_seen = set(pool.map(_trust, [folder] * 8, chunksize=1))
    assert len(certificates_seen) == 1
    assert [file.name for file in folder.parent.iterdir()] == ["seal"]


def _trust(folder: Path) -> bytes:
    return make(folder).trust


def test_key_left_half_made_by_a_crash_is_made_anew(folder: Path) -> None:
    half = folder.parent / ".seal-crashed"
    half.mkdir()
    (half / "authority.p12").write_bytes(b"half")
    assert make(folder) == keys.load(folder)


def test_key_opens_with_the_passphrase_of_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "kept elsewhere")
    made = make(folder)
    assert not (folder / "passphrase").exists()
    assert make(folder).certificate == made.certificate
    monkeypatch.setenv(VARIABLE, "another")
    assert code_of(folder) == "passphrase_wrong"
    monkeypatch.delenv(VARIABLE)
    assert code_of(folder) == "passphrase_missing"


def test_key_lost_is_told_and_never_replaced_in_silence(folder: Path) -> None:
    make(folder)
    (folder / "seal.p12").unlink()
    assert code_of(folder) == "key_missing"


def test_key_damaged_is_told(folder: Path) -> None:
    make(folder)
    (folder / "seal.p12").write_bytes(b"\x30\x03\x02\x01\x03")
    assert code_of(folder) == "key_unreadable"


def test_key_in_place_of_which_a_folder_lies_is_told(folder: Path) -> None:
    make(folder)
    (folder / "seal.p12").unlink()
    (folder / "seal.p12").mkdir()
    assert code_of(folder) == "key_unreadable"


def test_key_with_no_place_to_be_kept_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    assert code_of(file / "seal") in {"key_unwritable", "key_unreadable"}


def test_key_renewed_comes_from_the_same_authority(folder: Path) -> None:
    first = make(folder)
    later = keys.renew(folder, version=2, now=NOW + timedelta(days=365 * 9))
    assert later.authority == first.authority
    assert later.certificate != first.certificate
    assert keys.load(folder, 2).certificate == later.certificate
    later.certificate.verify_directly_issued_by(first.authority)


def test_seal_never_outlives_its_authority() -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    authority = certificates.authority(private, hall="Sala", now=NOW)
    late = NOW + certificates.AUTHORITY_LIFE - timedelta(days=1)
    issued = certificates.seal(private.public_key(), issuer=authority, key=private, now=late)
    assert issued.not_valid_after_utc == authority.not_valid_after_utc


def test_authority_takes_a_hall_name_of_any_length() -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    authority = certificates.authority(private, hall="Sala " * 40, now=NOW)
    name = str(authority.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)
    assert len(name) == certificates.COMMON_NAME_LIMIT
