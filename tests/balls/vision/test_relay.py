"""A camera is asked at the address that was judged, and whatever it answers nothing else is."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from bingo.rules.refusal import Refusal
from draws.balls.vision import sources
from draws.balls.vision.live_camera import Live
from tests.support.machines import NEAR, machine
from tests.support.network_camera import NetworkCamera

USUAL = "RTSP/1.0 200 OK\r\nCSeq: {seq}\r\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY\r\n\r\n"
MOVED = "RTSP/1.0 302 Moved\r\nCSeq: {seq}\r\nLocation: {to}\r\n\r\n"
# As the video library reads it, and nobody else: a status of 302, after a line of its own.
TWISTED = "RTSP/1.0\t4294967598 OK\r\nCSeq: {seq}\r\nLo\rcation: {to}\r\n\r\n"
# Run behind the wall: what is open goes on, in every thread, and nothing else is opened.
BEHIND = """
import socket, sys, threading
from draws.balls.vision import live_camera as wall
there = ("127.0.0.1", int(sys.argv[1]))
known, go = socket.create_connection(there), threading.Event()

def connect():
    go.wait()
    try:
        socket.create_connection(there)
        print("connected")
    except PermissionError:
        print("refused")

thread = threading.Thread(target=connect)
thread.start()
wall.put_up()
known.sendall(b"x")
print("sent")
go.set()
thread.join()
connect()
"""


@contextmanager
def heard(method: str, answer: str, *, to: str = "") -> Iterator[tuple[str, list[bytes]]]:
    """A camera that gives this answer to that method: its address, and all it was asked."""
    asked: list[bytes] = []

    def converse(client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            while words := client.recv(4096):
                asked.append(words)
                seq = re.search(rb"CSeq: (\d+)", words)
                form = answer if words.startswith(method.encode()) else USUAL
                client.sendall(form.format(seq=seq[1].decode() if seq else "0", to=to).encode())

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_each, args=(listener, converse), daemon=True).start()
        yield f"rtsp://127.0.0.1:{listener.getsockname()[1]}/exit", asked


def _each(listener: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    with contextlib.suppress(OSError):
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


@contextmanager
def inner() -> Iterator[tuple[str, list[socket.socket]]]:
    """What nobody may be sent to: its address, and who came."""
    came: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_each, args=(listener, came.append), daemon=True).start()
        yield f"rtsp://127.0.0.1:{listener.getsockname()[1]}/secret", came


@contextmanager
def tls(camera: NetworkCamera, folder: Path) -> Iterator[str]:
    """A camera behind TLS that it has signed itself: its address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_signed_by_itself(folder))
    port = urlsplit(camera.url).port

    def serve(client: socket.socket) -> None:
        with (
            contextlib.suppress(OSError),
            context.wrap_socket(client, server_side=True) as outer,
            socket.create_connection(("127.0.0.1", port)) as plain,
        ):
            threading.Thread(target=_pour, args=(outer, plain), daemon=True).start()
            _pour(plain, outer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_each, args=(listener, serve), daemon=True).start()
        yield f"rtsps://127.0.0.1:{listener.getsockname()[1]}/draw"


def _pour(source: socket.socket, into: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while words := source.recv(65_536):
            into.sendall(words)


def _signed_by_itself(folder: Path) -> Path:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "camera")])
    built = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now).not_valid_after(now + timedelta(days=1))
    )  # fmt: skip
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    file = folder / "camera.pem"
    file.write_bytes(
        key.private_bytes(pem, form, serialization.NoEncryption())
        + built.sign(key, hashes.SHA256()).public_bytes(pem)
    )
    return file


def ended(url: str) -> Refusal:
    until = time.monotonic() + 20
    with Live(sources.camera(url, loopback=True)) as live:
        while time.monotonic() < until:
            try:
                live.read(0.2)
            except Refusal as refusal:
                return refusal
    raise AssertionError("it was never told")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["OPTIONS", "DESCRIBE"])
def test_camera_that_sends_on_is_refused_and_not_followed(method: str) -> None:
    with inner() as (secret, came), heard(method, MOVED, to=secret) as (url, _asked):
        assert ended(url) == Refusal("camera_sends_on", address=url)
        assert came == []


@pytest.mark.slow
@pytest.mark.parametrize("method", ["OPTIONS", "DESCRIBE"])
def test_answer_that_only_the_library_takes_for_sending_on_is_not_followed(method: str) -> None:
    with inner() as (secret, came), heard(method, TWISTED, to=secret) as (url, _asked):
        assert ended(url) == Refusal("not_a_camera", address=url)
        assert came == []


@pytest.mark.slow
def test_name_and_password_reach_the_camera_through_the_relay() -> None:
    denied = "RTSP/1.0 401 No\r\nCSeq: {seq}\r\nWWW-Authenticate: Basic realm=x\r\n\r\n"
    with heard("DESCRIBE", denied) as (url, asked):
        address = url.replace("//", "//eye:se%40cret@")
        assert ended(address) == Refusal("not_a_camera", address=url)
    login = b64encode(b"eye:se@cret")
    assert any(b"Authorization: Basic " + login in one for one in asked)


@pytest.mark.slow
def test_network_camera_that_speaks_tls_is_read_too(tmp_path: Path) -> None:
    with NetworkCamera(machine(size=NEAR).still(60)) as camera, tls(camera, tmp_path) as url:
        with Live(sources.camera(url, loopback=True)) as live:
            until = time.monotonic() + 15
            while (frame := live.read(0.2)) is None:
                assert time.monotonic() < until
        assert frame.picture.shape == (240, 320, 3)


@pytest.mark.slow
def test_process_behind_the_wall_keeps_its_connections_and_opens_no_other() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        told = subprocess.run(
            [sys.executable, "-c", BEHIND, str(listener.getsockname()[1])],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    assert told.stdout.split() == ["sent", "refused", "refused"]
