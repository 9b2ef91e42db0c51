"""The page server's door, held by the real server against those who keep it waiting."""

from __future__ import annotations

import base64
import os
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bingo.connection_limits import raise_descriptors
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.page_servers import PageServer, serving

STRANGER, PHONES = "127.0.0.2", "127.0.0.3"
HALF = b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture
def hurried(fresh_database: FreshDatabase, tmp_path: Path) -> Iterator[PageServer]:
    """A server that waits for nobody longer than a second or two."""
    seconds = dict.fromkeys(("HEAD_SECONDS", "BODY_SECONDS", "IDLE_SECONDS"), "1")
    with serving(fresh_database, tmp_path / "data", **seconds) as server:
        yield server


def read_all(link: socket.socket) -> bytes:
    told = b""
    try:
        while part := link.recv(65_536):
            told += part
    except ConnectionResetError:
        pass
    return told


def drip(link: socket.socket, piece: bytes) -> bytes:
    """Send a piece every fifth of a second until the other end has had enough; return what it said."""
    link.settimeout(0.2)
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            link.sendall(piece)
            told = link.recv(65_536)
        except TimeoutError:
            continue
        except OSError:
            return b""
        return told
    raise AssertionError("it waits for ever")


@pytest.mark.slow
def test_head_and_body_that_drip_are_waited_for_no_longer_than_their_time(
    hurried: PageServer,
) -> None:
    with hurried.connect() as link:
        began = time.monotonic()
        link.sendall(HALF)
        drip(link, b"X-Slow: 1\r\n")
        assert 0.8 < time.monotonic() - began < 4
    with hurried.connect() as link:
        began = time.monotonic()
        link.sendall(HALF + b"Content-Length: 100\r\n\r\n")
        assert b"408 Request Timeout" in drip(link, b"x")
        assert 0.8 < time.monotonic() - began < 4
    with hurried.connect() as link:  # nothing at all, then line ends that begin no request
        began = time.monotonic()
        drip(link, b"\r\n")
        assert time.monotonic() - began < 4


@pytest.mark.slow
def test_connection_that_only_waits_is_closed_and_one_that_is_used_is_not(
    hurried: PageServer,
) -> None:
    with hurried.connect() as link:
        for _time in range(4):
            link.sendall(b"GET /theme/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert link.recv(65_536).startswith(b"HTTP/1.1 405")
            time.sleep(0.4)
        began = time.monotonic()
        read_all(link)
        assert time.monotonic() - began < 4


def pour(server: PageServer, begin: bytes) -> bytes:
    """Send signs without end behind a beginning; return what the server said before it had enough."""
    with socket.create_connection(("127.0.0.1", server.port)) as link:
        link.sendall(begin)
        try:
            for _megabyte in range(40):
                link.sendall(b"a" * 1_000_000)
        except OSError:
            pass
        else:
            raise AssertionError("it takes whatever comes")
        return read_all(link)


@pytest.mark.slow
def test_head_and_trailers_without_end_are_cut_off_and_a_body_in_one_piece_is_not(
    hurried: PageServer,
) -> None:
    for begin in (
        b"GET /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ",
        b"GET /login/?next=",
        HALF + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-A: ",
    ):
        said = pour(hurried, begin)
        assert not said or said.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400", b"HTTP/1.1 403"))
    with socket.create_connection(("127.0.0.1", hurried.port)) as link:
        link.sendall(HALF + b"Content-Length: 200000\r\n\r\n" + b"a" * 200_000)
        assert link.recv(100).startswith(b"HTTP/1.1 403"), "a form without its token"


@pytest.mark.slow
def test_twelve_hundred_half_sent_requests_shut_no_door(
    fresh_database: FreshDatabase, tmp_path: Path
) -> None:
    with serving(fresh_database, tmp_path / "data") as server, ExitStack() as held:
        raise_descriptors()
        for _each in range(1200):
            link = held.enter_context(server.connect(STRANGER))
            link.sendall(HALF)
        assert " 200 " in server.get()
        assert " 200 " in server.get(source=STRANGER), "nor to others at the same address"
        assert server.descriptors() < 500


@pytest.mark.slow
def test_three_hundred_phones_behind_one_address_have_their_boards(
    fresh_database: FreshDatabase, tmp_path: Path
) -> None:
    code = Evening().hall.code
    with serving(fresh_database, tmp_path / "data") as server, ExitStack() as held:
        raise_descriptors()
        links = [held.enter_context(server.connect(PHONES)) for _each in range(300)]
        for link in links:
            key = base64.b64encode(os.urandom(16)).decode()
            link.sendall(
                f"GET /live/{code}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                f"Origin: http://127.0.0.1:{server.port}\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
            )
        assert {link.recv(12) for link in links} == {b"HTTP/1.1 101"}
        assert " 200 " in server.get(source=PHONES)


@pytest.mark.slow
def test_sockets_of_one_address_have_a_bound_and_those_of_another_do_not_count(
    fresh_database: FreshDatabase, tmp_path: Path
) -> None:
    code = Evening().hall.code
    bound = {"SCREENS_PER_ADDRESS": "3", "TRUSTED_PROXIES": "127.0.0.1"}
    with serving(fresh_database, tmp_path / "data", **bound) as server, ExitStack() as held:

        def connect_screen(device: str) -> bytes:
            link = held.enter_context(server.connect())
            link.sendall(
                f"GET /live/{code}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                f"Origin: http://127.0.0.1:{server.port}\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                f"X-Forwarded-For: {device}\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
            )
            return link.recv(12)

        assert [connect_screen("192.168.1.5") for _each in range(4)] == [b"HTTP/1.1 101"] * 3 + [
            b"HTTP/1.1 503"
        ]
        assert connect_screen("192.168.1.6") == b"HTTP/1.1 101"


def test_all_descriptors_of_the_system_are_taken() -> None:
    most = raise_descriptors()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)
