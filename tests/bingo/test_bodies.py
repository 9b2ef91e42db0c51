"""The bound on what a request carries, held by the real server against senders who lie."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.database import FreshDatabase

ROOT = Path(__file__).resolve().parents[2]
MEBIBYTE = 1024 * 1024
TAKE_IN = "/cards/series/take-in/do/take-in/"
BLOCK = b"x" * 65_536


@dataclass(frozen=True, slots=True)
class Server:
    """The page server: its port and process."""

    port: int
    process: subprocess.Popen[bytes]

    def files(self) -> list[str]:
        """The temporary files that it holds open itself, also those without a name."""
        found = []
        for link in Path(f"/proc/{self.process.pid}/fd").iterdir():
            try:
                target = str(link.readlink())
            except OSError:
                continue
            own = int(link.name) > 2  # the others are the test's output
            if own and "(deleted)" in target and "/memfd:" not in target:
                found.append(target)
        return found


@pytest.fixture
def server(fresh_database: FreshDatabase, tmp_path: Path) -> Iterator[Server]:
    """A page server of the test's own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    environment = {
        **os.environ, "DATABASE_URL": fresh_database.url, "BINGO_DATA": str(tmp_path / "data"),
        "SECRET_KEY": "for this test alone",
    }  # fmt: skip
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"]
    subprocess.run(collect, cwd=ROOT, env=environment, check=True)
    command = [sys.executable, "-m", "uvicorn", "bingo.asgi:application", "--port", str(port),
               "--no-access-log", "--lifespan", "off", "--log-level", "warning"]  # fmt: skip
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        until = time.monotonic() + 30
        while b" 200 " not in answered(port, request("GET", "/login/")).split(b"\r\n")[0]:
            assert time.monotonic() < until
            time.sleep(0.1)
        yield Server(port, process)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=15)


def request(method: str, path: str, *headers: str) -> bytes:
    """The head of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def answered(port: int, head: bytes, body: bytes = b"", *, endless: bool = False) -> bytes:
    """All that the server answers; `endless` goes on sending blocks until it hangs up."""
    received = b""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
            try:
                line.sendall(head + body)
                while endless:
                    line.sendall(BLOCK)
            except (BrokenPipeError, ConnectionResetError):
                pass
            while block := line.recv(65_536):
                received += block
    except (ConnectionRefusedError, ConnectionResetError):
        pass
    return received


def status(answer: bytes) -> int:
    """The status of an answer."""
    return int(answer.split(b" ", 2)[1])


def chunked(size: int) -> bytes:
    """A body that does not say how long it will be."""
    chunks = [b"%x\r\n%s\r\n" % (len(BLOCK), BLOCK)] * (size // len(BLOCK))
    return b"".join(chunks) + b"0\r\n\r\n"


@pytest.mark.slow
def test_two_gigabytes_are_refused_at_once_in_words(server: Server) -> None:
    length = f"Content-Length: {2 * 1024**3}"
    for path, language in (("/login/", "pt"), (TAKE_IN, "es")):
        begun = time.monotonic()
        head = request("POST", path, length, f"Accept-Language: {language}")
        answer = answered(server.port, head)
        assert time.monotonic() - begun < 5
        assert status(answer) == 413
        assert f'<html lang="{language}"' in answer.decode()
        assert "<h1>" in answer.decode()
        assert b"connection: close" in answer.lower()
        # A sender that does not listen, but sends on, is cut off.
        begun = time.monotonic()
        answered(server.port, request("POST", path, length), endless=True)
        assert time.monotonic() - begun < 10
    assert server.files() == []


@pytest.mark.slow
def test_body_that_lies_about_its_length_is_not_kept(server: Server) -> None:
    kind = "Content-Type: application/x-www-form-urlencoded"
    unsaid = request("POST", "/login/", kind, "Transfer-Encoding: chunked")
    assert status(answered(server.port, unsaid, chunked(MEBIBYTE // 2))) in (200, 403)
    for path in ("/login/", TAKE_IN):
        head = request("POST", path, kind, "Transfer-Encoding: chunked")
        assert status(answered(server.port, head, chunked(8 * MEBIBYTE))) == 413, path
    # More than was said is no part of the body; the line is closed after the first answer.
    short = answered(
        server.port, request("POST", "/login/", kind, "Content-Length: 10"), BLOCK * 64
    )
    assert short == b"" or status(short) in (200, 400, 403)
    for lie in ("-1", "1e9", "0x10", "9" * 30, "10, 20"):
        answer = answered(server.port, request("POST", "/login/", f"Content-Length: {lie}"))
        assert answer == b"" or status(answer) in (400, 413), lie
    assert server.files() == []
    assert status(answered(server.port, request("GET", "/login/"))) == 200


@pytest.mark.slow
def test_only_the_address_that_takes_files_takes_more_than_a_form(server: Server) -> None:
    kind = "Content-Type: application/x-www-form-urlencoded"
    for path, size, expected in (
        ("/login/", MEBIBYTE, (200, 403)),
        ("/login/", MEBIBYTE + 1, (413,)),
        ("/cards/receive/do/receive/", 2 * MEBIBYTE, (413,)),
        (TAKE_IN, 64 * MEBIBYTE, (302, 400, 403)),
        (TAKE_IN, 64 * MEBIBYTE + 1, (413,)),
    ):
        head = request("POST", path, kind, f"Content-Length: {size}")
        found = status(answered(server.port, head, b"x" * size))
        assert found in expected, (path, size)
    assert server.files() == []


@pytest.mark.slow
def test_no_line_sent_to_the_server_breaks_it(server: Server) -> None:
    upgrade = (
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", f"Origin: http://127.0.0.1:{server.port}",
    )  # fmt: skip
    lines = [
        *(
            request("GET", path)
            for path in ("/%ff%fe/", "/%00", "/board/%c3%28/", "/" + "a" * 20_000, "/?%ff=%00", "//evil.example/", "/static/%2e%2e/x", "*")
        ),
        request("GET", "/login/", "Cookie: sessionid=\xff\x00; csrftoken=" + "y" * 5000),
        request("GET", "/login/", "Accept-Language: " + "pt;q=9," * 500),
        request("GET", "/nowhere/", *upgrade).replace(b"Connection: close\r\n", b""),
        request("GET", "/live/%ff/", *upgrade).replace(b"Connection: close\r\n", b""),
        request("TRACE", "/login/"), request("BREW", "/login/"), b"\x16\x03\x01\x00\xa5\x01\x00", b"\x00" * 100,
        b"GET /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n",
    ]  # fmt: skip
    for line in lines:
        answer = answered(server.port, line)
        assert answer == b"" or status(answer) < 500, line[:80]
    assert status(answered(server.port, request("GET", "/login/"))) == 200
