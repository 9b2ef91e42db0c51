"""A worker killed in the middle of a print leaves nothing half done, and the print is drawn after all."""

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import LazySettings

from draws import tasks as draws_tasks
from draws.cards import print_queries, prints
from draws.models import PrintJob, PrintState
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support.cards_prints import large, order
from tests.support.database import FreshDatabase
from tests.support.evening import Evening

ROOT = Path(__file__).resolve().parents[2]
PAUSE = 0.3  # seconds a worker waits wherever it tells how far it is


@pytest.fixture
def ordered(
    fresh_database: FreshDatabase, settings: LazySettings, tmp_path: Path
) -> tuple[Evening, PrintJob]:
    """A print of a whole K series, that nobody has begun."""
    settings.PRINTS_DIR = tmp_path / "prints"
    evening = Evening()
    issue = large(evening)
    return evening, order(evening, issue=issue, last=issue.series.size)


@contextmanager
def worker(database: FreshDatabase, job: PrintJob, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A worker in the middle of a print; it ends at the latest with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.printing", str(job.pk), str(folder), str(PAUSE)],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database.url},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert int(process.stdout.readline()) > 0
        yield process
    finally:
        process.kill()
        process.wait(timeout=10)


@pytest.mark.slow
def test_print_of_a_killed_worker_is_drawn_by_the_next(
    fresh_database: FreshDatabase, ordered: tuple[Evening, PrintJob], settings: LazySettings
) -> None:
    _evening, job = ordered
    folder = Path(settings.PRINTS_DIR)
    with worker(fresh_database, job, folder) as process:
        process.send_signal(signal.SIGSTOP)
        now = print_queries.progress(job)
        assert now.state == PrintState.RUNNING
        assert 0 < now.drawn < now.cards
        assert [one.suffix for one in folder.iterdir()] == [".part"]
        # It is slow, not dead: nobody takes the print away from it, or draws it a second time.
        draws_tasks.print_due_cards()
        draws_tasks.print_cards(job_id=job.pk)
        assert print_queries.progress(job).state == PrintState.RUNNING
    assert print_queries.progress(job).state == PrintState.RUNNING
    draws_tasks.print_cards(job_id=job.pk)
    assert print_queries.progress(job).state == PrintState.RUNNING
    draws_tasks.print_due_cards()
    assert print_queries.progress(job).state == PrintState.QUEUED
    draws_tasks.print_cards(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.pages, job.fault) == (PrintState.DONE, job.last // 6, "")
    assert [one.name for one in folder.iterdir()] == [print_queries.print_job_path(job).name]
    assert hashlib.sha256(print_queries.print_job_file(job).read_bytes()).hexdigest() == job.digest
    told = JournalEntry.objects.filter(kind__startswith="print").values_list("kind", flat=True)
    assert list(told) == ["print_ordered", "print_finished"]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_print_cancelled_while_it_is_drawn_is_given_up(
    fresh_database: FreshDatabase, ordered: tuple[Evening, PrintJob], settings: LazySettings
) -> None:
    evening, job = ordered
    folder = Path(settings.PRINTS_DIR)
    with worker(fresh_database, job, folder) as process:
        prints.cancel(job=job, **evening.who(Role.HALL_MANAGER))
        assert process.wait(timeout=20) == 0
    assert print_queries.progress(job).state == PrintState.CANCELLED
    assert list(folder.iterdir()) == []
    assert not JournalEntry.objects.filter(kind="print_finished").exists()
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_print_that_kills_every_worker_fails_in_the_end(
    fresh_database: FreshDatabase, ordered: tuple[Evening, PrintJob], settings: LazySettings
) -> None:
    _evening, job = ordered
    folder = Path(settings.PRINTS_DIR)
    PrintJob.objects.update(losses=prints.MOST_LOSSES - 1)
    with worker(fresh_database, job, folder):
        pass
    draws_tasks.print_due_cards()
    job.refresh_from_db()
    assert (job.state, job.fault) == (PrintState.FAILED, "print_worker_gone")
    assert list(folder.iterdir()) == []
    last = JournalEntry.objects.latest("number")
    assert (last.kind, last.data) == ("print_failed", {"job": job.pk, "fault": job.fault})
    assert last.by is None
    assert audit(Hall.objects.get()) == []
