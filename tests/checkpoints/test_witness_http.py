"""The witness over real HTTP: hostile bodies, slow clients, too many at once."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from halls.witness import server
from halls.witness.cosigning import Memory, make
from halls.witness.server import LARGEST, WitnessServer
from tests.support.hostile_frames import broken, frames
from tests.support.witness import answering
from tests.support.witness_http import ask, post
from tests.support.witnessed_chain import Chain, key

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = make(tmp_path / "witness", name="witness.example")
    made.trust(key().vkey)
    return made


@pytest.fixture
def witness(memory: Memory) -> Iterator[WitnessServer]:
    with answering(memory, patience=0.5) as found:
        yield found


def raw(port: int, content: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as link:
        link.sendall(content)
        told = b""
        while part := link.recv(4096):
            told += part
        return told


def test_checkpoint_is_added_and_read(witness: WitnessServer) -> None:
    chain, port = Chain(), witness.server_port
    assert ask(port, "GET", "/latest/sala")[0] == 404
    status, line = post(port, chain.request(0, 10))
    assert (status, line[:17]) == (200, "\N{EM DASH} witness.example"[:17])
    status, told = ask(port, "GET", "/latest/sala")
    assert (status, told.startswith(chain.note(10))) == (200, True)
    assert post(port, chain.request(0, 12)) == (409, "10\n")


@pytest.mark.slow
def test_hostile_requests_are_refused_and_the_witness_answers_on(witness: WitnessServer) -> None:
    port = witness.server_port
    for path in ("/", "/latest/", "/latest/../seed", "/latest/sala/../../seed", "/latest/a%2f..", "/seed"):  # fmt: skip
        assert ask(port, "GET", path)[0] == 404
    assert ask(port, "POST", "/latest/sala", b"x")[0] == 404
    assert ask(port, "PUT", "/add-checkpoint", b"x")[0] == 501
    assert post(port, b'{"old": 0}')[0] == 400
    assert post(port, b"\x00" * 100_000)[0] == 400
    head = b"POST /add-checkpoint HTTP/1.1\r\nHost: x\r\n"
    assert b" 411 " in raw(port, head + b"\r\n")
    assert b" 411 " in raw(port, head + b"Content-Length: -5\r\n\r\n")
    assert b" 411 " in raw(port, head + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    assert b" 413 " in raw(port, head + f"Content-Length: {LARGEST + 1}\r\n\r\n".encode())
    assert b" 413 " in raw(port, head + b"Content-Length: 999999999999\r\n\r\n")
    assert b" 431 " in raw(port, head + b"".join(b"X-%d: y\r\n" % n for n in range(200)) + b"\r\n")
    raw(port, b"\x16\x03\x01\x02\x00\x01\x00")  # TLS, where none is spoken
    assert post(port, Chain().request(0, 5))[0] == 200


@pytest.mark.slow
def test_slow_client_is_let_go(witness: WitnessServer) -> None:
    port, begun = witness.server_port, time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=10) as link:
        link.sendall(b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 1000\r\n\r\nold 0")
        # A byte now and then does not keep it: the time is for all of it.
        for _turn in range(8):
            time.sleep(0.1)
            try:
                link.sendall(b"x")
            except OSError:
                break
        assert link.recv(100) == b""
    assert time.monotonic() - begun < 5
    assert post(port, Chain().request(0, 5))[0] == 200


def connected(port: int, source: str) -> socket.socket:
    """A connection from one of this machine's addresses that says nothing."""
    return socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0))


@pytest.mark.slow
def test_slow_head_has_less_time_than_a_slow_body(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEAD", 0.3)
    body = Chain().request(0, 5)
    with answering(memory, patience=60) as found:
        port = found.server_port
        head = b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: %d\r\n" % len(body)
        with connected(port, "127.0.0.1") as link:
            link.sendall(head)
            assert link.recv(100) == b""
        with connected(port, "127.0.0.1") as link:
            link.sendall(head + b"\r\n")
            time.sleep(0.6)
            link.sendall(body)
            assert b" 200 " in link.recv(100)


def test_slow_address_shuts_out_no_other(memory: Memory) -> None:
    with answering(memory, patience=60) as found:
        port = found.server_port
        silent = [connected(port, "127.0.0.2") for _each in range(server.AT_ONCE)]
        try:
            with connected(port, "127.0.0.2") as link:
                assert link.recv(100) == b""
            assert post(port, Chain().request(0, 5))[0] == 200
        finally:
            for one in silent:
                one.close()


@pytest.mark.slow
def test_more_at_once_than_there_are_places_are_closed_unheard(witness: WitnessServer) -> None:
    port = witness.server_port
    waiting = [
        connected(port, f"127.0.1.{1 + number // server.OF_AN_ADDRESS}")
        for number in range(server.AT_ONCE)
    ]
    try:
        time.sleep(0.1)
        assert raw(port, b"") == b""
    finally:
        for one in waiting:
            one.close()
    time.sleep(0.7)
    assert post(port, Chain().request(0, 5))[0] == 200


@pytest.mark.slow
def test_whatever_is_sent_the_witness_keeps_its_memory_and_answers(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The real program: what Hypothesis sends is refused, and the hall's history goes on from where it was."""
    folder, chain = tmp_path / "witness", Chain(400)
    make(folder, name="witness.example").trust(key().vkey)
    command = [sys.executable, "-m", "halls.witness", "serve", str(folder), "--listen", "127.0.0.1:0"]  # fmt: skip
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            port = int(process.stdout.readline().rpartition(":")[2])
            assert post(port, chain.request(0, 10))[0] == 200
            good = chain.request(10, 12)
            fork = Chain(400, fork=5).request(10, 12)
            head = b"POST /add-checkpoint HTTP/1.1\r\nHost: x\r\n"

            @hypothesis_settings(deadline=None)
            @given(frames() | broken(fork), broken(head), frames())
            def hostile(body: bytes, twisted: bytes, raw_bytes: bytes) -> None:
                assert post(port, body)[0] in (400, 403, 404, 409, 422)
                for content in (twisted + b"\r\n\r\n", raw_bytes):
                    with (
                        contextlib.suppress(OSError),  # it may have hung up
                        socket.create_connection(("127.0.0.1", port), timeout=10) as link,
                    ):
                        link.sendall(content)
                        link.shutdown(socket.SHUT_WR)
                        told = link.recv(4096)
                        assert b" 200 " not in told[:20]

            hostile()
            status, note = ask(port, "GET", "/latest/sala")
            assert (status, note.startswith(chain.note(10))) == (200, True), "it has not moved"
            assert post(port, good)[0] == 200
        finally:
            process.terminate()
        assert process.wait(timeout=10) == 0
    told = capfd.readouterr().err
    assert "failed" not in told
    assert "fails" not in told
    assert "Traceback" not in told
    assert max(map(len, told.splitlines())) < 2000, "nobody fills the log with one request"
