"""Two processes of one test run find no prepared database at the same time."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from tests.support import database


@pytest.fixture
def two_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """Return the names of two databases, to be prepared apart from those of this run."""
    prefix = f"test_prepared_twice_{uuid4().hex[:8]}"
    monkeypatch.setattr(database, "PREPARED", prefix)
    yield f"{prefix}_1", f"{prefix}_2"
    for name in (f"{prefix}_1", f"{prefix}_2", database.prepared_name()):
        database.drop(name)


@pytest.mark.slow
def test_one_prepares_and_the_other_waits(two_names: tuple[str, str]) -> None:
    """The second finds what the first has kept, and makes nothing."""

    def prepare(name: str) -> bool:
        with database.prepared_alone() as missing:
            if missing:
                database.create(name, template="template1")
                database.keep_prepared(name)
        return missing

    assert sorted(_at_once(prepare, two_names)) == [False, True]


@pytest.mark.slow
def test_without_waiting_a_name_is_taken_twice(two_names: tuple[str, str]) -> None:
    """The negative control: the server itself lets only one have the name, by an error."""
    for name in two_names:
        database.create(name, template="template1")

    def rename(name: str) -> bool:
        statement = sql.SQL("ALTER DATABASE {} RENAME TO {}").format(
            sql.Identifier(name), sql.Identifier(database.prepared_name())
        )
        try:
            with database.as_owner() as server:
                server.execute(statement)
        except (psycopg.errors.UniqueViolation, psycopg.errors.DuplicateDatabase):
            return False
        return True

    assert sorted(_at_once(rename, two_names)) == [False, True]


def _at_once(do: Callable[[str], bool], names: tuple[str, str]) -> list[bool]:
    barrier = Barrier(2)

    def wait_and_do(name: str) -> bool:
        barrier.wait()
        return do(name)

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(wait_and_do, names))
