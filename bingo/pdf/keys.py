"""The hall's own certificate authority and the key that seals its actas, made at first run."""

import os
import secrets
import tempfile
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12

from bingo.pdf import certificates

VARIABLE = "BINGO_SEAL_PASSPHRASE"
AUTHORITY, SEAL, CERTIFICATE, PASSPHRASE = (
    "authority.p12",
    "seal.p12",
    "certificate.pem",
    "passphrase",
)


class SealError(Exception):
    """Why a key could not be used or a document could not be sealed: a code and its values."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code, values)
        self.code = code
        self.values = values


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A P-256 key, its certificate, and the hall's authority that issued it."""

    private: ec.EllipticCurvePrivateKey = field(repr=False, compare=False)
    certificate: x509.Certificate
    authority: x509.Certificate

    @property
    def trust(self) -> bytes:
        """The authority's certificate as PEM: what a verifier is given."""
        return self.authority.public_bytes(Encoding.PEM)


def ensure(folder: Path, *, hall: str, now: datetime) -> SigningKey:
    """Load the key kept in `folder`, making authority and key first if there is none.

    `now` is aware. The whole folder appears at once by a rename, so of two processes one
    makes the key and both use it, and a crash leaves nothing half made. Raises SealError.
    """
    if not _is_empty(folder):
        return load(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
        _make(made, hall=hall, now=now)
        _put_in_place(made, folder)
    except OSError as error:
        raise SealError("key_unwritable", folder=str(folder), cause=error.strerror) from error
    return load(folder)


def load(folder: Path) -> SigningKey:
    """The signing key kept in `folder`.

    Raises SealError: key_missing, key_unreadable, passphrase_missing, passphrase_wrong.
    """
    bundle = _read(folder / SEAL)
    private, certificate, others = _open(bundle, passphrase(folder), name=SEAL)
    if not others:
        raise SealError("key_unreadable", file=SEAL)
    return SigningKey(private, certificate, others[0])


def renew(folder: Path, *, now: datetime) -> SigningKey:
    """Replace the signing key by a new one under the same authority; old actas still verify.

    Raises SealError as `load` does.
    """
    secret = passphrase(folder)
    private, certificate, _ = _open(_read(folder / AUTHORITY), secret, name=AUTHORITY)
    replacement = folder / f".{SEAL}"
    replacement.unlink(missing_ok=True)
    _write(replacement, _issued(private, certificate, secret, now=now))
    replacement.replace(folder / SEAL)
    _flush(folder)
    return load(folder)


def passphrase(folder: Path) -> bytes:
    """The secret of the key files: the environment's, else the one kept beside them."""
    given = os.environ.get(VARIABLE)
    if given:
        return given.encode()
    try:
        return (folder / PASSPHRASE).read_bytes().strip()
    except FileNotFoundError as error:
        raise SealError("passphrase_missing", variable=VARIABLE) from error
    except OSError as error:
        raise SealError("key_unreadable", file=PASSPHRASE) from error


def _make(folder: Path, *, hall: str, now: datetime) -> None:
    if not os.environ.get(VARIABLE):
        _write(folder / PASSPHRASE, secrets.token_urlsafe(32).encode() + b"\n")
    secret = passphrase(folder)
    private = ec.generate_private_key(ec.SECP256R1())
    certificate = certificates.authority(private, hall=hall, now=now)
    _write(folder / AUTHORITY, _bundle(private, certificate, [], secret))
    _write(folder / SEAL, _issued(private, certificate, secret, now=now))
    _write(folder / CERTIFICATE, certificate.public_bytes(Encoding.PEM))
    _flush(folder)


def _issued(
    authority: ec.EllipticCurvePrivateKey,
    certificate: x509.Certificate,
    secret: bytes,
    *,
    now: datetime,
) -> bytes:
    private = ec.generate_private_key(ec.SECP256R1())
    issued = certificates.seal(private.public_key(), issuer=certificate, key=authority, now=now)
    return _bundle(private, issued, [certificate], secret)


def _bundle(
    private: ec.EllipticCurvePrivateKey,
    certificate: x509.Certificate,
    chain: list[x509.Certificate],
    secret: bytes,
) -> bytes:
    return pkcs12.serialize_key_and_certificates(
        None, private, certificate, chain, BestAvailableEncryption(secret)
    )


def _open(
    bundle: bytes, secret: bytes, *, name: str
) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate, list[x509.Certificate]]:
    try:
        private, certificate, others = pkcs12.load_key_and_certificates(bundle, secret)
    except ValueError as error:
        code = "passphrase_wrong" if "password" in str(error).lower() else "key_unreadable"
        raise SealError(code, file=name) from error
    if not isinstance(private, ec.EllipticCurvePrivateKey) or certificate is None:
        raise SealError("key_unreadable", file=name)
    return private, certificate, others


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError as error:
        raise SealError("key_missing", file=file.name, folder=str(file.parent)) from error
    except OSError as error:
        raise SealError("key_unreadable", file=file.name) from error


def _is_empty(folder: Path) -> bool:
    try:
        return not any(folder.iterdir())
    except FileNotFoundError:
        return True
    except OSError as error:
        raise SealError("key_unreadable", folder=str(folder)) from error


def _put_in_place(made: Path, folder: Path) -> None:
    try:
        made.rename(folder)
    except OSError:
        for file in made.iterdir():
            file.unlink()
        made.rmdir()
        # Not empty any more: another process was first, and its key is the hall's.
        if _is_empty(folder):
            raise
    _flush(folder.parent)


def _write(file: Path, content: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())


def _flush(folder: Path) -> None:
    # A sealed acta must not outlive, through a power cut, the key that verifies it.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
