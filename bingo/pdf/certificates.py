"""The hall's certificates: an authority of its own, and the seal it issues for actas."""

from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

# The authority outlives every case an acta may be evidence in; the seal is renewed under it.
AUTHORITY_LIFE = timedelta(days=365 * 30)
SEAL_LIFE = timedelta(days=365 * 10)
# A clock put back after the first run must not leave the hall unable to seal.
CLOCK_SLACK = timedelta(days=1)
COMMON_NAME_LIMIT = 64  # RFC 5280, ub-common-name


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
