"""Whatever an inspector looks at is written down first, and what cannot be is not shown."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import resolve
from django.utils import timezone, translation

from draws.desks.inspector import search_and_access_log
from halls import inspection
from halls.models import Look, Role
from tests.support import database
from tests.support.evening import Evening, browser_of

PATHS = (
    "/inspector/", "/inspector/1/", "/inspector/1/1/", "/inspector/1/1/replay/?at=3",
    "/inspector/search/?q=anula%C3%A7%C3%A3o", "/inspector/journal.jsonl", "/inspector/looks/",
    "/watch/", "/cards/", "/equipment/", "/custody/", "/policy/", "/jackpot/", "/board/sala/",
    "/manager/", "/inspector/99/",
)  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_look_is_written_down_with_who_when_what_and_from_where(path: str) -> None:
    evening = Evening().reach("sold")
    before = timezone.now()
    browser_of(evening.person(Role.INSPECTOR)).get(path, REMOTE_ADDR="10.0.0.7")
    [look] = Look.objects.all()
    assert (look.path, look.source, look.method) == (path, "10.0.0.7", "GET")
    assert look.person == evening.person(Role.INSPECTOR)
    assert before <= look.at <= timezone.now()


@pytest.mark.slow
@pytest.mark.django_db
def test_orders_are_written_down_and_others_looks_are_not() -> None:
    evening = Evening().reach("sold")
    for role in set(Role) - {Role.INSPECTOR}:
        browser_of(evening.person(role)).get("/inspector/")
    assert not Look.objects.exists()
    browser_of(evening.person(Role.INSPECTOR)).post("/till/do/sell/")
    assert Look.objects.get().method == "POST"


@pytest.mark.slow
@pytest.mark.django_db
def test_page_that_follows_the_hall_is_one_look_a_minute() -> None:
    evening = Evening().reach("sold")
    inspector = evening.at("inspector")
    for _again in range(5):
        inspector.get("/watch/live/")
    assert Look.objects.count() == 1
    person, at = evening.person(Role.INSPECTOR), timezone.now() + timedelta(seconds=61)
    known = {"method": "GET", "route": "watch-live", "path": "/watch/live/", "source": ""}
    assert inspection.record_look(person, at=at, **known) is not None
    # Another's look is another's.
    other = evening.hall.people.filter(roles__contains=[Role.INSPECTOR]).order_by("-pk")[0]
    assert inspection.record_look(other, at=at, **known) is not None


@pytest.mark.slow
@pytest.mark.django_db
def test_long_and_strange_addresses_are_written_down_too() -> None:
    evening = Evening()
    inspector = evening.at("inspector")
    assert inspector.get("/inspector/search/", {"q": "ã\x00" * 2000}).status_code == 200
    assert inspector.get("/inspector/?" + "x" * 5000, REMOTE_ADDR="y" * 90).status_code == 200
    assert {len(look.path) for look in Look.objects.all()} == {inspection.LONGEST_PATH}


@pytest.mark.slow
@pytest.mark.django_db
def test_looks_are_shown_to_inspector_and_hall_manager() -> None:
    evening = Evening().reach("sold")
    evening.at("inspector").get("/inspector/search/?q=anula")
    for role in Role:
        answer = browser_of(evening.person(role)).get("/inspector/looks/")
        if role not in (Role.INSPECTOR, Role.HALL_MANAGER):
            assert answer.status_code == 403
            continue
        assert "/inspector/search/?q=anula" in answer.content.decode()
    manager = evening.at("manager")
    for query in ("day=x", "day=9999-12-31", "day=0001-01-01", "before=x", "before=" + "9" * 19):
        assert manager.get(f"/inspector/looks/?{query}").status_code == 200
    for day in ("0001-01-01", "2001-01-01", "9999-12-31"):
        assert "anula" not in manager.get(f"/inspector/looks/?day={day}").content.decode()
    assert "anula" not in Evening("vizinha").at("manager").get("/inspector/looks/").content.decode()


@pytest.mark.django_db
def test_a_look_never_changes() -> None:
    Evening().at("inspector").get("/inspector/")
    for statement in ("UPDATE halls_look SET path = ''", "DELETE FROM halls_look"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


@pytest.mark.slow
def test_nothing_is_shown_while_looks_cannot_be_written(
    fresh_database: database.FreshDatabase,
) -> None:
    evening = Evening().reach("sold")
    inspector, manager = evening.at("inspector"), evening.at("manager")
    role = connection.settings_dict["USER"]
    with database.as_owner(fresh_database.name) as owner:
        owner.execute(f'REVOKE INSERT ON halls_look FROM "{role}"')
        for path in PATHS:
            answer = inspector.get(path)
            assert answer.status_code == 503, path
            assert "look_not_recorded" in answer.content.decode()
        assert manager.get("/inspector/").status_code == 200
        owner.execute(f'GRANT INSERT ON halls_look TO "{role}"')
    assert inspector.get("/inspector/").status_code == 200


FILES = (
    "/policy/retention/1.txt", "/inspector/bingo-verify.pyz", "/inspector/bingo-witness.pyz",
    "/inspector/checkpoints/12/", "/inspector/journal.jsonl", "/inspector/1/acta.pdf?x=/",
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        *((path, "Download") for path in FILES),
        ("/inspector/checkpoints/", "Page"), ("/inspector/?from=1.2", "Page"),
        ("/inspector/search/?q=1.txt", "Search"), ("/cameras/1/still.jpg", "Picture"),
    ],
)  # fmt: skip
def test_what_was_taken_away_as_a_file_is_called_a_download(path: str, kind: str) -> None:
    route = resolve(path.partition("?")[0]).url_name or ""
    with translation.override("en"):
        assert str(search_and_access_log._kind(Look(method="GET", path=path, route=route))) == kind
