"""The worker's task that draws a print, and the sweep that finds what was left behind."""

from __future__ import annotations

import errno
import hashlib
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import psycopg
import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection
from django.utils import timezone, translation
from django.utils.translation import gettext

from bingo.celery_app import app
from bingo.rules.refusal import Refusal
from draws import tasks as draws_tasks
from draws.cards import print_queries, printing, prints, stock
from draws.models import Card, Issue, PrintJob, PrintState
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support.cards_prints import order, retire
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.fingerprint import CHANGES, plant
from tests.support.threads import at_once


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """Where this test's prints go."""
    settings.PRINTS_DIR = tmp_path / "prints"
    return tmp_path / "prints"


def drawn(job: PrintJob) -> PrintJob:
    """Let the worker's task draw a print."""
    draws_tasks.print_cards(job_id=job.pk)
    job.refresh_from_db()
    return job


def text(job: PrintJob) -> str:
    """Return what another program reads in a print."""
    command = ["pdftotext", "-layout", str(print_queries.print_job_file(job)), "-"]
    read = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return re.sub(r"[^\S\f]+", " ", read)


def pages(job: PrintJob) -> int:
    """Return the pages that other programs count in a print, which they find without fault."""
    file = str(print_queries.print_job_file(job))
    subprocess.run(["qpdf", "--check", file], check=True, capture_output=True)
    command = ["qpdf", "--show-npages", file]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


# ---- drawing


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"paper": "a4", "code": "barcode"}, 3),
        ({"paper": "letter", "code": "qr", "crop": True}, 3),
        ({"paper": "a4", "code": "none", "back": True}, 6),
        ({"paper": "roll", "code": "barcode"}, 14),
    ],
)
def test_print_is_drawn_into_a_private_file(
    folder: Path, asked: dict[str, Any], expected: int
) -> None:
    job = drawn(order(Evening(), first=3, last=16, **asked))
    file = print_queries.print_job_file(job)
    assert (job.state, job.drawn, job.pages, pages(job)) == ("done", 14, expected, expected)
    assert job.digest == hashlib.sha256(file.read_bytes()).hexdigest()
    assert file == folder / f"sala-{job.pk}.pdf"
    assert list(folder.iterdir()) == [file]
    assert (oct(file.stat().st_mode)[-3:], oct(folder.stat().st_mode)[-3:]) == ("600", "750")
    entry = JournalEntry.objects.latest("number")
    assert (entry.kind, entry.by, entry.at) == ("print_finished", None, job.ended_at)
    assert entry.data == {"job": job.pk, "pages": expected, "digest": job.digest}


@pytest.mark.rule(14)
@pytest.mark.django_db
def test_print_has_the_cards_of_the_series_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_queries, "BLOCK", 4)
    evening = Evening()
    retire(evening, 9, 10)
    job = drawn(order(evening, first=5, last=14, paper="roll", code="none"))
    cards = text(job).split("\f")[:-1]
    assert len(cards) == job.pages == 8
    for number, said in zip((5, 6, 7, 8, 11, 12, 13, 14), cards, strict=True):
        rows = Card.objects.get(series=evening.issue().series_id, number=number).rows
        words = re.findall(r"[0-9]+", said)
        assert str(number) in words
        assert {str(cell) for row in rows for cell in row if cell} <= set(words)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "word"),
    [("pt", "Série"), ("es", "Serie"), ("gl", "Serie"), ("ca", "Sèrie"), ("en", "Series")],
)
def test_print_says_in_the_halls_language_that_it_is_a_reprint(language: str, word: str) -> None:
    with translation.override(language):
        said = gettext("Reprint: copy %(number)s") % {"number": 2}
    evening, said = Evening(language=language), said.upper()
    first = text(drawn(order(evening)))
    again = text(drawn(order(evening, first=7, last=18, reason="Rasgados")))
    assert (word in first, said in first) == (True, False)
    assert (word in again, again.count(said)) == (True, 6)


@pytest.mark.django_db
def test_print_is_drawn_once(folder: Path) -> None:
    job = drawn(order(Evening()))
    entries, changed = (
        JournalEntry.objects.count(),
        print_queries.print_job_file(job).stat().st_mtime_ns,
    )
    drawn(job)
    draws_tasks.print_cards(job_id=job.pk + 1)
    assert JournalEntry.objects.count() == entries
    assert print_queries.print_job_file(job).stat().st_mtime_ns == changed


@pytest.mark.slow
def test_many_workers_draw_a_print_once(fresh_database: FreshDatabase, folder: Path) -> None:
    job = order(Evening(), last=90)
    at_once([lambda: draws_tasks.print_cards(job_id=job.pk)] * 5)
    job.refresh_from_db()
    assert (job.state, pages(job)) == (PrintState.DONE, 15)
    assert JournalEntry.objects.filter(kind="print_finished").count() == 1
    assert len(list(folder.iterdir())) == 1
    assert audit(Hall.objects.get()) == []


@pytest.mark.django_db
def test_progress_is_told_while_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prints, "LOOK", 0.0)
    job = order(Evening(), last=90)
    told: list[int] = []
    see_each_step(monkeypatch, lambda: told.append(print_queries.progress(job).drawn))
    drawn(job)
    assert told == sorted(told)
    assert told[-1:] == [90]


def see_each_step(monkeypatch: pytest.MonkeyPatch, see: Callable[[], object]) -> None:
    """Call `see` after each time the drawing tells how far it is."""
    draw = printing.sheets

    def seen(*cards: Any, progress: Callable[[int], None], **asked: Any) -> int:
        def told(count: int) -> None:
            progress(count)
            see()

        return int(draw(*cards, progress=told, **asked))

    monkeypatch.setattr(printing, "sheets", seen)


# ---- what is called off, what goes wrong


@pytest.mark.django_db
def test_print_called_off_before_it_began_is_not_drawn(folder: Path) -> None:
    evening = Evening()
    job = order(evening)
    prints.cancel(job=job, **evening.who(Role.HALL_MANAGER))
    assert drawn(job).state == PrintState.CANCELLED
    assert not folder.exists()


@pytest.mark.django_db
def test_print_called_off_at_the_very_end_has_no_file(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    evening = Evening()
    job, digest = order(evening), prints.print_file_digest

    def called_off(out: BinaryIO) -> str:
        prints.cancel(job=job, **evening.who(Role.HALL_MANAGER))
        return digest(out)

    monkeypatch.setattr(prints, "print_file_digest", called_off)
    assert drawn(job).state == PrintState.CANCELLED
    assert list(folder.iterdir()) == []
    assert JournalEntry.objects.latest("number").kind == "print_cancelled"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (OSError(errno.ENOSPC, "full"), "print_disk_full"),
        (OSError(errno.EIO, "broken"), "print_file_not_written"),
        (ValueError("secret detail"), "print_drawing_failed"),
        (Refusal("not_printable", what="colour"), "not_printable"),
    ],
)
def test_what_goes_wrong_is_the_prints_fault(
    monkeypatch: pytest.MonkeyPatch, folder: Path, error: Exception, fault: str
) -> None:
    def broken(*_cards: Any, **_asked: Any) -> int:
        raise error

    evening = Evening()
    job = order(evening)
    monkeypatch.setattr(printing, "sheets", broken)
    assert (drawn(job).state, job.fault) == (PrintState.FAILED, fault)
    assert list(folder.iterdir()) == []
    entry = JournalEntry.objects.latest("number")
    assert (entry.kind, entry.by, entry.data) == (
        "print_failed", None, {"job": job.pk, "fault": fault},
    )  # fmt: skip
    monkeypatch.undo()
    assert print_queries.runs(order(evening))[0].copy == 0


@pytest.mark.django_db
def test_folder_that_cannot_be_made_is_the_prints_fault(folder: Path) -> None:
    folder.write_text("no folder")
    assert drawn(order(Evening())).fault == "print_file_not_written"


@pytest.mark.slow
@pytest.mark.rule(14)
@pytest.mark.parametrize("change", CHANGES)
def test_cards_that_were_changed_are_not_printed(
    fresh_database: FreshDatabase, owner_connection: psycopg.Connection[Any], change: str
) -> None:
    job = order(Evening())
    plant(owner_connection, change)
    assert (drawn(job).state, job.fault) == (PrintState.FAILED, "matrix_changed")


@pytest.mark.slow
@pytest.mark.django_db
def test_print_of_an_issue_withdrawn_meanwhile_fails_and_its_file_is_not_handed_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = Evening()
    done, running, waiting = (order(evening, first=at, last=at + 5) for at in (1, 7, 13))
    drawn(done)

    def withdrawn() -> None:
        if Issue.objects.get(pk=running.issue_id).place != "withdrawn":
            asked = evening.who(Role.HALL_MANAGER)
            stock.withdraw(issue=running.issue, reason="Recolhida", **asked)

    see_each_step(monkeypatch, withdrawn)
    assert (drawn(running).state, running.fault) == ("failed", "issue_withdrawn")
    assert (drawn(waiting).state, waiting.fault) == ("failed", "issue_withdrawn")
    with pytest.raises(Refusal) as refused:
        print_queries.print_job_file(PrintJob.objects.get(pk=done.pk))
    assert refused.value.code == "issue_withdrawn"
    assert audit(Hall.objects.get()) == []


# ---- the sweep


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The prints whose drawing is asked for."""
    asked: list[int] = []
    monkeypatch.setattr(prints, "later", lambda _task, job_id: asked.append(job_id))
    return asked


@pytest.mark.django_db
def test_sweep_asks_again_for_what_waits(sent: list[int]) -> None:
    evening = Evening()
    waiting = [order(evening, reason="Fila").pk for _each in range(3)]
    done = drawn(order(evening, reason="Fila"))
    sent.clear()  # each was asked for when it was ordered
    draws_tasks.print_due_cards()
    assert (sent, done.state) == (waiting, PrintState.DONE)


@pytest.mark.slow
def test_sweep_leaves_what_somebody_draws(fresh_database: FreshDatabase, sent: list[int]) -> None:
    job = order(Evening())
    with psycopg.connect(fresh_database.url) as worker:
        worker.execute("SELECT pg_advisory_lock(%s, %s)", [prints.LOCKS, job.pk])
        PrintJob.objects.update(state=PrintState.RUNNING, started_at=timezone.now())
        draws_tasks.print_due_cards()
        assert print_queries.progress(job).state == PrintState.RUNNING
    sent.clear()  # it was asked for when it was ordered
    draws_tasks.print_due_cards()
    assert (print_queries.progress(job).state, sent) == (PrintState.QUEUED, [job.pk])


@pytest.mark.slow
def test_sweep_lets_a_print_fail_that_lost_too_many_workers(
    fresh_database: FreshDatabase, sent: list[int]
) -> None:
    job = order(Evening())
    sent.clear()  # it was asked for when it was ordered
    for _loss in range(prints.MOST_LOSSES):
        assert print_queries.progress(job).fault == ""
        PrintJob.objects.update(state=PrintState.RUNNING, started_at=timezone.now())
        assert audit(Hall.objects.get()) == []
        draws_tasks.print_due_cards()
        assert audit(Hall.objects.get()) == []
    job.refresh_from_db()
    assert (job.state, job.fault) == (PrintState.FAILED, "print_worker_gone")
    assert sent == [job.pk] * (prints.MOST_LOSSES - 1)
    assert JournalEntry.objects.latest("number").kind == "print_failed"
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_worker_lets_go_of_what_it_has_drawn(fresh_database: FreshDatabase) -> None:
    job = drawn(order(Evening()))
    with psycopg.connect(fresh_database.url) as other:
        free = other.execute("SELECT pg_try_advisory_lock(%s, %s)", [prints.LOCKS, job.pk])
        assert free.fetchone() == (True,)


@pytest.mark.slow
def test_database_that_goes_away_leaves_the_print_to_the_sweep(
    fresh_database: FreshDatabase,
    owner_connection: psycopg.Connection[Any],
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
) -> None:
    monkeypatch.setattr(prints, "LOOK", 0.0)
    job = order(Evening(), last=90)
    draw = printing.sheets

    def cut_off(*cards: Any, progress: Callable[[int], None], **asked: Any) -> int:
        def told(count: int) -> None:
            owner_connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                " AND objid = %s AND database ="
                " (SELECT oid FROM pg_database WHERE datname = current_database())", [job.pk],
            )  # fmt: skip
            progress(count)

        return int(draw(*cards, progress=told, **asked))

    monkeypatch.setattr(printing, "sheets", cut_off)
    with pytest.raises(OperationalError):
        draws_tasks.print_cards(job_id=job.pk)
    connection.close()
    monkeypatch.undo()
    assert print_queries.progress(job).state == PrintState.RUNNING
    assert list(folder.iterdir()) == []
    draws_tasks.print_due_cards()
    assert drawn(job).state == PrintState.DONE


def test_timer_runs_the_sweep() -> None:
    swept = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert draws_tasks.print_due_cards.name in swept
