"""The hall's certificates: its own authority, the certificates it issues for seals, and revocation."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from bingo.pdf import SealError

Certificates = tuple[x509.Certificate, ...]

# The authority outlives every case an acta may be evidence in; the seal is renewed under it.
AUTHORITY_LIFE = timedelta(days=365 * 30)
SEAL_LIFE = timedelta(days=365 * 10)
# A clock put back after the first run must not leave the hall unable to seal.
CLOCK_SLACK = timedelta(days=1)
COMMON_NAME_LIMIT = 64  # RFC 5280, ub-common-name
LONGEST_CHAIN = 8


def authority(private: ec.EllipticCurvePrivateKey, *, hall: str, now: datetime) -> x509.Certificate:
    """A certificate signed by its own key, whose common name is the hall's."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hall[:COMMON_NAME_LIMIT])])
    return (
        _builder(name, name, private.public_key(), now=now, until=now + AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(certificates=True), critical=True)
        .sign(private, hashes.SHA256())
    )


def seal(
    public: ec.EllipticCurvePublicKey,
    *,
    issuer: x509.Certificate,
    key: ec.EllipticCurvePrivateKey,
    now: datetime,
) -> x509.Certificate:
    """A certificate for the key that seals actas, issued by the authority `issuer` with its `key`.

    It allows signatures and non-repudiation only, and ends no later than the authority.
    """
    hall = str(issuer.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)
    subject = x509.Name(
        [
            x509.NameAttribute(NameOID.COMMON_NAME, hall),
            x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, "Acta"),
        ]
    )
    until = min(now + SEAL_LIFE, issuer.not_valid_after_utc)
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())
    return (
        _builder(subject, issuer.subject, public, now=now, until=until)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(certificates=False), critical=True)
        .add_extension(identifier, critical=False)
        .sign(key, hashes.SHA256())
    )


def chain(
    certificate: x509.Certificate, others: Iterable[x509.Certificate]
) -> tuple[Certificates, x509.Certificate]:
    """Return the certificates between a certificate and its authority, and the authority itself.

    Raises SealError chain_incomplete when `others` do not lead to one that certified itself.
    """
    left, path = list(others), [certificate]
    while not _issued(path[-1], path[-1]) or len(path) == 1:
        issuer = next((one for one in left if _issued(path[-1], one)), None)
        if issuer is None or len(path) > LONGEST_CHAIN:
            raise SealError("chain_incomplete", issuer=path[-1].issuer.rfc4514_string())
        left.remove(issuer)
        path.append(issuer)
    return tuple(path[1:-1]), path[-1]


def revoked(
    certificate: x509.Certificate,
    *,
    issuer: x509.Certificate,
    key: ec.EllipticCurvePrivateKey,
    known: x509.CertificateRevocationList | None,
    at: datetime,
) -> x509.CertificateRevocationList:
    """A list of the certificates that an authority takes back: those `known`, and one more."""
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(issuer.subject)
        .last_update(at)
        .next_update(issuer.not_valid_after_utc)
    )
    for one in known or ():
        if one.serial_number != certificate.serial_number:
            builder = builder.add_revoked_certificate(one)
    told = x509.RevokedCertificateBuilder().serial_number(certificate.serial_number)
    return builder.add_revoked_certificate(told.revocation_date(at).build()).sign(
        key, hashes.SHA256()
    )


def revocation_list(content: bytes) -> x509.CertificateRevocationList:
    """Read a list of revoked certificates, PEM or DER. Raises ValueError."""
    if content.lstrip().startswith(b"-----"):
        return x509.load_pem_x509_crl(content)
    return x509.load_der_x509_crl(content)


def is_revoked(
    certificate: x509.Certificate,
    issuers: Iterable[x509.Certificate],
    lists: Iterable[x509.CertificateRevocationList],
    *,
    at: datetime,
) -> bool:
    """Return whether a list that one of `issuers` signed takes a certificate back by `at`."""
    ours = [one for one in issuers if _issued(certificate, one)]
    for told in lists:
        found = told.get_revoked_certificate_by_serial_number(certificate.serial_number)
        if found is None or found.revocation_date_utc > at:
            continue
        if any(_signed(told, one) for one in ours):
            return True
    return False


def _signed(told: x509.CertificateRevocationList, issuer: x509.Certificate) -> bool:
    key = issuer.public_key()
    if told.issuer != issuer.subject or not isinstance(
        key, ec.EllipticCurvePublicKey | rsa.RSAPublicKey
    ):
        return False
    return told.is_signature_valid(key)


def _issued(certificate: x509.Certificate, issuer: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    public: ec.EllipticCurvePublicKey,
    *,
    now: datetime,
    until: datetime,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_SLACK)
        .not_valid_after(until)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _usage(*, certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not certificates,
        content_commitment=not certificates,
        key_cert_sign=certificates,
        crl_sign=certificates,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
