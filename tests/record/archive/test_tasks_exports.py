"""The worker's task that writes an archive asked for at the desk, and the sweep behind it."""

from __future__ import annotations

import errno
import hashlib
import os
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone

from bingo.celery_app import app
from bingo.pdf import SealError
from bingo.rules import actas_after_sealing
from bingo.rules.refusal import Refusal
from draws import tasks as draws_tasks
from draws.cards import prints
from draws.models import Export, ExportState
from draws.record.archive import queue, writing_and_expiring
from halls.models import Look, Role
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.threads import at_once

FIRST, LAST = date(2026, 1, 1), date(2026, 12, 31)


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """Where this test's archives and keys lie."""
    settings.KEYS_DIR = tmp_path / "keys"
    settings.EXPORTS_DIR = tmp_path / "exports"
    return tmp_path / "exports"


@pytest.fixture
def evening(fresh_database: FreshDatabase) -> Evening:
    """A hall in the middle of a game."""
    return Evening().reach("drawing")


def asked(evening: Evening, role: Role = Role.INSPECTOR, **fields: Any) -> Export:
    """Let somebody ask for the year."""
    usual: dict[str, Any] = {"first": FIRST, "last": LAST, "pictures": False, "key": uuid4()}
    return queue.ask_export(**(usual | evening.who(role) | fields))


def made(export: Export) -> Export:
    """Let the worker's task write it."""
    draws_tasks.make_export(export_id=export.pk)
    export.refresh_from_db()
    return export


def at_each_file(monkeypatch: pytest.MonkeyPatch, see: Callable[[str], None]) -> None:
    """Call `see` before each block that is written, as whatever happens meanwhile."""
    export = writing_and_expiring.export_archive

    def seen(*, writing: Callable[[str], None], **given: Any) -> writing_and_expiring.Written:
        def told(name: str) -> None:
            see(name)
            writing(name)

        return export(writing=told, **given)

    monkeypatch.setattr(writing_and_expiring, "LOOK", 0.0)
    monkeypatch.setattr(writing_and_expiring, "export_archive", seen)


# ---- writing


@pytest.mark.slow
def test_archive_is_the_one_that_the_command_makes(evening: Evening, folder: Path) -> None:
    export = made(asked(evening))
    place = queue.export_list_file(export, at=timezone.now())
    assert export.state == ExportState.DONE
    assert export.digest == hashlib.sha256(place.read_bytes()).hexdigest()
    assert export.size == place.stat().st_size
    assert list(folder.iterdir()) == [place]
    assert (oct(place.stat().st_mode)[-3:], oct(folder.stat().st_mode)[-3:]) == ("600", "700")
    other = folder / "other.zip"
    days = ["--from", "2026-01-01", "--to", "2026-12-31"]
    call_command("export_period", *days, "--out", str(other))
    assert other.read_bytes() == place.read_bytes()


@pytest.mark.slow
def test_that_archives_were_asked_for_is_in_none_of_them(evening: Evening) -> None:
    with zipfile.ZipFile(
        queue.export_list_file(made(asked(evening)), at=timezone.now())
    ) as archive:
        assert not [name for name in archive.namelist() if "draws_export" in name]


@pytest.mark.slow
def test_progress_is_told_while_it_is_written(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = asked(evening)
    told: list[tuple[int, str]] = []
    with _other_connection() as other:
        at_each_file(monkeypatch, lambda _name: told.append(_standing(other, export)))
        made(export)
    percents = [percent for percent, _step in told]
    assert percents == sorted(percents)
    assert percents[-1] > 80
    assert {step for _percent, step in told} >= {"journal", "rows", "tables", "schema"}
    assert export.written <= export.files


def _other_connection() -> psycopg.Connection[Any]:
    settings = connection.settings_dict
    return psycopg.connect(
        host=settings["HOST"], port=settings["PORT"], dbname=settings["NAME"],
        user=settings["USER"], password=settings["PASSWORD"], autocommit=True,
    )  # fmt: skip


def _standing(other: psycopg.Connection[Any], export: Export) -> tuple[int, str]:
    """What another page sees meanwhile."""
    statement = "SELECT written, files, step FROM draws_export WHERE id = %s"
    found = other.execute(statement, [export.pk]).fetchone()
    assert found is not None
    return actas_after_sealing.percent(found[0], found[1]), found[2]


@pytest.mark.slow
def test_many_workers_write_it_once(evening: Evening, folder: Path) -> None:
    export = asked(evening)
    at_once([lambda: draws_tasks.make_export(export_id=export.pk)] * 4)
    export.refresh_from_db()
    assert export.state == ExportState.DONE
    assert list(folder.iterdir()) == [queue.export_list_path(export)]
    assert queue.export_list_file(export, at=timezone.now())


# ---- asking


@pytest.mark.slow
def test_asking_is_a_look_that_tells_the_days(evening: Evening) -> None:
    for role in (Role.INSPECTOR, Role.HALL_MANAGER):
        asked(evening, role, pictures=True, source="10.0.0.7")
    looks = Look.objects.select_related("person")
    paths = {(look.person.roles[0], look.path, look.source) for look in looks}
    address = "/inspector/exports/?first=2026-01-01&last=2026-12-31&pictures=on"
    assert paths == {(role, address, "10.0.0.7") for role in ("inspector", "hall_manager")}


@pytest.mark.slow
def test_asking_again_with_the_same_key_asks_once(evening: Evening) -> None:
    key = uuid4()
    assert asked(evening, key=key) == asked(evening, key=key)
    with pytest.raises(Refusal, match="key_reused"):
        asked(evening, key=key, pictures=True)


@pytest.mark.slow
def test_one_at_a_time_for_each_person(evening: Evening) -> None:
    first = asked(evening)
    with pytest.raises(Refusal, match="export_under_way"):
        asked(evening)
    asked(evening, Role.HALL_MANAGER)
    made(first)
    asked(evening)


@pytest.mark.slow
def test_many_asking_at_once_ask_once(evening: Evening) -> None:
    def ask() -> None:
        with suppress(Refusal):
            asked(evening)

    at_once([ask] * 4)
    assert Export.objects.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "role", [Role.CASHIER, Role.SELLER, Role.CALLER, Role.TABLE_CHIEF], ids=str
)
def test_nobody_else_asks(evening: Evening, role: Role) -> None:
    with pytest.raises(Refusal, match="not_allowed"):
        asked(evening, role)


@pytest.mark.slow
def test_days_that_are_none_are_refused(evening: Evening) -> None:
    for first, last in ((LAST, FIRST), (date.min, LAST), (FIRST, date.max)):
        with pytest.raises(Refusal, match=r"bad_period|bad_input"):
            asked(evening, first=first, last=last)


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
def test_command_refuses_days_that_are_none(evening: Evening, tmp_path: Path, day: str) -> None:
    with pytest.raises(CommandError, match="1900 to 2999"):
        call_command("export_period", "--from", day, "--to", day, "--out", str(tmp_path / "a.zip"))


# ---- what is called off, what goes wrong


@pytest.mark.slow
def test_called_off_before_it_began_is_not_written(evening: Evening, folder: Path) -> None:
    export = asked(evening)
    queue.cancel_export(export=export.pk, **evening.who(Role.INSPECTOR))
    assert made(export).state == ExportState.CANCELLED
    assert not folder.exists()
    queue.cancel_export(export=export.pk, **evening.who(Role.INSPECTOR))


@pytest.mark.slow
@pytest.mark.parametrize("at", ["journal.jsonl", "rows/draws_sale.jsonl", "manifest.json"])
def test_called_off_while_it_is_written_leaves_nothing(
    evening: Evening, folder: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    export = asked(evening)
    with _other_connection() as other:
        statement = "UPDATE draws_export SET state = 'cancelled' WHERE id = %s"

        def call_off(name: str) -> None:
            if name == at:
                other.execute(statement, [export.pk])

        at_each_file(monkeypatch, call_off)
        assert made(export).state == ExportState.CANCELLED
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_nobody_calls_off_what_another_asked_for(evening: Evening) -> None:
    export = asked(evening)
    with pytest.raises(Refusal, match="export_unknown"):
        queue.cancel_export(export=export.pk, **evening.who(Role.HALL_MANAGER))
    made(export)
    with pytest.raises(Refusal, match="export_not_running"):
        queue.cancel_export(export=export.pk, **evening.who(Role.INSPECTOR))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (OSError(errno.ENOSPC, "full"), "export_disk_full"),
        (OSError(errno.EIO, "broken"), "export_not_written"),
        (SealError("key_unreadable"), "export_not_signed"),
        (Refusal("bad_period"), "bad_period"),
        (ValueError("secret detail"), "export_failed"),
    ],
    ids=str,
)
def test_what_goes_wrong_is_told_in_words(
    evening: Evening,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    fault: str,
) -> None:
    def broken(name: str) -> None:
        if name.startswith("rows/"):
            raise error

    export = asked(evening)
    at_each_file(monkeypatch, broken)
    assert (made(export).state, export.fault) == (ExportState.FAILED, fault)
    assert list(folder.iterdir()) == []
    asked(evening)


# ---- the sweep


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The exports that are asked for again."""
    found: list[int] = []
    monkeypatch.setattr(
        writing_and_expiring, "later", lambda _task, export_id: found.append(export_id)
    )
    return found


@pytest.mark.slow
def test_what_a_killed_worker_left_is_asked_for_again(
    evening: Evening, fresh_database: FreshDatabase, sent: list[int]
) -> None:
    export = asked(evening)
    with psycopg.connect(fresh_database.url) as worker:
        worker.execute("SELECT pg_advisory_lock(%s, %s)", [prints.EXPORTS, export.pk])
        Export.objects.update(state=ExportState.RUNNING, started_at=timezone.now())
        draws_tasks.make_due_exports()
        assert (Export.objects.get().state, sent) == (ExportState.RUNNING, [])
        pid = worker.info.backend_pid
    gone = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
    with psycopg.connect(fresh_database.owner_url, autocommit=True) as looking:
        while looking.execute(gone, [pid]).fetchone() != (0,):
            time.sleep(0.01)
    draws_tasks.make_due_exports()
    assert (Export.objects.get().state, sent) == (ExportState.QUEUED, [export.pk])
    assert made(export).state == ExportState.DONE


@pytest.mark.slow
def test_export_that_lost_too_many_workers_has_failed(evening: Evening, sent: list[int]) -> None:
    export = asked(evening)
    for _loss in range(actas_after_sealing.MOST_LOSSES):
        Export.objects.update(state=ExportState.RUNNING, started_at=timezone.now())
        draws_tasks.make_due_exports()
    export.refresh_from_db()
    assert (export.state, export.fault) == (ExportState.FAILED, "export_worker_gone")
    assert sent == [export.pk] * (actas_after_sealing.MOST_LOSSES - 1)


@pytest.mark.slow
def test_database_that_goes_away_leaves_it_to_the_sweep(
    evening: Evening,
    owner_connection: psycopg.Connection[Any],
    folder: Path,
    sent: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    export = asked(evening)

    def cut_off(name: str) -> None:
        if name.startswith("tables/"):
            owner_connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
                " AND objid = %s AND database ="
                " (SELECT oid FROM pg_database WHERE datname = current_database())", [export.pk],
            )  # fmt: skip

    at_each_file(monkeypatch, cut_off)
    with pytest.raises(OperationalError):
        draws_tasks.make_export(export_id=export.pk)
    connection.close()
    monkeypatch.undo()
    assert Export.objects.get().state == ExportState.RUNNING
    draws_tasks.make_due_exports()
    assert made(export).state == ExportState.DONE


@pytest.mark.slow
def test_worker_taken_for_dead_leaves_the_archive_to_whoever_writes_it_now(
    evening: Evening, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = asked(evening)
    part = folder / f".{export.pk}.zip.part"
    with _other_connection() as other:
        taken_up = "UPDATE draws_export SET started_at = started_at + interval '1 s' WHERE id = %s"

        def take_up(name: str) -> None:
            if name == "journal.jsonl":
                other.execute(taken_up, [export.pk])
                part.unlink()
                part.write_bytes(b"another's")

        at_each_file(monkeypatch, take_up)
        assert made(export).state == ExportState.RUNNING
    assert part.read_bytes() == b"another's"


@pytest.mark.slow
def test_worker_that_put_its_archive_in_place_too_late_deletes_nobody_s(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = asked(evening)
    place = queue.export_list_path(export)

    def too_late(export: Export, **_told: Any) -> None:
        Export.objects.update(started_at=timezone.now())
        place.write_bytes(b"another's")
        raise queue.ExportStopped

    monkeypatch.setattr(queue, "finish_export", too_late)
    assert made(export).state == ExportState.RUNNING
    assert place.read_bytes() == b"another's"


@pytest.mark.slow
def test_archive_is_removed_when_its_time_is_over(evening: Evening, folder: Path) -> None:
    export = made(asked(evening))
    writing_and_expiring.expire(at=timezone.now() + actas_after_sealing.KEPT - timedelta(minutes=1))
    assert queue.export_list_file(export, at=timezone.now())
    writing_and_expiring.expire(at=timezone.now() + actas_after_sealing.KEPT + timedelta(seconds=1))
    export.refresh_from_db()
    assert export.state == ExportState.EXPIRED
    assert list(folder.iterdir()) == []
    with pytest.raises(Refusal, match="export_expired"):
        queue.export_list_file(export, at=timezone.now())


@pytest.mark.slow
def test_archive_is_not_given_when_its_time_is_over_though_no_worker_swept(
    evening: Evening,
) -> None:
    export = made(asked(evening))
    Export.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    export.refresh_from_db()
    with pytest.raises(Refusal, match="export_expired"):
        queue.export_list_file(export, at=timezone.now())


@pytest.mark.slow
def test_sweep_removes_what_is_left_of_what_will_never_be_done(
    evening: Evening, folder: Path
) -> None:
    kept, gone = made(asked(evening)), asked(evening, Role.HALL_MANAGER)
    queue.cancel_export(export=gone.pk, **evening.who(Role.HALL_MANAGER))
    for name in (f"{gone.pk}.zip", f".{gone.pk}.zip.part", "notes.zip.txt"):
        (folder / name).write_text("x")
    draws_tasks.make_due_exports()
    assert {place.name for place in folder.iterdir()} == {f"{kept.pk}.zip", "notes.zip.txt"}


@pytest.mark.slow
def test_sweep_removes_what_is_left_of_a_database_that_was_put_back(
    evening: Evening, folder: Path
) -> None:
    export = made(asked(evening))
    old, young = folder / f"{export.pk + 7}.zip", folder / f".{export.pk + 8}.zip.part"
    for place in (old, young):
        place.write_text("x")
    long_ago = (timezone.now() - actas_after_sealing.KEPT).timestamp() - 1
    os.utime(old, (long_ago, long_ago))
    draws_tasks.make_due_exports()
    assert {place.name for place in folder.iterdir()} == {
        queue.export_list_path(export).name,
        young.name,
    }


@pytest.mark.slow
def test_file_that_is_gone_or_changed_is_not_given(evening: Evening) -> None:
    export = made(asked(evening))
    with queue.export_list_path(export).open("ab") as file:
        file.write(b"x")
    with pytest.raises(Refusal, match="export_changed"):
        queue.export_list_file(export, at=timezone.now())
    queue.export_list_path(export).unlink()
    with pytest.raises(Refusal, match="export_gone"):
        queue.export_list_file(export, at=timezone.now())


def test_archives_are_written_by_a_worker_of_their_own() -> None:
    route = app.amqp.router.route
    assert route({}, draws_tasks.make_export.name)["queue"].name == "archives"
    assert "queue" not in route({}, draws_tasks.print_cards.name) or (
        route({}, draws_tasks.print_cards.name)["queue"].name == "celery"
    )


def test_timer_runs_the_sweep() -> None:
    swept = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert draws_tasks.make_due_exports.name in swept
