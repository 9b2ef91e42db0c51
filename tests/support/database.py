"""Databases of a test run: one prepared template, and copies of it."""

import hashlib
import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlencode

import psycopg
from asgiref.sync import SyncToAsync
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from pytest_django import DjangoDbBlocker

ROOT = Path(__file__).resolve().parents[2]
PREPARED = "test_prepared"  # what databases that are kept from run to run begin with
PREPARED_BY = (
    "*/migrations/**/*.py", "*/migrations/**/*.sql", "*/models/**/*.py", "*/**/models.py",
    "halls/inspection.py", "*/management/commands/prepare_database.py",
)  # fmt: skip

_copies = count(1)
# Makes copies before they are asked for, and removes them afterwards, while tests run: one at a
# time, since two copies of one database wait for each other.
_aside = ThreadPoolExecutor(1)
_ready: dict[str, Future[str]] = {}
_removed: list[Future[None]] = []


@dataclass(frozen=True, slots=True)
class FreshDatabase:
    """A database of one test: its name, and its addresses for both roles."""

    name: str
    url: str
    owner_url: str


def as_owner(name: str | None = None) -> psycopg.Connection[Any]:
    """The owner's own connection, autocommitting, to database `name`, else to the one configured."""
    return psycopg.connect(address(_owner_url(), name=name), autocommit=True)


def address(url: str, *, name: str | None) -> str:
    """`url` with database `name`, when there is one, in place of its own."""
    parts = conninfo_to_dict(url)
    if name:
        parts["dbname"] = name
    return f"postgresql:///?{urlencode(parts, quote_via=quote)}"


def create(name: str, *, template: str) -> None:
    """Make database `name` like `template`, with the rights a copy does not inherit."""
    statement = "CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY"
    with as_owner() as server:
        server.execute(sql.SQL(statement).format(sql.Identifier(name), sql.Identifier(template)))
        server.execute(
            sql.SQL("REVOKE CREATE, TEMPORARY ON DATABASE {} FROM PUBLIC").format(
                sql.Identifier(name)
            )
        )


def prepared_name() -> str:
    """Return the name under which a prepared database is kept from run to run.

    It is made of all that preparing follows: migrations, models and their rights, versions.
    """
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for file in sorted(path for part in PREPARED_BY for path in ROOT.glob(part)):
        digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    return f"{PREPARED}_{digest.hexdigest()[:16]}"


@contextmanager
def prepared_alone() -> Iterator[bool]:
    """Let one process of this server prepare at a time; yield whether there is nothing prepared."""
    with as_owner() as server:
        server.execute("SELECT pg_advisory_lock(hashtext(%s))", [PREPARED])
        found = server.execute(
            "SELECT 1 FROM pg_database WHERE datname = %s", [prepared_name()]
        ).fetchone()
        yield found is None


def keep_prepared(name: str) -> None:
    """Rename database `name` to the one that is kept, and remove those of other migrations.

    What is being copied stays. Called inside `prepared_alone`.
    """
    prepared = prepared_name()
    rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
    with as_owner() as server:
        server.execute(rename.format(sql.Identifier(name), sql.Identifier(prepared)))
        others = server.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE %s AND datname <> %s",
            [f"{PREPARED}\\_%", prepared],
        ).fetchall()
        for (other,) in others:
            with suppress(psycopg.errors.ObjectInUse):
                server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(other)))


def drop(name: str) -> None:
    """Remove database `name`, whoever is still connected."""
    statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    with as_owner() as server:
        for _try in range(20):
            try:
                server.execute(statement)
            except psycopg.errors.InsufficientPrivilege:
                # A superuser's process, such as autovacuum, is in it for a moment.
                time.sleep(0.1)
            else:
                return
        server.execute(statement)


def bound_times(name: str, bound: str) -> None:
    """Let entries of database `name` lie so far from its clock, as only the owner can."""
    made = "CREATE OR REPLACE FUNCTION entry_time_bound() RETURNS interval LANGUAGE sql STABLE"
    with as_owner(name) as owner:
        owner.execute(sql.SQL(made + " AS {}").format(sql.Literal(f"SELECT interval '{bound}'")))


@contextmanager
def copy(template: str, *, blocker: DjangoDbBlocker) -> Iterator[FreshDatabase]:
    """A copy of `template` that the default connection of every thread goes to meanwhile."""
    before = connection.settings_dict["NAME"]
    name = (_ready.pop(template, None) or _aside.submit(_copied, template)).result()
    _ready[template] = _aside.submit(_copied, template)
    with blocker.unblock():
        point_at(name)
    try:
        yield FreshDatabase(
            name=name,
            url=address(os.environ["DATABASE_URL"], name=name),
            owner_url=address(_owner_url(), name=name),
        )
    finally:
        with blocker.unblock():
            point_at(before)
        _removed.append(_aside.submit(drop, name))


def forget(template: str) -> None:
    """Remove what was made of `template` and the template itself. Raises what removing a copy did."""
    if spare := _ready.pop(template, None):
        drop(spare.result())
    while _removed:
        _removed.pop().result()
    drop(template)


def _copied(template: str) -> str:
    name = f"{template}_{next(_copies)}"
    create(name, template=template)
    return name


def point_at(name: str) -> None:
    """Let the default connection go to database `name`."""
    connections["default"].close()
    # Asynchronous tests reach the database through this one thread, which outlives each of them.
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()
    cast(DatabaseWrapper, connections["default"]).close_pool()
    connections.settings["default"]["NAME"] = name
    connections["default"].settings_dict["NAME"] = name


def drop_abandoned() -> None:
    """Remove what killed test runs on this machine left behind on this machine's server."""
    if not str(conninfo_to_dict(_owner_url()).get("host") or "/").startswith("/"):
        return
    with as_owner() as server:
        names = server.execute(
            "SELECT datname FROM pg_database WHERE datname ~ '^test_bingo_[0-9]+'"
        ).fetchall()
    for (name,) in names:
        if not Path("/proc", name.split("_")[2]).exists():
            drop(name)


def app_url() -> str:
    """The address of the application's role."""
    return os.environ["DATABASE_URL"]


@cache
def _owner_url() -> str:
    # Asked once: copies are made aside, while a test may have changed the environment.
    return os.environ.get("DATABASE_OWNER_URL") or os.environ["DATABASE_URL"]
