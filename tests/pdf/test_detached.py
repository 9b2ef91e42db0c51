"""Files signed by every kind of key that seals, and found good by openssl too."""

from __future__ import annotations

import shutil
import subprocess
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from bingo.pdf import SealError, certificates, keys, verdict
from bingo.pdf.keys import SigningKey
from tests.support import softhsm

NOW = datetime.now(UTC).replace(microsecond=0)
CONTENT = b'{"hall": "sala"}\n'
KINDS = ("own", "rsa", "between", "token")
Signed = tuple[bytes, bytes, bytes]  # signature, seal, trust


def issued(
    name: str, public: Any, *, issuer: x509.Certificate | None, by: Any, authority: bool
) -> x509.Certificate:
    """Return a certificate as somebody else's authority issues it."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=1))
        .not_valid_after(NOW + timedelta(days=900))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .sign(by, hashes.SHA256())
    )


def made(kind: str, folder: Path) -> SigningKey:
    """Return a key of a kind."""
    if kind == "own":
        return keys.ensure(folder / "seal", hall="Sala", now=NOW)
    root = ec.generate_private_key(ec.SECP256R1())
    top = certificates.authority(root, hall="CA", now=NOW)
    if kind == "token":
        token = softhsm.make(
            folder, lambda public: certificates.seal(public, issuer=top, key=root, now=NOW)
        )
        own = x509.load_pem_x509_certificate((folder / "own.pem").read_bytes())
        return SigningKey(token, own, top, version=2)
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    if kind == "rsa":
        own = issued("Selo", private.public_key(), issuer=top, by=root, authority=False)
        return SigningKey(private, own, top, version=2)
    middle = ec.generate_private_key(ec.SECP256R1())
    # The authority of a hall issues no further ones: this is another's.
    root_of = issued("CA", root.public_key(), issuer=None, by=root, authority=True)
    between = issued("Sub", middle.public_key(), issuer=root_of, by=root, authority=True)
    own = issued("Selo", private.public_key(), issuer=between, by=middle, authority=False)
    return SigningKey(private, own, root_of, (between,), version=2)


def by(kind: str, folder: Path) -> Signed:
    """Sign with a key of a kind."""
    key = made(kind, folder)
    return verdict.sign_detached(CONTENT, key=key), verdict.pem(key), key.trust


@pytest.fixture(scope="module", params=KINDS)
def signed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Signed:
    folder = tmp_path_factory.mktemp(request.param)
    if request.param != "token":
        return by(request.param, folder)
    softhsm.demand()
    # The library keeps to the first token that a process shows it.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(by, "token", folder).result()


@pytest.mark.slow
def test_file_is_signed_by_every_kind_of_key(signed: Signed) -> None:
    signature, seal, trust = signed
    verdict.verify_detached(CONTENT, signature, seal=seal, trust=trust)
    for content, told, certificate in (
        (CONTENT + b" ", signature, seal),
        (CONTENT, signature[:-1] + bytes([signature[-1] ^ 1]), seal),
        (CONTENT, b"", seal),
        (CONTENT, signature, trust),
    ):
        with pytest.raises(SealError, match="signature_wrong"):
            verdict.verify_detached(content, told, seal=certificate, trust=trust)


@pytest.mark.slow
def test_another_authority_of_the_same_name_is_refused(signed: Signed) -> None:
    signature, seal, trust = signed
    subject = x509.load_pem_x509_certificate(trust).subject
    private = ec.generate_private_key(ec.SECP256R1())
    name = subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value
    other = certificates.authority(private, hall=str(name), now=NOW)
    assert other.subject == subject
    with pytest.raises(SealError, match="signature_wrong"):
        verdict.verify_detached(
            CONTENT, signature, seal=seal, trust=SigningKey(private, other, other).trust
        )


def test_key_that_seals_issues_no_other(tmp_path: Path) -> None:
    """Whoever has a seal of the hall could otherwise make more of them."""
    hall = made("own", tmp_path)
    forger = ec.generate_private_key(ec.SECP256R1())
    forged = issued("Selo", forger.public_key(), issuer=hall.certificate, by=hall.private, authority=False)  # fmt: skip
    key = SigningKey(forger, forged, hall.authority, (hall.certificate,))
    signature = verdict.sign_detached(CONTENT, key=key)
    with pytest.raises(SealError, match="signature_wrong"):
        verdict.verify_detached(CONTENT, signature, seal=verdict.pem(key), trust=hall.trust)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_finds_it_good(signed: Signed, tmp_path: Path) -> None:
    signature, seal, trust = signed
    files = {"m": CONTENT, "s": signature, "seal.pem": seal, "ca.pem": trust}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    for command in (
        "openssl verify -CAfile ca.pem -untrusted seal.pem seal.pem",
        "openssl x509 -in seal.pem -pubkey -noout -out key.pem",
        "openssl dgst -sha256 -verify key.pem -signature s m",
    ):
        done = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
