"""Sealing on a full disk, by two workers at once, by a worker that is killed: one acta in the end."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from bingo.embedded import servers
from bingo.embedded.folder import chosen, read_state
from draws import tasks as draws_tasks
from draws.models import Acta, SealFault
from draws.record import seal_queries
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Session
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.threads import at_once
from tests.support.time_stamps import Stamps, answering

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def stamps() -> Iterator[Stamps]:
    with answering() as running:
        yield running


@pytest.fixture
def closed(fresh_database: FreshDatabase, settings: Any, tmp_path: Path) -> Session:
    """A session that has closed without a game."""
    settings.KEYS_DIR = tmp_path / "keys"
    evening = Evening().reach("session")
    seal_queries.signing_key(evening.hall, at=timezone.now())
    return evening.close()


def one_acta(session: Session) -> None:
    """Exactly one acta, one entry of it, a whole record and no alarm."""
    assert Acta.objects.filter(session=session).count() == 1
    assert JournalEntry.objects.filter(kind="acta_sealed").count() == 1
    assert audit(Hall.objects.get()) == []
    assert seal_queries.unsealed_of_hall(session.hall, at=timezone.now()) == []


@pytest.mark.slow
@pytest.mark.rule(58)
def test_workers_that_seal_one_session_at_once_make_one_acta(closed: Session) -> None:
    done = at_once([lambda: draws_tasks.seal_acta(session_id=closed.pk)] * 4)
    assert done == [None] * 4
    assert not SealFault.objects.exists()
    one_acta(closed)


@pytest.mark.slow
@pytest.mark.rule(58)
def test_worker_killed_while_it_seals_leaves_nothing_half_done(
    closed: Session, fresh_database: FreshDatabase, stamps: Stamps, settings: Any, tmp_path: Path
) -> None:
    trust = tmp_path / "tsa.pem"
    trust.write_bytes(stamps.trust)
    stamps.how = "held"
    told = {
        "DATABASE_URL": fresh_database.url,
        "BINGO_TSA_URL": stamps.url,
        "BINGO_TSA_CERTIFICATE": str(trust),
    }
    worker = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.sealing", str(closed.pk), str(settings.KEYS_DIR)],
        cwd=ROOT,
        env=os.environ | told,
    )
    assert stamps.reached.wait(120), "the worker never asked for a time stamp"
    worker.kill()
    worker.wait(timeout=10)
    assert not Acta.objects.exists()
    assert not JournalEntry.objects.filter(kind="acta_sealed").exists()
    stamps.how = "well"
    stamps.go_on.set()
    settings.SEAL_TSA_URL, settings.SEAL_LEVEL = stamps.url, "B-T"
    settings.SEAL_TSA_CERTIFICATE = str(trust)
    draws_tasks.seal_due_actas()
    one_acta(closed)


@pytest.fixture
def full(closed: Session, tmp_path: Path) -> Iterator[Path]:
    """A disk without room on which the actas lie, which only root and the superuser can make."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    state = read_state(chosen(None))
    place = Path(f"/tmp/bingo-disk-{os.getpid()}")  # short, and open to the server's own user
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32k,mode=777", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        place.rmdir()
        pytest.skip("this machine lets nobody mount a disk")
    name = str(connection.settings_dict["NAME"])
    with servers.connect(state, database=name) as superuser:
        superuser.autocommit = True
        owner = _owner(superuser)
        os.chown(place, owner, -1)
        place.chmod(0o700)
        superuser.execute(f"CREATE TABLESPACE tiny_{os.getpid()} LOCATION '{place}'")
        superuser.execute(f"ALTER TABLE draws_acta SET TABLESPACE tiny_{os.getpid()}")
    yield place
    with servers.connect(state, database=name) as superuser:
        superuser.autocommit = True
        superuser.execute("ALTER TABLE draws_acta SET TABLESPACE pg_default")
        superuser.execute("CHECKPOINT")
        superuser.execute(f"DROP TABLESPACE tiny_{os.getpid()}")
    # The server's processes hold the removed files open until each of them has noticed.
    subprocess.run(["umount", "--lazy", str(place)], check=True)
    place.rmdir()


def _owner(superuser: psycopg.Connection[Any]) -> int:
    row = superuser.execute("SHOW data_directory").fetchone()
    assert row is not None
    return Path(row[0]).stat().st_uid


@pytest.mark.rule(58)
def test_full_disk_leaves_the_session_unsealed_until_there_is_room(
    closed: Session, full: Path
) -> None:
    draws_tasks.seal_acta(session_id=closed.pk)
    assert not Acta.objects.exists()
    assert not JournalEntry.objects.filter(kind="acta_sealed").exists()
    assert SealFault.objects.get().code == "database_full"
    [alarm] = seal_queries.unsealed_of_hall(closed.hall, at=timezone.now())
    assert alarm.code == "database_full"
    subprocess.run(["mount", "-o", "remount,size=16m", str(full)], check=True)
    draws_tasks.seal_acta(session_id=closed.pk)
    one_acta(closed)


@pytest.mark.slow
def test_key_that_has_no_room_is_not_half_made(
    fresh_database: FreshDatabase, settings: Any, tmp_path: Path
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount a disk")
    try:
        (place / "other").write_bytes(bytes(12 * 1024))
        settings.KEYS_DIR = place / "keys"
        evening = Evening().reach("session")
        closed = evening.close()
        draws_tasks.seal_acta(session_id=closed.pk)
        assert SealFault.objects.get().code == "key_unwritable"
        (place / "other").unlink()
        subprocess.run(["mount", "-o", "remount,size=1m", str(place)], check=True)
        draws_tasks.seal_acta(session_id=closed.pk)
        one_acta(closed)
    finally:
        subprocess.run(["umount", str(place)], check=True)
