"""The signers that pyHanko uses: a key of ours, a PKCS#11 token, a time-stamp authority (RFC 3161)."""

import asyncio
import http.client
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from asn1crypto import tsp
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pyhanko.keys import load_certs_from_pemder_data, load_private_key_from_pemder_data
from pyhanko.sign import signers
from pyhanko.sign.timestamps import TimeStamper
from pyhanko_certvalidator.registry import SimpleCertificateStore

from bingo.pdf import SealError
from bingo.pdf.keys import PrivateKey, SigningKey, Token


@contextmanager
def signing(key: SigningKey) -> Iterator[signers.Signer]:
    """Return the signer of a key while its token, if it lies in one, is open. Raises SealError."""
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
    """Return the signer of a key that is here."""
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
    """Return a certificate in pyHanko's own form."""
    der = certificate.public_bytes(Encoding.DER)
    return next(iter(load_certs_from_pemder_data(der)))


PATIENCE = 10.0  # seconds for each of two answers
LARGEST = 256 * 1024  # bytes; a token with its certificates is some 6 KB
ASKED, ANSWERED = "application/timestamp-query", "application/timestamp-reply"


@dataclass(frozen=True, slots=True)
class Authority:
    """Where a time-stamp authority answers, and the PEM certificates its stamps are trusted under."""

    url: str
    trust: bytes
    patience: float = PATIENCE


class Asking(TimeStamper):
    """Asks an authority; its answer is checked by pyHanko and once more in the sealed document."""

    def __init__(self, authority: Authority) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.authority = authority

    async def async_request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
        """Return the answer. Raises SealError: timestamp_unanswered, timestamp_refused."""
        content = await asyncio.to_thread(post, self.authority, req.dump())
        try:
            answer = tsp.TimeStampResp.load(content, strict=True)
            # It is read where it is asked: a refusal carries no token.
            _ = answer["time_stamp_token"]["content"]["encap_content_info"]
            return answer
        except (ValueError, TypeError) as error:
            raise SealError("timestamp_refused", url=self.authority.url) from error


def post(authority: Authority, query: bytes) -> bytes:
    """Send a query and give the answer's bytes. Raises SealError: timestamp_unanswered, timestamp_refused."""
    address = urlsplit(authority.url)
    path = f"{address.path or '/'}{'?' + address.query if address.query else ''}"
    try:
        link = _link(authority)
        try:
            link.request("POST", path, query, {"Content-Type": ASKED, "Accept": ANSWERED})
            answer = link.getresponse()
            content = answer.read(LARGEST + 1)
        finally:
            link.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = type(error).__name__
        raise SealError("timestamp_unanswered", url=authority.url, cause=cause) from error
    kind = (answer.getheader("Content-Type") or "").partition(";")[0].strip().lower()
    if answer.status != 200 or kind != ANSWERED or len(content) > LARGEST:
        raise SealError("timestamp_refused", url=authority.url)
    return content


def _link(authority: Authority) -> http.client.HTTPConnection:
    address = urlsplit(authority.url)
    host, port = address.hostname or "", address.port
    if address.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, timeout=authority.patience, context=context)
    if address.scheme == "http" and host:
        return http.client.HTTPConnection(host, port, timeout=authority.patience)
    raise ValueError(authority.url)
