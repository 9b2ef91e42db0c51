"""The keys that seal a hall's actas, by version; the first is issued by the hall's own authority.

A key may also be in a PKCS#11 token that it never leaves: `Token` says where, and the signer asks
the token.
"""

import hashlib
import json
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, pkcs12

from bingo.pdf import SealError, certificates
from bingo.pdf.certificates import Certificates

PIN = "BINGO_SEAL_PIN"


@dataclass(frozen=True, slots=True)
class Token:
    """The key labelled `key` in the token labelled `label`, behind the library `module`."""

    module: str
    label: str
    key: str

    def describe(self, chain: Certificates) -> bytes:
        """Return the token and its certificates, the one that seals first, as the folder keeps them."""
        pem = "".join(one.public_bytes(Encoding.PEM).decode() for one in chain)
        told = {"module": self.module, "token": self.label, "key": self.key, "certificates": pem}
        return json.dumps(told, indent=1).encode()

    @classmethod
    def described(cls, content: bytes) -> "tuple[Token, Certificates]":
        """Read what `describe` wrote. Raises SealError key_unreadable."""
        try:
            told = json.loads(content)
            chain = x509.load_pem_x509_certificates(told["certificates"].encode())
            return cls(told["module"], told["token"], told["key"]), tuple(chain)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SealError("key_unreadable", file="token") from error

    @contextmanager
    def session(self) -> Iterator[Any]:
        """Open the token with the PIN of the environment.

        Raises SealError: pin_missing, pin_wrong, token_missing, library_missing, token_failed.
        """
        # The package loads a native library: only a hall with a token needs it.
        try:
            from pkcs11 import exceptions
            from pyhanko.config.pkcs11 import TokenCriteria
            from pyhanko.sign.pkcs11 import open_pkcs11_session
        except ImportError as error:
            raise SealError("library_missing", module="python-pkcs11") from error
        if not Path(self.module).is_file():
            raise SealError("library_missing", module=self.module)
        pin = os.environ.get(PIN)
        if not pin:
            raise SealError("pin_missing", variable=PIN)
        criteria = TokenCriteria(label=self.label)
        try:
            with open_pkcs11_session(self.module, token_criteria=criteria, user_pin=pin) as opened:
                yield opened
        except exceptions.PinIncorrect as error:
            raise SealError("pin_wrong", token=self.label) from error
        except exceptions.PKCS11Error as error:
            # pyHanko's own sentence, where no slot holds a token of that name.
            code = "token_missing" if "No token" in str(error) else "token_failed"
            raise SealError(code, token=self.label, cause=type(error).__name__) from error
        except (OSError, RuntimeError) as error:
            raise SealError("library_missing", module=self.module) from error

    def certificates(self) -> Certificates:
        """Return the certificates that the token keeps, that of the key first.

        Raises SealError: token_failed when there is none of the key's label, or as `session`.
        """
        from pkcs11 import Attribute, ObjectClass

        with self.session() as opened:
            found = [
                (one[Attribute.LABEL], x509.load_der_x509_certificate(one[Attribute.VALUE]))
                for one in opened.get_objects({Attribute.CLASS: ObjectClass.CERTIFICATE})
            ]
        ours = [one for label, one in found if label == self.key]
        if not ours:
            raise SealError("token_failed", token=self.label, cause="certificate")
        return (ours[0], *(one for _label, one in found if one != ours[0]))


VARIABLE = "BINGO_SEAL_PASSPHRASE"
AUTHORITY, SEAL, CERTIFICATE = "authority.p12", "seal.p12", "certificate.pem"
PASSPHRASE, REVOKED = "passphrase", "revoked.crl"
OPEN = (".pem", ".crl")  # what is public of a key: pages that run as another user read it
PASSED_THROUGH = 0o711  # of the folder: whoever knows a name in it may try to open it

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key, its certificate, the authority it is trusted under and the certificates between them.

    `private` is the key itself, or where a token holds it. `revoked` are the lists that say which
    certificates count no longer.
    """

    private: PrivateKey | Token = field(repr=False, compare=False)
    certificate: x509.Certificate
    authority: x509.Certificate
    between: Certificates = ()
    version: int = 1
    revoked: tuple[x509.CertificateRevocationList, ...] = field(default=(), compare=False)

    @property
    def trust(self) -> bytes:
        """The authority's certificate as PEM: what a verifier is given."""
        return self.authority.public_bytes(Encoding.PEM)

    @property
    def digest(self) -> str:
        """The SHA-256 of the certificate that seals, of its DER, in hex."""
        return hashlib.sha256(self.certificate.public_bytes(Encoding.DER)).hexdigest()


def ensure(folder: Path, *, hall: str, now: datetime) -> SigningKey:
    """Load the first key kept in `folder`, making authority and key first if there is none.

    `now` is aware. The whole folder appears at once by a rename, so of two processes one
    makes the key and both use it, and a crash leaves nothing half made. Raises SealError.
    """
    if not _is_empty(folder):
        return load(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
        try:
            _make(made, hall=hall, now=now)
            made.chmod(PASSED_THROUGH)
        except OSError:
            _remove(made)
            raise
        _put_in_place(made, folder)
    except OSError as error:
        raise SealError("key_unwritable", folder=str(folder), cause=error.strerror) from error
    return load(folder)


def load(folder: Path, version: int = 1) -> SigningKey:
    """The signing key of that version kept in `folder`.

    Raises SealError: key_missing, key_unreadable, passphrase_missing, passphrase_wrong,
    chain_incomplete; of a token only what its file says is read.
    """
    described = folder / token_file(version)
    if version > 1 and described.exists():
        token, found = Token.described(_read(described))
        private: PrivateKey | Token = token
    else:
        name = bundle_file(version)
        private, certificate, others = _open(_read(folder / name), passphrase(folder), name=name)
        found = (certificate, *others)
    between, authority = certificates.chain(found[0], found[1:])
    return SigningKey(private, found[0], authority, between, version, revocations(folder))


def renew(folder: Path, *, version: int, now: datetime) -> SigningKey:
    """Make a key of the next version under the hall's own authority; old actas still verify.

    Nothing seals with it before the journal says so. Raises SealError as `load` does.
    """
    secret = passphrase(folder)
    private, certificate, _ = _open(_read(folder / AUTHORITY), secret, name=AUTHORITY)
    return _put(folder, version, _issued(private, certificate, secret, now=now))


def take_bundle(folder: Path, bundle: bytes, secret: bytes, *, version: int) -> SigningKey:
    """Keep a key that somebody else certified, given as PKCS#12, as the next version.

    Raises SealError: passphrase_wrong, key_unreadable, chain_incomplete, key_unwritable.
    """
    private, certificate, others = _open(bundle, secret, name="PKCS#12")
    between, authority = certificates.chain(certificate, others)
    kept = _bundle(private, certificate, [*between, authority], passphrase(folder))
    return _put(folder, version, kept, authority)


def take_token(
    folder: Path, token: Token, certificate: x509.Certificate, others: Certificates, *, version: int
) -> SigningKey:
    """Point at a key in a PKCS#11 token, as the next version. Raises SealError: chain_incomplete."""
    between, authority = certificates.chain(certificate, others)
    described = token.describe((certificate, *between, authority))
    return _put(folder, version, described, authority, name=token_file(version))


def revoke(folder: Path, *, version: int, at: datetime) -> None:
    """Say in the hall's own list that the key of a version counts no longer from `at` on.

    Raises SealError as `load` does, and not_ours where another authority certified the key.
    """
    name = AUTHORITY
    private, certificate, _ = _open(_read(folder / name), passphrase(folder), name=name)
    found = load(folder, version)
    if found.authority != certificate or not isinstance(private, ec.EllipticCurvePrivateKey):
        raise SealError("not_ours", version=version)
    file = folder / REVOKED
    known = _list(file) if file.exists() else None
    told = certificates.revoked(
        found.certificate, issuer=certificate, key=private, known=known, at=at
    )
    _replace(file, told.public_bytes(Encoding.PEM))


def take_list(folder: Path, content: bytes) -> None:
    """Keep the list of revoked certificates of another authority. Raises SealError key_unreadable."""
    try:
        told = certificates.revocation_list(content)
    except ValueError as error:
        raise SealError("key_unreadable", file="CRL") from error
    issuer = hashlib.sha256(told.issuer.public_bytes()).hexdigest()
    _replace(folder / f"{issuer[:16]}.crl", told.public_bytes(Encoding.PEM))


def trusted(folder: Path) -> tuple[bytes, ...]:
    """The PEM certificates of every authority that certified a key of this hall, its own first."""
    files = sorted(
        folder.glob("certificate*.pem"), key=lambda file: (file.name != CERTIFICATE, file)
    )
    return tuple(_read(file) for file in files)


def revocations(folder: Path) -> tuple[x509.CertificateRevocationList, ...]:
    """The lists of revoked certificates kept in `folder`. Raises SealError key_unreadable."""
    return tuple(_list(file) for file in sorted(folder.glob("*.crl")))


def bundle_file(version: int) -> str:
    """The name of the file that holds the key of a version."""
    return SEAL if version == 1 else f"seal-{version}.p12"


def token_file(version: int) -> str:
    """The name of the file that says which token holds the key of a version."""
    return f"seal-{version}.json"


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


def _put(
    folder: Path,
    version: int,
    content: bytes,
    authority: x509.Certificate | None = None,
    *,
    name: str = "",
) -> SigningKey:
    """Write the file of a version that nothing uses yet, in place of one left by an attempt."""
    for left in (token_file(version), bundle_file(version), f"certificate-{version}.pem"):
        (folder / left).unlink(missing_ok=True)
    if authority is not None:
        _replace(folder / f"certificate-{version}.pem", authority.public_bytes(Encoding.PEM))
    _replace(folder / (name or bundle_file(version)), content)
    return load(folder, version)


def _replace(file: Path, content: bytes) -> None:
    aside = file.with_name(f".{file.name}")
    try:
        aside.unlink(missing_ok=True)
        _write(aside, content)
        aside.replace(file)
        _flush(file.parent)
    except OSError as error:
        aside.unlink(missing_ok=True)
        folder = str(file.parent)
        raise SealError("key_unwritable", folder=folder, cause=error.strerror) from error


def _list(file: Path) -> x509.CertificateRevocationList:
    try:
        return certificates.revocation_list(_read(file))
    except ValueError as error:
        raise SealError("key_unreadable", file=file.name) from error


def _issued(
    authority: PrivateKey, certificate: x509.Certificate, secret: bytes, *, now: datetime
) -> bytes:
    if not isinstance(authority, ec.EllipticCurvePrivateKey):
        raise SealError("key_unreadable", file=AUTHORITY)
    private = ec.generate_private_key(ec.SECP256R1())
    issued = certificates.seal(private.public_key(), issuer=certificate, key=authority, now=now)
    return _bundle(private, issued, [certificate], secret)


def _bundle(
    private: PrivateKey,
    certificate: x509.Certificate,
    chain: list[x509.Certificate],
    secret: bytes,
) -> bytes:
    return pkcs12.serialize_key_and_certificates(
        None, private, certificate, chain, BestAvailableEncryption(secret)
    )


def _open(
    bundle: bytes, secret: bytes, *, name: str
) -> tuple[PrivateKey, x509.Certificate, list[x509.Certificate]]:
    try:
        private, certificate, others = pkcs12.load_key_and_certificates(bundle, secret)
    except ValueError as error:
        code = "passphrase_wrong" if "password" in str(error).lower() else "key_unreadable"
        raise SealError(code, file=name) from error
    if not isinstance(private, PrivateKey) or certificate is None:
        raise SealError("key_unreadable", file=name)
    if private.public_key() != certificate.public_key():
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
        _remove(made)
        # Not empty any more: another process was first, and its key is the hall's.
        if _is_empty(folder):
            raise
    _flush(folder.parent)


def _remove(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()


def _write(file: Path, content: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        if file.name.endswith(OPEN):
            os.fchmod(descriptor, 0o644)
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
