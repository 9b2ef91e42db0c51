"""The RNG's process: one question a connection, one line of JSON each way."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import sys
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingMixIn, UnixStreamServer
from types import FrameType
from typing import Any

from bingo.rules.commitments import Draw
from bingo.rules.refusal import Refusal
from draws.sources import folder as folders
from draws.sources import peer, secrecy
from draws.sources.vault import Vault

LONGEST = 4096  # bytes of a question
PATIENCE = 1.0  # seconds for a question to arrive
WAITING = 64  # connections the kernel keeps for us
TAKEN = 3  # exit status: another process draws for this folder
UNUSABLE = 2  # exit status: the folder cannot be used

Data = dict[str, Any]


class Server(ThreadingMixIn, UnixStreamServer):
    """Listens on the folder's socket for processes of the same user."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = WAITING

    def __init__(self, address: str, vault: Vault | None = None) -> None:
        """Take the address, in place of a socket that a dead process left."""
        with contextlib.suppress(FileNotFoundError):
            Path(address).unlink()
        before = os.umask(0o177)
        try:
            super().__init__(address, Handler)
        finally:
            os.umask(before)
        self.vault = vault or Vault()

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Hear nobody but processes of our own user."""
        return peer.is_ours(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Complain without values, and go on."""
        kind, error, trace = sys.exc_info()
        if kind is not None and error is not None:
            secrecy.complain(kind, error, trace)


class Handler(StreamRequestHandler):
    """One question and its answer."""

    timeout = PATIENCE
    server: Server

    def handle(self) -> None:
        """Answer, if the question comes in time and whoever asked is still there."""
        with contextlib.suppress(TimeoutError, ConnectionError):
            told = answered(self.server.vault, self.rfile.readline(LONGEST))
            self.wfile.write(json.dumps(told).encode() + b"\n")


def answered(vault: Vault, line: bytes) -> Data:
    """Answer a question: what was asked for, or {"refused": code, "values": …}."""
    try:
        return _asked(vault, json.loads(line))
    except Refusal as refusal:
        return {"refused": refusal.code, "values": refusal.values}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {"refused": "rng_misunderstood", "values": {}}


def _asked(vault: Vault, question: Data) -> Data:
    verb = question.pop("do")
    if verb == "stand":
        return {"failure": vault.failure}
    draw = Draw(**question.pop("draw"))
    _require_draw(draw)
    if verb == "commit":
        return {"commitment": vault.commit(draw, begun=str(question["begun"]))}
    commitment = str(question["commitment"])
    if verb == "ball":
        head, order = str(question["head"]), int(question["order"])
        return {"number": vault.ball(draw, commitment=commitment, head=head, order=order)}
    if verb == "open":
        return {"opening": vault.open(draw, commitment=commitment).told()}
    raise ValueError("verb")


def _require_draw(draw: Draw) -> None:
    numbers = (draw.session, draw.game, draw.format)
    if not isinstance(draw.hall, str) or not all(type(number) is int for number in numbers):
        raise TypeError("draw")


def run(folder: Path) -> int:
    """Draw for a folder until the process is asked to stop; gives the exit status."""
    try:
        folders.make(folder)
    except OSError as error:
        print(f"the numbers cannot be drawn in {folder}: {error}", file=sys.stderr)
        return UNUSABLE
    with (folder / "lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"another process draws the numbers in {folder}", file=sys.stderr)
            return TAKEN
        _serve(folder)
    return 0


def _serve(folder: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    # Before there is any secret to keep.
    secrecy.keep()
    with folders.address(folder) as address, Server(address) as server:
        if server.vault.failure:
            print(f"the numbers are not drawn: {server.vault.failure} failed", file=sys.stderr)
        with contextlib.suppress(SystemExit):
            server.serve_forever()


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
