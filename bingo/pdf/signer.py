"""What pyHanko signs with: a key of ours, or a token that is asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pyhanko.keys import load_certs_from_pemder_data, load_private_key_from_pemder_data
from pyhanko.sign import signers
from pyhanko_certvalidator.registry import SimpleCertificateStore

from bingo.pdf.keys import PrivateKey, SigningKey
from bingo.pdf.token import Token


@contextmanager
def signing(key: SigningKey) -> Iterator[signers.Signer]:
    """Give the signer of a key while its token, if it lies in one, is open. Raises SealError."""
    if not isinstance(key.private, Token):
        yield simple(key, key.private)
        return
    with key.private.session() as opened:
        # As `Token.session` says: only a hall with a token needs the library.
        from pyhanko.sign.pkcs11 import PKCS11Signer

        yield PKCS11Signer(
            opened,
            signing_cert=for_pyhanko(key.certificate),
            ca_chain=[for_pyhanko(one) for one in (*key.between, key.authority)],
            key_label=key.private.key,
            # Tokens such as SoftHSM do not hash before ECDSA by themselves.
            use_raw_mechanism=True,
        )


def simple(key: SigningKey, private: PrivateKey) -> signers.SimpleSigner:
    """Give the signer of a key that is here."""
    content = private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    chain = SimpleCertificateStore()  # type: ignore[no-untyped-call]
    for one in (*key.between, key.authority):
        chain.register(for_pyhanko(one))
    return signers.SimpleSigner(
        signing_cert=for_pyhanko(key.certificate),
        signing_key=load_private_key_from_pemder_data(content, passphrase=None),
        cert_registry=chain,
    )


def for_pyhanko(certificate: x509.Certificate) -> Any:
    """Give a certificate in pyHanko's own form."""
    der = certificate.public_bytes(Encoding.DER)
    return next(iter(load_certs_from_pemder_data(der)))
