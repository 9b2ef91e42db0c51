"""Embedded PostgreSQL and Valkey for a machine that has none, for as long as this process lives."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from bingo import setting
from bingo.embedded import folder, servers
from bingo.embedded.folder import PROJECT, EmbeddedError, Folder, chosen, read_state
from bingo.embedded.supervisor import POSTGRESQL, READY, VALKEY

__all__ = ["EmbeddedError", "ensure", "forget", "is_lost"]

SERVERS = {"DATABASE_URL": POSTGRESQL, "REDIS_URL": VALKEY}
PATIENCE = 150.0  # seconds: an earlier supervisor may have to stop before ours starts

# Descriptors of the shared locks this process holds until it ends, by folder.
_held: dict[Path, int] = {}
# What `ensure` has set in the environment.
_set: set[str] = set()


def ensure(folder: Path | None = None, *, durable: bool = True) -> None:
    """Give this process a database and a broker.

    What DATABASE_URL and REDIS_URL name already is left alone. For what is missing the servers
    of `folder` (else BINGO_DATA, else `var` in the project) are started unless they run, and
    DATABASE_URL (the application's role), DATABASE_OWNER_URL (the owner's) and REDIS_URL are
    set in the environment. The servers stop a few seconds after their last user has ended, in
    whatever way. What a database started as not `durable` holds may be lost with the machine's
    power, though not with its processes: for tests alone, whose databases are thrown away.
    Raises EmbeddedError when the servers cannot be had.
    """
    wanted = [name for variable, name in SERVERS.items() if not setting(variable)]
    if not wanted:
        return
    place = replace(chosen(folder), durable=durable)
    try:
        _use(place, wanted)
    except OSError as error:
        raise EmbeddedError(
            f"The data folder {place.path} cannot be used: {error}. Set BINGO_DATA to a folder"
            " of your own, or DATABASE_URL and REDIS_URL to servers of your own."
        ) from error
    state = read_state(place)
    found = {}
    if POSTGRESQL in wanted:
        found["DATABASE_URL"] = servers.postgresql_url(state, servers.APPLICATION)
        found["DATABASE_OWNER_URL"] = servers.postgresql_url(state, servers.OWNER)
    if VALKEY in wanted:
        found["REDIS_URL"] = servers.valkey_url(state)
    os.environ.update(found)
    _set.update(found)


def forget() -> None:
    """Take back from the environment what `ensure` has set, for a process that begins anew."""
    for name in _set:
        os.environ.pop(name, None)


def is_lost() -> bool:
    """Whether servers this process was given have ended with their supervisor."""
    return any(not folder.is_held(Folder(path).supervising) for path in _held)


def _use(place: Folder, wanted: list[str]) -> None:
    place.path.mkdir(mode=0o711, parents=True, exist_ok=True)
    starting = folder.exclusive(place.starting, seconds=PATIENCE)
    try:
        if place.path not in _held:
            # Once this is had no supervisor can decide to stop any more.
            _held[place.path] = folder.shared(place.users, seconds=PATIENCE)
        started = None
        if not folder.is_held(place.supervising):
            # What a killed supervisor left in the file must not be taken for the new one's word.
            place.supervising.write_bytes(b"")
            started = _start(place, wanted)
        _check(place, wanted, words=_answer(place, started))
    finally:
        os.close(starting)


def _start(place: Folder, wanted: list[str]) -> subprocess.Popen[bytes]:
    place.log("supervisor").touch(mode=0o600)
    with place.log("supervisor").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "bingo.embedded", *place.options, str(place.path), *wanted],
            cwd=PROJECT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C in the terminal reaches the application alone
        )


def _answer(place: Folder, started: subprocess.Popen[bytes] | None) -> str:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        is_child_gone = started is None or started.poll() is not None
        is_gone = is_child_gone and not folder.is_held(place.supervising)
        words = place.supervising.read_text(encoding="utf-8")
        if words.startswith(READY) or is_gone:
            return words
        time.sleep(0.02)
    return ""


def _check(place: Folder, wanted: list[str], *, words: str) -> None:
    if not words.startswith(READY):
        raise EmbeddedError(words or f"The servers do not start: see {place.log('supervisor')}.")
    if missing := set(wanted) - set(words.split()):
        raise EmbeddedError(
            f"The servers of {place.path} run without {' and '.join(sorted(missing))}, as the"
            " program that started them had its own: give this one the same addresses, or end"
            " that program first."
        )
