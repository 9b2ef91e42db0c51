"""A time-stamp authority that answers over HTTP on this machine, well or badly."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from asn1crypto import keys, tsp
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps import DummyTimeStamper

from bingo.pdf.signer import ANSWERED, Authority, for_pyhanko

STARTED = datetime.now(UTC) - timedelta(days=4000)


class Stamps:
    """An authority with its own key; `how` it answers may be changed while it runs."""

    def __init__(
        self, usage: x509.ObjectIdentifier | None = ExtendedKeyUsageOID.TIME_STAMPING
    ) -> None:
        private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.certificate = _certificate(private, usage)
        content = private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        self.stamper = DummyTimeStamper(
            for_pyhanko(self.certificate), keys.PrivateKeyInfo.load(content)
        )
        self.how = "well"
        self.asked = 0
        self.reached = threading.Event()
        self.go_on = threading.Event()
        self.url = ""

    @property
    def trust(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def authority(self) -> Authority:
        return Authority(self.url, self.trust, patience=2.0)

    def answer(self, query: bytes) -> tuple[int, str, bytes]:
        self.asked += 1
        if self.how == "held":
            self.reached.set()
            self.go_on.wait(30)
        if self.how == "silent":
            self.go_on.wait(5)
        if self.how == "down":
            return 503, "text/plain", b"closed"
        if self.how == "page":
            return 200, "text/html", b"<p>Log in first"
        if self.how == "rubbish":
            return 200, ANSWERED, b"\x30\x03\x02\x01\x03"
        if self.how == "refuses":
            return 200, ANSWERED, bytes.fromhex("30053003020102")  # rejection, without a token
        if self.how == "other":
            query = _of_another_document(query)
        request = tsp.TimeStampReq.load(query)
        return 200, ANSWERED, self.stamper.request_tsa_response(request).dump()


def _of_another_document(query: bytes) -> bytes:
    request = tsp.TimeStampReq.load(query)
    request["message_imprint"]["hashed_message"] = bytes(32)
    return bytes(request.dump(force=True))


def _certificate(
    private: rsa.RSAPrivateKey, usage: x509.ObjectIdentifier | None
) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Hora de ensaio")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(STARTED)
        .not_valid_after(STARTED + timedelta(days=9000))
    )
    if usage is not None:
        made = made.add_extension(x509.ExtendedKeyUsage([usage]), critical=True)
    return made.sign(private, hashes.SHA256())


@contextmanager
def answering() -> Iterator[Stamps]:
    """A running authority."""
    stamps = Stamps()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = self.rfile.read(int(self.headers["Content-Length"]))
            status, kind, content = stamps.answer(query)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stamps.url = f"http://127.0.0.1:{server.server_address[1]}/tsr"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield stamps
    finally:
        stamps.go_on.set()
        server.shutdown()
        server.server_close()
