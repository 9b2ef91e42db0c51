"""What PostgreSQL shows an inspector, and refuses them, whatever a page of ours would ask."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import ProgrammingError, connection, transaction
from django.db.models import Model

from draws.models import Acta, Ball, Camera, Sale
from draws.record import queries as record_queries
from halls import inspection
from halls.inspection import reading
from halls.journal import queries as journal_queries
from halls.models import Hall, JournalEntry, Person, Session
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of

pytestmark = pytest.mark.django_db
MODELS = journal_queries.ours()


def both() -> tuple[Evening, Evening]:
    """Two halls, each in the middle of a game."""
    one, other = Evening("uma").reach("drawing"), Evening("outra").reach("drawing")
    for evening in (one, other):
        camera_of(evening)
    return one, other


def asked(statement: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


@pytest.mark.slow
def test_inspector_sees_every_row_of_the_own_hall_and_none_of_another() -> None:
    one, other = both()
    seen = 0
    for model in MODELS:
        rows = model._default_manager
        own = set(
            rows.filter(**{journal_queries.path_to_hall(model): one.hall.pk}).values_list(
                "pk", flat=True
            )
        )
        elsewhere = rows.filter(**{journal_queries.path_to_hall(model): other.hall.pk})
        with reading(one.hall):
            assert set(rows.values_list("pk", flat=True)) == own, model
            assert not elsewhere.exists(), model
        seen += bool(own and elsewhere.exists())
    assert seen > 12


@pytest.mark.slow
def test_statement_of_ones_own_sees_no_more_than_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = both()
    with reading(one.hall):
        assert asked("SELECT DISTINCT hall_id FROM halls_journalentry") == [(one.hall.pk,)]
        assert asked(f"SELECT 1 FROM public.halls_hall WHERE id = {other.hall.pk}") == []
        assert asked("SELECT count(*) FROM draws_sale") == [(1,)]
    assert asked("SELECT count(*) FROM draws_sale") == [(2,)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.db_table)
def test_every_write_of_an_inspector_is_refused(model: type[Model]) -> None:
    evening = Evening()
    table, key = model._meta.db_table, model._meta.pk.column
    for statement in (
        f"UPDATE {table} SET {key} = {key}",
        f"DELETE FROM {table}",
        f"INSERT INTO {table} DEFAULT VALUES",
        f"TRUNCATE public.{table}",
        f"SELECT 1 FROM {table} FOR UPDATE",
    ):
        with (
            pytest.raises(ProgrammingError, match="permission denied"),
            reading(evening.hall),
            transaction.atomic(),
        ):
            asked(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT password FROM public.halls_person",
        "SELECT last_login FROM public.halls_person",
        "SELECT * FROM public.halls_person",
        "SELECT url FROM public.draws_camera",
        "SELECT salt FROM public.draws_camera",
        "SELECT * FROM django_session",
        "SELECT * FROM django_content_type",
        "CREATE TABLE extra ()",
        "SELECT nextval('halls_hall_id_seq')",
        "SELECT remove_looks(1)",
        "SELECT remove_visits(1)",
    ],
)
def test_secrets_and_what_is_no_record_are_refused(statement: str) -> None:
    evening = Evening()
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        reading(evening.hall),
        transaction.atomic(),
    ):
        asked(statement)


def test_people_and_cameras_are_read_without_their_secrets() -> None:
    evening = Evening()
    camera = camera_of(evening)
    assert camera.salt
    with reading(evening.hall):
        person = Person.objects.select_related("hall").first()
        assert person is not None
        assert (person.password, person.last_login) == ("", None)
        assert person.name
        seen = Camera.objects.get()
        assert (seen.url, seen.salt, seen.name) == ("", "", camera.name)


def test_role_is_given_back_and_the_application_writes_again() -> None:
    evening = Evening().reach("session")
    with reading(evening.hall):
        assert asked("SELECT current_user") == [("bingo_inspector",)]
        assert Session.objects.count() == 1
    evening.reach("drawing")
    assert Ball.objects.count() == 15
    with pytest.raises(ProgrammingError), reading(evening.hall):
        Sale.objects.all().delete()
    assert Sale.objects.count() == 1
    assert asked("SHOW search_path") != [("inspection, public",)]


def test_page_of_the_desk_that_tries_to_write_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening().reach("sold")

    def writes(_hall: Hall, **_asked: Any) -> Any:
        Hall.objects.update(name="x")

    monkeypatch.setattr(record_queries, "sessions", writes)
    for desk in ("inspector", "manager"):
        client = evening.at(desk)
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            client.get("/inspector/")
    assert Hall.objects.get().name != "x"


def test_hall_of_whom_the_setting_says_nothing_is_nobodys() -> None:
    evening = Evening()
    with reading(Hall(pk=0)):
        assert not Hall.objects.exists()
        assert not JournalEntry.objects.exists()
        assert not Acta.objects.exists()
    assert inspection.SECRET.keys() <= {model._meta.db_table for model in MODELS}
    assert evening.hall.pk
