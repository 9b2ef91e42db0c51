"""The supervisor of the embedded servers: runs both for as long as any process uses them."""

import os
import shutil
import signal
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import FrameType

import psycopg

from bingo import program_ends
from bingo.embedded import folder as embedded_folder
from bingo.embedded import servers as embedded_servers
from bingo.embedded.folder import (
    PROJECT,
    EmbeddedError,
    Folder,
    ServerAccount,
    ServersState,
    current,
    reaching,
    read_state,
    with_sockets,
    write_state,
)
from bingo.embedded.servers import EmbeddedServer
from bingo.program_ends import Budget, End

READY = "ready"
POSTGRESQL = "postgresql"
VALKEY = "valkey"
LINGER = 3.0  # seconds without a user before the servers stop: two commands in a row share them
LOG_SIZE = 5_000_000  # bytes after which a log is set aside at the next start
# Deaths of one server within so many seconds after which the supervisor gives up, and the pauses
# before it is started again: at once, half a second, twice as long each time.
RESTARTS, WITHIN, FIRST_PAUSE, LONGEST_PAUSE = 8, 300.0, 0.5, 30.0


def supervise(folder: Folder, wanted: Sequence[str]) -> None:
    """Run the servers named in `wanted` until nobody uses `folder` any more.

    Raises EmbeddedError when they cannot be had.
    """
    signal.signal(signal.SIGTERM, _leave)
    held = embedded_folder.exclusive(folder.supervising, seconds=10)
    _say(held, "")
    try:
        _run(folder, wanted, held)
    except (EmbeddedError, OSError, psycopg.Error) as error:
        _say(held, str(error))
        raise


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def _say(held: int, words: str) -> None:
    os.pwrite(held, words.encode(), 0)
    os.ftruncate(held, len(words.encode()))


def _run(folder: Folder, wanted: Sequence[str], held: int) -> None:
    account = reaching(current(), programs=_programs(wanted), folder=folder.path)
    state = _prepared(folder, account)
    servers = [SERVERS[name](folder, state, account) for name in wanted]
    try:
        for one in servers:
            one.start()
        if POSTGRESQL in wanted:
            embedded_servers.provide(state)
        _say(held, " ".join([READY, *wanted]))
        _watch(folder, servers)
    finally:
        for one in reversed(servers):
            one.stop()
        shutil.rmtree(state.sockets, ignore_errors=True)


def _programs(wanted: Sequence[str]) -> list[Path]:
    programs = []
    if POSTGRESQL in wanted:
        programs += [
            embedded_servers.postgresql_program("initdb"),
            embedded_servers.postgresql_program("postgres"),
        ]
    if VALKEY in wanted:
        programs.append(embedded_servers.valkey_program())
    return programs


def _prepared(folder: Folder, account: ServerAccount) -> ServersState:
    state = with_sockets(read_state(folder), folder=folder, uid=account.uid)
    embedded_folder.share_sockets(state.sockets, account)
    write_state(folder, state)
    for name in ("postgresql", "valkey", "supervisor"):
        _set_aside(folder.log(name))
    _hand_over(folder, account)
    return state


def _hand_over(folder: Folder, account: ServerAccount) -> None:
    # What root makes in somebody's project, that person must be able to use without root.
    if PROJECT.stat().st_uid != account.uid:
        return
    for path in (folder.path, folder.state, folder.starting, folder.users, folder.supervising):
        os.chown(path, account.uid, account.gid)
    for name in ("postgresql", "valkey", "supervisor"):
        os.chown(folder.log(name), account.uid, account.gid)


def _set_aside(log: Path) -> None:
    if log.exists() and log.stat().st_size > LOG_SIZE:
        log.replace(log.with_suffix(".log.1"))
    log.touch(mode=0o600)


def _postgresql(folder: Folder, state: ServersState, account: ServerAccount) -> EmbeddedServer:
    embedded_servers.postgresql_create(folder, state, account)
    command = embedded_servers.postgresql_command_line(folder) + embedded_servers.options(
        folder, state
    )
    return EmbeddedServer(
        name="PostgreSQL",
        # SIGINT is PostgreSQL's fast shutdown: clients are cut off, nothing is lost.
        command=account.command(command, death="INT"),
        stopping=signal.SIGINT,
        clear=partial(embedded_servers.end_postgresql, folder, sockets=Path(state.sockets)),
        answers=partial(embedded_servers.postgresql_answers, state),
        log=folder.log("postgresql"),
    )


def _valkey(folder: Folder, state: ServersState, account: ServerAccount) -> EmbeddedServer:
    def clear() -> None:
        embedded_servers.end_valkey(folder)
        embedded_servers.valkey_create(folder, state, account)

    return EmbeddedServer(
        name="Valkey",
        command=account.command(embedded_servers.valkey_command_line(folder), death="TERM"),
        stopping=signal.SIGTERM,
        clear=clear,
        answers=partial(embedded_servers.valkey_answers, state),
        log=folder.log("valkey"),
    )


SERVERS = {POSTGRESQL: _postgresql, VALKEY: _valkey}


def _watch(folder: Folder, servers: list[EmbeddedServer]) -> None:
    alone_since: float | None = None
    budgets = {one.name: Budget(RESTARTS, WITHIN, FIRST_PAUSE, LONGEST_PAUSE) for one in servers}
    while True:
        time.sleep(0.5)
        for one in servers:
            _revive(one, folder, budgets[one.name], at=time.monotonic())
        free = embedded_folder.if_free(folder.users)
        if free is None:
            alone_since = None
            continue
        alone_since = alone_since or time.monotonic()
        if time.monotonic() - alone_since > LINGER:
            # The lock is kept until this process ends: who comes now waits and starts anew.
            return
        os.close(free)


def _revive(server: EmbeddedServer, folder: Folder, budget: Budget, *, at: float) -> None:
    """Start a dead server again when its pause is over. Raises EmbeddedError when it died too often."""
    if not server.is_dead():
        return
    if server.due is None:
        server.due = at + _bury(server, folder, budget, at=at)
    if at < server.due:
        return
    server.due = None
    try:
        server.start()
    except EmbeddedError:
        server.stop()  # counts as another death in a moment


def _bury(server: EmbeddedServer, folder: Folder, budget: Budget, *, at: float) -> float:
    """Note a death with its reason, and return the seconds until the server is started again."""
    died = program_ends.how(server.process.poll() if server.process else None)
    lines = program_ends.tail(server.log)
    spent = budget.is_spent(at=at)
    pause = None if spent else budget.spend(at=at)
    program_ends.note(folder.path, End(time.time(), server.name, died, lines, pause))
    said = "".join(f"\n    {line}" for line in lines)
    if pause is None:
        raise EmbeddedError(
            f"{server.name} died {RESTARTS + 1} times within {WITHIN:.0f} seconds, at last of"
            f" {died}: see {server.log}.{said}"
        )
    print(f"{server.name} died ({died}) and is started again.{said}", flush=True)
    return pause
