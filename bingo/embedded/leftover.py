"""Server processes that outlived their supervisor, and the files that would mislead a new one."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bingo.embedded import postgresql, valkey
from bingo.embedded.error import EmbeddedError
from bingo.embedded.folder import Folder

PATIENCE = 30.0  # seconds for a clean stop, then again for a hard one


def end_postgresql(folder: Folder, *, sockets: Path) -> None:
    """Stop what still runs on the cluster of `folder`, then clear the way for a new server.

    The supervisor's lock must be held. Raises EmbeddedError when a process does not go.
    """
    _end(folder.log("postgresql"), lambda argv: _is_postgresql(folder, argv))
    # With no process of this cluster alive these are stale, yet PostgreSQL would obey them when
    # the number in them has meanwhile been given to another program, as after a power cut.
    (folder.postgresql / "postmaster.pid").unlink(missing_ok=True)
    for stale in sockets.glob(".s.PGSQL.*"):
        stale.unlink()


def end_valkey(folder: Folder) -> None:
    """Stop a Valkey that still runs on `folder`.

    The supervisor's lock must be held. Raises EmbeddedError when it does not go.
    """
    _end(folder.log("valkey"), lambda argv: _is_valkey(folder, argv))


def _end(log: Path, is_ours: Callable[[list[bytes]], bool]) -> None:
    for number in (signal.SIGINT, signal.SIGQUIT):
        if not _outlast(is_ours, number):
            return
    raise EmbeddedError(f"A server of an earlier start does not stop: see {log}.")


def _outlast(is_ours: Callable[[list[bytes]], bool], number: signal.Signals) -> bool:
    until = time.monotonic() + PATIENCE
    told: set[int] = set()
    while running := {pid for pid in _pids() if is_ours(_command_line(pid))}:
        for pid in running - told:
            _tell(pid, number)
        told |= running
        if time.monotonic() > until:
            return True
        time.sleep(0.05)
    return False


def _tell(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _command_line(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return [b""]


def _is_postgresql(folder: Folder, argv: list[bytes]) -> bool:
    title = f"postgres: {postgresql.cluster_name(folder)}: ".encode()
    return argv[0].startswith(title) or _is_run(postgresql.command_line(folder), argv)


def _is_valkey(folder: Folder, argv: list[bytes]) -> bool:
    return _is_run(valkey.command_line(folder), argv)


def _is_run(command: list[str], argv: list[bytes]) -> bool:
    return argv[: len(command)] == [os.fsencode(word) for word in command]
