"""Questions to the RNG's process, none of which waits longer than a second; also its start.

It is started beside this process for an evening that has no hall around it.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bingo.rules import rng
from bingo.rules.refusal import Refusal
from bingo.rules.rng import Draw, Opening
from bingo.system_users import bare_environment
from draws.rng import server

RNG_PATIENCE = 1.0  # seconds for an answer, with all it takes to get it
LONGEST = 4096  # bytes of an answer
# What the process may refuse; whatever else it says is a fault of its own.
REFUSALS = frozenset(
    ["rng_failed", "rng_lost", "rng_opened", "rng_other_head", "stale_page"]
)  # fmt: skip

Data = dict[str, Any]


def commit(folder: Path, draw: Draw, *, begun: str) -> str:
    """Return the commitment for a game that began by the entry with the digest `begun`.

    Raises Refusal: rng_not_running, rng_failed, rng_opened.
    """
    told = _ask(folder, {"do": "commit", "draw": _game_of_draw(draw), "begun": begun}).get(
        "commitment"
    )
    if not isinstance(told, str) or not rng.DIGEST.fullmatch(told):
        raise Refusal("rng_failed", test="answer")
    return told


def ball(folder: Path, draw: Draw, *, commitment: str, head: str, order: int) -> int:
    """Return the number of ball `order`, from 1; the first time this binds the game to `head`.

    Raises Refusal: rng_not_running, rng_lost, rng_failed, rng_opened, rng_other_head,
    stale_page.
    """
    question = {"do": "ball", "draw": _game_of_draw(draw), "commitment": commitment}
    number = _ask(folder, question | {"head": head, "order": order}).get("number")
    if type(number) is not int or not 1 <= number <= draw.format:
        raise Refusal("rng_failed", test="answer")
    return number


def keeps(folder: Path, draw: Draw, *, commitment: str) -> bool:
    """Return whether the process answers, is sound, and can still draw what it bound itself to."""
    question = {"do": "ball", "draw": _game_of_draw(draw), "commitment": commitment}
    try:
        # No head is empty: this binds nothing and draws nothing.
        _ask(folder, question | {"head": "", "order": 1})
    except Refusal as refusal:
        return refusal.code == "rng_other_head"
    return False


def opening(folder: Path, draw: Draw, *, commitment: str) -> Opening:
    """Return what opens a commitment; no ball of the game is given after that.

    Raises Refusal: rng_not_running, rng_lost, rng_failed when it does not open the commitment.
    """
    question = {"do": "open", "draw": _game_of_draw(draw), "commitment": commitment}
    told = rng.opening(_ask(folder, question).get("opening"))
    if told is None or rng.commitment(draw, told) != commitment:
        raise Refusal("rng_failed", test="answer")
    return told


def failure(folder: Path) -> str:
    """Return which self-test has failed, nothing when all is well. Raises Refusal rng_not_running."""
    return str(_ask(folder, {"do": "stand"}).get("failure", "answer"))


def head(folder: Path, journal: str) -> str | None:
    """Return the head that the process remembers of a journal, nothing where it has none.

    None where it gives no answer.
    """
    try:
        told = _ask(folder, {"do": "head", "journal": journal}).get("note")
    except Refusal:
        return None
    return told if isinstance(told, str) else None


def keep_head(folder: Path, journal: str, note: str, *, before: str) -> bool:
    """Let the process remember a head in the place of the one before; tell whether it does."""
    question = {"do": "keep_head", "journal": journal, "note": note}
    try:
        return _ask(folder, question | {"before": server.digest(before)}).get("kept") is True
    except Refusal:
        return False


def _game_of_draw(draw: Draw) -> Data:
    return {
        "hall": draw.hall,
        "session": draw.session,
        "game": draw.game,
        "format": draw.format,
    }


def _ask(folder: Path, question: Data) -> Data:
    answer = _read(_exchanged(folder, json.dumps(question).encode() + b"\n"))
    if answer is None:
        raise Refusal("rng_failed", test="answer")
    if "refused" in answer:
        raise _refusal(answer)
    return answer


def _read(told: bytes | None) -> Data | None:
    """Read an answer; a faulty one hangs on no exception, for it may have been an opening."""
    if told is None:
        raise Refusal("rng_not_running")
    try:
        answer = json.loads(told)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _refusal(answer: Data) -> Refusal:
    code, values = answer["refused"], answer.get("values")
    if code not in REFUSALS or not isinstance(values, dict):
        return Refusal("rng_failed", test="answer")
    return Refusal(code, **values)


def _exchanged(folder: Path, line: bytes) -> bytes | None:
    """Send a line and give the line that answers it; None when there is none in time."""
    until = time.monotonic() + RNG_PATIENCE
    try:
        with (
            server.folder_address(folder) as address,
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection,
        ):
            _connect(connection, address, until)
            if not server.is_ours(connection):
                return None
            connection.sendall(line)
            return _answer(connection, until)
    except OSError:
        return None


def _connect(connection: socket.socket, address: str, until: float) -> None:
    """Connect, also where a crowd waits: a full queue refuses at once and is asked again. Raises OSError."""
    connection.settimeout(RNG_PATIENCE)
    while True:
        try:
            return connection.connect(address)
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(0.005)


def _answer(connection: socket.socket, until: float) -> bytes | None:
    told = b""
    while not told.endswith(b"\n"):
        connection.settimeout(max(0.001, until - time.monotonic()))
        part = connection.recv(LONGEST)
        if not part or len(told) > LONGEST or time.monotonic() > until:
            return None
        told += part
    return told


PROJECT = Path(__file__).resolve().parents[2]
OPENING = 20.0  # seconds it may take to answer
PROCESS_PATIENCE = 5.0  # seconds between asking it to stop and stopping it


@contextmanager
def ensured(folder: Path) -> Iterator[None]:
    """Have numbers drawn in a folder while the block runs, by a process that is there or our own."""
    try:
        failure(folder)
    except Refusal:
        with running(folder):
            yield
        return
    yield


@contextmanager
def running(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process of our own while the block runs. Raises Refusal rng_not_running."""
    started = start_process(folder)
    try:
        _wait(folder, started)
        yield started
    finally:
        started.terminate()
        try:
            started.wait(timeout=PROCESS_PATIENCE)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def start_process(folder: Path) -> subprocess.Popen[bytes]:
    """Start the process; it knows no password and no database, and never outlives this one."""
    return subprocess.Popen(
        ["setpriv", "--pdeathsig=KILL", "--", *command(folder)],
        cwd=PROJECT,
        stdin=subprocess.DEVNULL,
        env=bare_environment(),
        start_new_session=True,
    )


def command(folder: Path) -> list[str]:
    """Return the process's command line."""
    return [sys.executable, "-m", "draws.rng", str(folder)]


def _wait(folder: Path, started: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + OPENING
    while True:
        try:
            failure(folder)
        except Refusal:
            if started.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
