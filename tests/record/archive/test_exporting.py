"""The page of archives: asked for, followed, taken away by whoever asked and by nobody else."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.conf import LazySettings
from django.db import DatabaseError, connection
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from bingo.rules import actas_after_sealing
from draws import tasks as draws_tasks
from draws.models import Card, Export, ExportState, Issue
from draws.record.archive import queue
from halls.journal import queries as journal_queries
from halls.models import JournalEntry, Look, Role
from tests.support import database
from tests.support.evening import Evening, browser_of

PATH = "/inspector/exports/"


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """Where this test's archives and keys lie."""
    settings.KEYS_DIR = tmp_path / "keys"
    settings.EXPORTS_DIR = tmp_path / "exports"
    return tmp_path / "exports"


def send(client: Client, verb: str, **fields: str) -> HttpResponse:
    """Send an order to the page."""
    answer: HttpResponse = client.post(f"{PATH}do/{verb}/", {"key": str(uuid4()), **fields})  # type: ignore[assignment]
    return answer


def asked(client: Client) -> Export:
    """Ask for a year."""
    assert send(client, "ask", first="2026-01-01", last="2026-12-31").status_code == 302
    return Export.objects.latest("pk")


def sent(answer: Any) -> bytes:
    """Return what was sent block by block."""

    async def joined() -> bytes:
        return b"".join([block async for block in answer.streaming_content])

    return async_to_sync(joined)()


@pytest.mark.rule("BOE III")
@pytest.mark.django_db
@pytest.mark.slow
def test_page_is_for_inspector_and_hall_manager_alone() -> None:
    evening = Evening()
    for role in Role:
        client = browser_of(evening.person(role))
        may = role in (Role.INSPECTOR, Role.HALL_MANAGER)
        for address in (PATH, f"{PATH}live/"):
            assert client.get(address).status_code in ((200, 286) if may else (403,)), role
        answer = send(client, "ask", first="2026-01-01", last="2026-12-31")
        assert answer.status_code == (302 if may else 403), role
        assert client.get(f"{PATH}1/archive.zip").status_code in ((404, 409) if may else (403,))
    assert Export.objects.count() == 2
    assert Client().get(PATH).status_code == 302


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "bad_input"),
        ({"first": "2026-02-01", "last": "2026-01-01"}, "bad_period"),
        ({"first": "0001-01-01", "last": "9999-12-31"}, "bad_input"),
        ({"first": "2026-02-31", "last": "x"}, "bad_input"),
        ({"first": "2026-01-01' OR 1=1", "last": "\x00"}, "bad_input"),
    ],
    ids=str,
)
@pytest.mark.django_db
def test_what_is_no_period_is_refused_and_kept_in_its_fields(
    fields: dict[str, str], code: str
) -> None:
    answer = send(Evening().at("inspector"), "ask", **fields)
    assert (answer.status_code, Export.objects.count()) == (409, 0)
    assert code in answer.content.decode()


@pytest.mark.django_db
def test_days_of_the_list_of_sessions_are_asked_for() -> None:
    inspector = Evening().at("inspector")
    page = inspector.get("/inspector/?from=2026-01-05&to=2026-01-09").content.decode()
    assert f"{PATH}?from=2026-01-05&amp;to=2026-01-09" in page
    page = inspector.get(f"{PATH}?from=2026-01-05&to=x").content.decode()
    assert 'value="2026-01-05"' in page


@pytest.mark.django_db
def test_second_is_refused_and_the_first_can_be_called_off() -> None:
    inspector = Evening().at("inspector")
    export = asked(inspector)
    answer = send(inspector, "ask", first="2026-01-01", last="2026-12-31")
    assert (answer.status_code, "export_under_way" in answer.content.decode()) == (409, True)
    assert inspector.get(f"{PATH}live/").status_code == 200
    assert send(inspector, "cancel", export=str(export.pk)).status_code == 302
    assert inspector.get(f"{PATH}live/").status_code == 286
    assert inspector.get(f"{PATH}{export.pk}/archive.zip").status_code == 409
    assert send(inspector, "cancel", export="x").status_code == 409
    asked(inspector)


@pytest.mark.slow
def test_archive_goes_to_whoever_asked_and_its_taking_is_a_look(
    fresh_database: database.FreshDatabase,
) -> None:
    evening = Evening().reach("sold")
    inspector, manager = evening.at("inspector"), evening.at("manager")
    export = asked(inspector)
    address = f"{PATH}{export.pk}/archive.zip"
    assert "take-" not in inspector.get(PATH).content.decode()
    assert inspector.get(address).status_code == 409
    draws_tasks.make_export(export_id=export.pk)
    assert f'href="{address}"' in inspector.get(PATH).content.decode()
    answer = inspector.get(address, REMOTE_ADDR="10.0.0.7")
    assert answer["Content-Disposition"] == (
        'attachment; filename="sala-2026-01-01-2026-12-31.zip"'
    )
    with zipfile.ZipFile(io.BytesIO(sent(answer))) as archive:
        assert {"manifest.json", "manifest.sig", "journal.jsonl"} <= {*archive.namelist()}
    # Others of the same hall see that it was asked for, and cannot take it; other halls nothing.
    page = manager.get(PATH).content.decode()
    assert (f"export-{export.pk}" in page, address in page) == (True, False)
    other = evening.hall.people.filter(roles__contains=[Role.INSPECTOR]).order_by("-pk")[0]
    for stranger in (manager, browser_of(other), Evening("vizinha").at("inspector")):
        assert stranger.get(address).status_code == 404
        assert send(stranger, "cancel", export=str(export.pk)).status_code == 409
    assert f"export-{export.pk}" not in Evening("outra").at("inspector").get(PATH).content.decode()

    own = asked(manager)
    draws_tasks.make_export(export_id=own.pk)
    manager.get(f"{PATH}{own.pk}/archive.zip")
    looks = Look.objects.filter(path__contains=".zip").values_list("person__roles", "path")
    assert (["inspector"], address) in looks
    assert (["hall_manager"], f"{PATH}{own.pk}/archive.zip") in looks
    page = inspector.get("/inspector/looks/").content.decode()
    assert f"{PATH}?first=2026-01-01&amp;last=2026-12-31" in page

    queue.export_list_path(export).unlink()
    gone = inspector.get(address)
    assert (gone.status_code, "export_gone" in gone.content.decode()) == (409, True)


@pytest.mark.slow
def test_archive_whose_taking_cannot_be_written_down_is_not_given(
    fresh_database: database.FreshDatabase,
) -> None:
    evening = Evening()
    manager = evening.at("manager")
    export = asked(manager)
    draws_tasks.make_export(export_id=export.pk)
    role = connection.settings_dict["USER"]
    with database.as_owner(fresh_database.name) as owner:
        owner.execute(f'REVOKE INSERT ON halls_look FROM "{role}"')
        assert manager.get(f"{PATH}{export.pk}/archive.zip").status_code == 503
        with pytest.raises(DatabaseError):
            send(manager, "ask", first="2026-01-01", last="2026-12-31")
        owner.execute(f'GRANT INSERT ON halls_look TO "{role}"')
    assert manager.get(f"{PATH}{export.pk}/archive.zip").status_code == 200
    assert Export.objects.count() == 1


@pytest.mark.django_db
def test_every_state_is_told_in_words() -> None:
    evening = Evening(language="pt")
    inspector = evening.at("inspector")
    export = asked(inspector)
    for state in ExportState:
        done = {
            "size": 1,
            "digest": "a" * 64,
            "expires_at": timezone.now() + actas_after_sealing.KEPT,
        }
        fault = "export_disk_full" if state == ExportState.FAILED else ""
        Export.objects.filter(pk=export.pk).update(
            state=state, fault=fault, step="rows", written=3, files=4, **done
        )
        page = inspector.get(PATH).content.decode()
        assert ("75 %" in page) == (state in (ExportState.QUEUED, ExportState.RUNNING))
        assert ("field__error" in page) == bool(fault)
        assert (f"take-{export.pk}" in page) == (state == ExportState.DONE)


def test_every_table_belongs_to_a_hall() -> None:
    for model in journal_queries.ours():
        assert journal_queries.path_to_hall(model), model
    assert journal_queries.path_to_hall(Card) == "series__hall"
    assert journal_queries.path_to_hall(Issue) == "hall"
    assert journal_queries.path_to_hall(JournalEntry) == "hall"
    assert connection.vendor == "postgresql"
