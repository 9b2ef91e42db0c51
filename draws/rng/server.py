"""The server of the RNG's process: one question a connection, one line of JSON each way.

Its socket is a Unix socket, reached by a name of any length, in a folder that is its owner's alone;
the kernel tells who is at the other end. The process's memory is its own: no core, no look from
outside, no values in a complaint.

It remembers in its own folder the last signed head of each hall's journal: whoever rewrites the
database and the files beside the key has not yet reached this one. It is given by what it replaces,
so that nobody sets it back by the way.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import re
import resource
import signal
import socket
import stat
import struct
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingMixIn, UnixStreamServer
from types import FrameType, TracebackType
from typing import Any

from bingo.rng_memory import Kept, close_to_others
from bingo.rules import formats, rng
from bingo.rules.refusal import Refusal
from bingo.rules.rng import Draw
from bingo.system_users import HALL, KEYS, NUMBERS
from draws.rng.seeds import Vault

NAME = re.compile(r"[-a-zA-Z0-9_@]{1,120}")
LONGEST_NOTE = 3_000  # bytes


class Heads:
    """Files in a folder, one a hall."""

    def __init__(self, folder: Path) -> None:
        """Keep them in a folder that is made when the first one is kept."""
        self._folder, self._lock = folder, threading.Lock()

    def read(self, name: str) -> str:
        """Return the note that was kept last, nothing where none was. Raises OSError, ValueError."""
        try:
            return self._file(name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def replace(self, name: str, note: str, *, before: str) -> bool:
        """Keep a note in the place of the one named, flushed; False where another one is there.

        `before` is the SHA-256 of the note that is to be replaced. That one stays beside it.
        """
        if not 0 < len(note.encode()) <= LONGEST_NOTE:
            raise ValueError("note")
        with self._lock:
            kept = self.read(name)
            if kept == note:
                return True
            if digest(kept) != before:
                return False
            self._folder.mkdir(mode=0o700, exist_ok=True)
            if kept:
                self._write(self._file(f"{name}@before"), kept)
            self._write(self._file(name), note)
            return True

    def _file(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise ValueError("name")
        return self._folder / name

    def _write(self, file: Path, content: str) -> None:
        descriptor, made = tempfile.mkstemp(dir=self._folder, prefix=".")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
            Path(made).replace(file)
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        finally:
            Path(made).unlink(missing_ok=True)


def digest(note: str) -> str:
    """Return the SHA-256 by which a note is named that is to be replaced."""
    return hashlib.sha256(note.encode()).hexdigest()


CREDENTIALS = struct.Struct("3i")  # process, user, group: struct ucred of unix(7)


def is_ours(connection: socket.socket) -> bool:
    """Return whether the process at the other end is the hall's: of our user, or of its others."""
    return asker(connection) in _trusted()


def asker(connection: socket.socket) -> int:
    """Return the user of the process at the other end, as the kernel tells it."""
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    _process, user, _group = CREDENTIALS.unpack(told)
    return int(user)


def _trusted() -> tuple[int, ...]:
    """Return whom this process hears and believes: root, too, where it runs as a user of the hall's."""
    own, theirs = os.getuid(), _ours()
    return (*theirs, 0) if own in (*theirs, 0) else (own,)


def _ours() -> tuple[int, ...]:
    return HALL.uid, NUMBERS.uid, KEYS.uid


def may_ask(user: int, verb: object) -> bool:
    """Return whether a user may ask that: pages set no head, and what signs draws no balls."""
    if user == KEYS.uid:
        return verb in ABOUT_HEADS
    return user != HALL.uid or verb != "keep_head"


ABOUT_HEADS = ("head", "keep_head")


STACK = 256 * 1024  # bytes
LOCK_ALL = 1 | 2  # MCL_CURRENT | MCL_FUTURE of mlock(2)


def protect_process() -> None:
    """Close this process for good. Raises OSError when the kernel refuses."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Neither a debugger nor /proc/…/mem of the same user any more.
    close_to_others()
    # Out of the swap too, where the hall's user may lock whatever he has: with less, a thread's
    # stack could not be had later. A locked stack is taken whole, and each question has its own.
    threading.stack_size(STACK)
    _soft, most = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    if most == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (most, most))
        library = ctypes.CDLL(None, use_errno=True)
        library.mlockall(LOCK_ALL)
    sys.excepthook = complain


def complain(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
    """Say what went wrong and where, and no value: a message may have come of a secret."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    os.write(2, f"{kind.__name__}{place}\n".encode())


SOCKET = "socket"


class NotPrivate(OSError):
    """Somebody else can reach into the folder."""


def make_folder(folder: Path) -> None:
    """Make the folder, mode 0700; one that is there must be so already. Raises NotPrivate.

    One that was given to the user of the numbers root takes back.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if os.getuid() == 0 and (found.st_uid, stat.S_IMODE(found.st_mode)) == (NUMBERS.uid, SHARED):
        os.chown(folder, 0, 0, follow_symlinks=False)
        folder.chmod(0o700)
    with folder_address(folder):
        pass


SHARED = 0o2710  # of the folder that the hall's user passes through, its socket of that group


def _is_private(found: os.stat_result) -> bool:
    """Return whether a folder is our user's alone, or the numbers' with a way in for the hall's others."""
    mode = stat.S_IMODE(found.st_mode)
    if mode == SHARED:
        given = (found.st_uid, found.st_gid) == (NUMBERS.uid, HALL.uid)
        return given and os.getuid() in (*_ours(), 0)
    return mode == 0o700 and found.st_uid == os.getuid()


@contextmanager
def folder_address(folder: Path) -> Iterator[str]:
    """Return the socket's name while the block runs. Raises NotPrivate, FileNotFoundError.

    A socket's name has a hundred bytes at most, a folder's has not: it is reached by a descriptor,
    which also leaves nobody a moment to put another folder in its place.
    """
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if not _is_private(os.fstat(descriptor)):
            raise NotPrivate(f"{folder} must belong to the hall's user alone: mode 0700")
        yield f"/proc/self/fd/{descriptor}/{SOCKET}"
    finally:
        os.close(descriptor)


LONGEST = 4096  # bytes of a question
LARGEST = 2**31 - 1  # of a session's or a game's number, as in a row
HALL_CODE = re.compile(r"[-a-zA-Z0-9_]{1,50}")  # as Hall.code
PATIENCE = 1.0  # seconds for a question to arrive
WAITING = 64  # connections the kernel keeps for us
TAKEN = 3  # exit status: another process draws for this folder
UNUSABLE = 2  # exit status: the folder cannot be used

Data = dict[str, Any]


class RngServer(ThreadingMixIn, UnixStreamServer):
    """Listens on the folder's socket for the hall's processes."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = WAITING

    def __init__(self, address: str, vault: Vault | None = None) -> None:
        """Take the address, in place of a socket that a dead process left."""
        with contextlib.suppress(FileNotFoundError):
            Path(address).unlink()
        # Of the folder's group, which is that of nobody else or the hall's.
        before = os.umask(0o117)
        try:
            super().__init__(address, QuestionHandler)
        finally:
            os.umask(before)
        self.vault = vault or Vault()
        self.heads = Heads(Path(address).parent / "heads")

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Hear nobody but the hall's processes."""
        return is_ours(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Complain without values, and go on."""
        kind, error, trace = sys.exc_info()
        if kind is not None and error is not None:
            complain(kind, error, trace)


class QuestionHandler(StreamRequestHandler):
    """One question and its answer."""

    timeout = PATIENCE
    server: RngServer

    def handle(self) -> None:
        """Answer, if the question comes in time and whoever asked is still there."""
        with contextlib.suppress(TimeoutError, ConnectionError):
            line = self.rfile.readline(LONGEST)
            user = asker(self.connection)
            told = answered(self.server.vault, line, heads=self.server.heads, user=user)
            self.wfile.write(json.dumps(told).encode() + b"\n")


def answered(
    vault: Vault, line: bytes, *, heads: Heads | None = None, user: int | None = None
) -> Data:
    """Answer a question of a user: what was asked for, or {"refused": code, "values": …}."""
    try:
        question = json.loads(line)
        _require_allowed(user, question)
        return _about_heads(heads, question) or _asked(vault, question)
    except Refusal as refusal:
        return {"refused": refusal.code, "values": refusal.values}
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return {"refused": "rng_misunderstood", "values": {}}
    except OSError:
        return {"refused": "rng_folder", "values": {}}


def _require_allowed(user: int | None, question: Data) -> None:
    if user is not None and not may_ask(user, question.get("do")):
        raise ValueError("user")


def _about_heads(heads: Heads | None, question: Data) -> Data | None:
    """Answer what is asked of the heads of journals; None for a question about a draw."""
    verb = question.get("do")
    if heads is None or verb not in ABOUT_HEADS:
        return None
    name = str(question["journal"])
    if verb == "head":
        return {"note": heads.read(name)}
    note, before = str(question["note"]), str(question["before"])
    return {"kept": heads.replace(name, note, before=before)}


def _asked(vault: Vault, question: Data) -> Data:
    verb = question.pop("do")
    if verb == "stand":
        return {"failure": vault.failure}
    draw = Draw(**question.pop("draw"))
    _require_draw(draw)
    if verb == "commit":
        begun = question["begun"]
        if not rng.DIGEST.fullmatch(begun):
            raise ValueError("begun")
        return {"commitment": vault.commit(draw, begun=begun)}
    commitment = str(question["commitment"])
    if verb == "ball":
        head, order = str(question["head"]), int(question["order"])
        return {"number": vault.ball(draw, commitment=commitment, head=head, order=order)}
    if verb == "open":
        return {"opening": vault.open(draw, commitment=commitment).to_data()}
    raise ValueError("verb")


def _require_draw(draw: Draw) -> None:
    numbers = (draw.session, draw.game, draw.format)
    if not all(type(number) is int and 0 < number <= LARGEST for number in numbers):
        raise TypeError("draw")
    if not HALL_CODE.fullmatch(draw.hall):
        raise ValueError("hall")
    formats.get_format(draw.format)


def run(folder: Path, *, kept: int | None = None) -> int:
    """Draw for a folder until the process is asked to stop; gives the exit status.

    `kept` is the descriptor of the memory in which it finds the games of a process before it.
    """
    try:
        make_folder(folder)
    except OSError as error:
        print(f"the numbers cannot be drawn in {folder}: {error}", file=sys.stderr)
        return UNUSABLE
    with (folder / "lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"another process draws the numbers in {folder}", file=sys.stderr)
            return TAKEN
        _serve(folder, kept)
    return 0


def _serve(folder: Path, kept: int | None) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    # Before there is any secret to keep.
    protect_process()
    vault = Vault(kept=None if kept is None else Kept(kept))
    with folder_address(folder) as address, RngServer(address, vault) as server:
        if server.vault.failure:
            print(f"the numbers are not drawn: {server.vault.failure} failed", file=sys.stderr)
        with contextlib.suppress(SystemExit):
            server.serve_forever()


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
