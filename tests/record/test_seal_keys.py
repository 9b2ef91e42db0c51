"""The key that seals changes without a gap: renewed, taken from a file, in a token, taken back."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from bingo.pdf import SealError, certificates, keys, seal
from bingo.pdf.keys import PIN
from draws.models import Acta
from draws.record import seal_queries, sealing
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Session
from tests.support import softhsm
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db

SECRET = b"outra"


@pytest.fixture
def evening(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    for name in (PIN, "SOFTHSM2_CONF"):
        monkeypatch.setenv(name, "")
    settings.KEYS_DIR = tmp_path / "keys"
    return Evening().reach("session")


def close(evening: Evening) -> Session:
    return evening.close()


def another_authority() -> tuple[Any, x509.Certificate]:
    private = ec.generate_private_key(ec.SECP256R1())
    return private, certificates.authority(private, hall="CA", now=timezone.now())


def bundle(now: Any = None) -> bytes:
    private, authority = another_authority()
    own = ec.generate_private_key(ec.SECP256R1())
    at = now or timezone.now()
    issued = certificates.seal(own.public_key(), issuer=authority, key=private, now=at)
    return pkcs12.serialize_key_and_certificates(
        None, own, issued, [authority], BestAvailableEncryption(SECRET)
    )


def sealed_well(acta: Acta, hall: Hall) -> None:
    key = seal_queries.signing_key(hall, at=timezone.now())
    assert seal.verify_pdf(bytes(acta.pdf), trust=key.trust).sealed
    assert (acta.key, acta.entry.data.get("key", 1)) == (key.version, key.version)
    assert audit(Hall.objects.get(pk=hall.pk)) == []


@pytest.mark.slow
@pytest.mark.rule(58)
def test_renewed_key_seals_from_then_on_and_older_seals_verify(evening: Evening) -> None:
    first = sealing.seal_acta(session=close(evening), at=timezone.now())
    assert "key" not in first.entry.data
    hall = evening.hall
    entry = sealing.renew(hall=hall, at=timezone.now())
    assert (entry.data["key"], entry.data["how"]) == (2, "renewed")
    evening.stage = 0
    evening.reach("session")
    second = sealing.seal_acta(session=close(evening), at=timezone.now())
    sealed_well(second, hall)
    assert seal.verify_pdf(bytes(first.pdf), trust=second.certificate.encode()).sealed


@pytest.mark.slow
def test_key_from_a_file_seals_under_its_own_authority(evening: Evening) -> None:
    with pytest.raises(SealError, match="passphrase_wrong"):
        sealing.take_bundle(hall=evening.hall, bundle=bundle(), secret=b"x", at=timezone.now())
    entry = sealing.take_bundle(
        hall=evening.hall, bundle=bundle(), secret=SECRET, at=timezone.now()
    )
    assert entry.data["how"] == "pkcs12"
    sealed_well(sealing.seal_acta(session=close(evening), at=timezone.now()), evening.hall)


def test_key_that_cannot_seal_changes_nothing(evening: Evening) -> None:
    expired = bundle(timezone.now() - timedelta(days=5000))
    with pytest.raises(SealError, match="certificate_expired"):
        sealing.take_bundle(hall=evening.hall, bundle=expired, secret=SECRET, at=timezone.now())
    assert not JournalEntry.objects.filter(kind="seal_key_changed").exists()
    assert seal_queries.signing_key(evening.hall, at=timezone.now()).version == 1


@pytest.mark.slow
def test_key_taken_back_seals_no_more_but_what_it_sealed_stands(evening: Evening) -> None:
    first = sealing.seal_acta(session=close(evening), at=timezone.now())
    hall = evening.hall
    stolen = seal_queries.signing_key(hall, at=timezone.now())
    # Certificates and seals tell whole seconds: what is taken back in the same one is taken back.
    sealing.revoke(hall=hall, at=timezone.now() + timedelta(seconds=2))
    after = seal_queries.signing_key(hall, at=timezone.now())
    assert after.version == 2
    lists = keys.revocations(seal_queries.folder(hall))
    assert seal.verify_pdf(bytes(first.pdf), trust=after.trust, revoked=lists).sealed
    held = keys.load(seal_queries.folder(hall), 1)
    assert held.certificate == stolen.certificate
    with pytest.raises(SealError, match="certificate_revoked"):
        seal.sign_pdf(
            b"", key=held, at=timezone.now() + timedelta(minutes=1), field_name="A", reason="",
            location="",
        )  # fmt: skip


@pytest.mark.slow
def test_key_in_a_token_seals_and_its_failures_are_told(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, (private, authority) = evening.hall, another_authority()

    def certify(public: ec.EllipticCurvePublicKey) -> x509.Certificate:
        return certificates.seal(public, issuer=authority, key=private, now=timezone.now())

    token = softhsm.make(tmp_path, certify)
    own = x509.load_pem_x509_certificate((tmp_path / "own.pem").read_bytes())
    sealing.take_token(hall=hall, token=token, certificates=(own, authority), at=timezone.now())
    session = close(evening)
    pin = os.environ[PIN]
    for wrong, code in (("", "pin_missing"), ("0000", "pin_wrong")):
        monkeypatch.setenv(PIN, wrong)
        with pytest.raises(SealError, match=code):
            sealing.seal_acta(session=session, at=timezone.now())
    monkeypatch.setenv(PIN, pin)
    sealed_well(sealing.seal_acta(session=session, at=timezone.now()), hall)
    gone = type(token)(token.module, "outro", token.key)
    with pytest.raises(SealError, match="token_missing"), gone.session():
        pass
    away = type(token)("/nonexistent.so", token.label, token.key)
    with pytest.raises(SealError, match="library_missing"), away.session():
        pass


@pytest.mark.slow
def test_key_put_in_place_of_the_recorded_one_does_not_seal(
    evening: Evening, tmp_path: Path
) -> None:
    hall = evening.hall
    sealing.renew(hall=hall, at=timezone.now())
    other = keys.ensure(tmp_path / "other", hall=hall.name, now=timezone.now())
    assert other.version == 1
    folder = seal_queries.folder(hall)
    for name, to in (("seal.p12", "seal-2.p12"), ("passphrase", "passphrase")):
        (folder / to).write_bytes((tmp_path / "other" / name).read_bytes())
    with pytest.raises(SealError, match="key_swapped"):
        seal_queries.signing_key(hall, at=timezone.now())


@pytest.mark.slow
def test_command_shows_renews_and_refuses(evening: Evening, tmp_path: Path) -> None:
    call_command("seal_keys")
    call_command("seal_keys", "--renew", "--json")
    assert JournalEntry.objects.filter(kind="seal_key_changed").count() == 1
    file = tmp_path / "other.p12"
    file.write_bytes(b"nothing")
    with pytest.raises(CommandError, match=r"^key_unreadable: The key files"):
        call_command("seal_keys", "--pkcs12", str(file))
    with pytest.raises(CommandError):
        call_command("seal_keys", "--pkcs12", str(tmp_path / "none"))
