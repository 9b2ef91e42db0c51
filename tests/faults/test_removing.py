"""Killed at any moment, a removal is recorded once, comes to its end, and proves itself."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bingo.rules import retention as rules
from draws.balls import queries as balls_queries
from draws.custody import services as custody_services
from draws.models import Reading
from draws.record.audit import audit
from draws.retention.services import remove
from halls.models import Hall, JournalEntry, Removal, Role
from halls.policy.services import set_policy
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of
from tests.support.removing import after, lived
from tests.support.session_closing import closed, drawn
from tests.support.threads import at_once

ROOT = Path(__file__).resolve().parents[2]
BALLS = (17, 44, 5, 61)


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = settings.PICTURES_DIR = tmp_path
    settings.KEYS_DIR, settings.PRINTS_DIR = tmp_path / "keys", tmp_path / "prints"
    return tmp_path


@pytest.fixture
def over(fresh_database: FreshDatabase) -> Evening:
    """A hall with the pictures of a session that it keeps no longer."""
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, source="camera", automatic=900, picture_days=30, **who)
    camera_of(evening)
    drawn(evening, *BALLS)
    closed(evening)
    lived(evening, 32)
    return evening


def hall() -> Hall:
    return Hall.objects.get()


def there() -> int:
    """How many of the pictures are there."""
    named = Reading.objects.values_list("picture", flat=True)
    return sum(balls_queries.picture_path(one).exists() for one in named)


def killed(fresh: FreshDatabase, folder: Path, *, at: datetime, after_files: int) -> None:
    """Let a process remove so many files, and kill it before the next."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.removing", str(folder), at.isoformat()],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": fresh.url},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    for done in range(after_files + 1):
        assert worker.stdout.readline() == "next\n"
        if done < after_files:
            worker.stdin.write("go\n")
            worker.stdin.flush()
    worker.kill()
    worker.communicate(timeout=10)


@pytest.mark.slow
@pytest.mark.parametrize("files", [0, 2])
def test_killed_removal_is_recorded_once_and_finished(
    over: Evening, fresh_database: FreshDatabase, folder: Path, files: int
) -> None:
    killed(fresh_database, folder, at=after(33), after_files=files)
    row = Removal.objects.get()
    assert (row.finished_at, there(), audit(hall())) == (None, len(BALLS) - files, [])
    assert remove(hall=hall(), at=after(34)) is None
    row.refresh_from_db()
    assert (row.finished_at is not None, there(), audit(hall())) == (True, 0, [])
    assert JournalEntry.objects.filter(kind="retention_applied").count() == 1
    assert len(rules.read(row.listed)) == len(BALLS)


@pytest.mark.slow
@pytest.mark.rule(52)
def test_case_opened_after_the_kill_holds_what_is_left(
    over: Evening, fresh_database: FreshDatabase, folder: Path
) -> None:
    killed(fresh_database, folder, at=after(33), after_files=1)
    game = over.hall.sessions.get(number=1).games.get()
    manager = over.person(Role.HALL_MANAGER)
    case = custody_services.open_case(
        game=game, reference="7/2026", reason="x", by=manager, at=after(34)
    )
    assert remove(hall=hall(), at=after(34)) is None
    row = Removal.objects.get()
    assert (row.finished_at, there(), audit(hall())) == (None, len(BALLS) - 1, [])
    custody_services.close_case(case=case, outcome="done", by=manager, at=after(35))
    assert remove(hall=hall(), at=after(35)) is None
    row.refresh_from_db()
    assert (row.finished_at is not None, there(), audit(hall())) == (True, 0, [])
    assert JournalEntry.objects.filter(kind="retention_applied").count() == 1


@pytest.mark.slow
def test_workers_that_remove_at_once_record_it_once(over: Evening) -> None:
    at = after(33)
    done = at_once([lambda: remove(hall=hall(), at=at)] * 4)
    assert not [one for one in done if isinstance(one, Exception)]
    assert sum(one is not None for one in done) == 1
    assert (Removal.objects.count(), there(), audit(hall())) == (1, 0, [])


@pytest.mark.slow
@pytest.mark.rule(52)
@pytest.mark.parametrize("_turn", range(3))
def test_case_opened_at_the_same_moment_holds_all_or_comes_after(over: Evening, _turn: int) -> None:
    at, manager = after(33), over.person(Role.HALL_MANAGER)
    game = over.hall.sessions.get(number=1).games.get()
    asked: dict[str, Any] = {
        "game": game,
        "reference": "7/2026",
        "reason": "x",
        "by": manager,
        "at": at,
    }
    done = at_once(
        [lambda: remove(hall=hall(), at=at), lambda: custody_services.open_case(**asked)]
    )
    assert not [one for one in done if isinstance(one, Exception)]
    assert audit(hall()) == []
    opened = JournalEntry.objects.get(kind="case_opened").number
    removals = JournalEntry.objects.filter(kind="retention_applied")
    if removals.exists():
        assert removals.get().number < opened
    else:
        assert there() == len(BALLS)


def codes() -> list[str]:
    return [finding.code for finding in audit(hall())]


def changed(owner: psycopg.Connection[Any], statement: str) -> list[str]:
    """Change a removal behind PostgreSQL's back, and return what the audit finds."""
    owner.execute("ALTER TABLE halls_removal DISABLE TRIGGER append_only")
    owner.execute(statement.encode())
    owner.execute("ALTER TABLE halls_removal ENABLE ALWAYS TRIGGER append_only")
    return codes()


@pytest.mark.slow
def test_list_that_was_changed_is_named(
    over: Evening, owner_connection: psycopg.Connection[Any]
) -> None:
    remove(hall=hall(), at=after(33))
    assert codes() == []
    found = changed(owner_connection, "UPDATE halls_removal SET listed = repeat('x', 9)")
    assert {"removal_differs", "picture_missing"} <= set(found)


@pytest.mark.slow
def test_list_that_names_one_less_leaves_a_file_without_its_record(
    over: Evening, owner_connection: psycopg.Connection[Any]
) -> None:
    remove(hall=hall(), at=after(33))
    lines = Removal.objects.get().listed.splitlines(keepends=True)
    found = changed(owner_connection, f"UPDATE halls_removal SET listed = '{''.join(lines[1:])}'")
    assert found.count("picture_missing") == 1


@pytest.mark.slow
def test_removal_whose_row_is_gone_is_named(
    over: Evening, owner_connection: psycopg.Connection[Any]
) -> None:
    remove(hall=hall(), at=after(33))
    assert "removal_differs" in changed(owner_connection, "DELETE FROM halls_removal")
