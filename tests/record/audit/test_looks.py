"""The log of who looked at what, changed behind PostgreSQL's back: the audit names the gap."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.utils import timezone

from bingo.rules import actas_after_sealing
from draws.record.audit import audit
from draws.retention.services import remove
from halls import inspection
from halls.inspection import look_digest
from halls.models import Hall, Look, Removal, Role
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of
from tests.support.removing import after, keep_for, lived
from tests.support.session_closing import closed, drawn
from tests.support.threads import at_once

PATHS = ("/inspector/", "/inspector/search/", "/policy/", "/inspector/looks/")


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = settings.PICTURES_DIR = tmp_path
    settings.KEYS_DIR, settings.PRINTS_DIR = tmp_path / "keys", tmp_path / "prints"


@pytest.fixture
def evening(fresh_database: FreshDatabase) -> Evening:
    """A hall at which an inspector has looked four times, and another that was looked at meanwhile."""
    evening, other = Evening(), Evening("outra")
    for path in PATHS:
        evening.at("inspector").get(path)
        other.at("inspector").get(path)
    return evening


def hall() -> Hall:
    return Hall.objects.get(code="sala")


def found() -> list[tuple[str, str]]:
    return [(one.code, one.detail) for one in audit(hall())]


def keys() -> list[int]:
    return list(Look.objects.filter(hall=hall()).order_by("pk").values_list("pk", flat=True))


def behind(owner: psycopg.Connection[Any], *statements: str) -> None:
    """Do what no trigger allows."""
    owner.execute("ALTER TABLE halls_look DISABLE TRIGGER append_only")
    for statement in statements:
        owner.execute(statement.encode())
    owner.execute("ALTER TABLE halls_look ENABLE ALWAYS TRIGGER append_only")


@pytest.mark.slow
def test_each_look_carries_the_digest_of_the_one_before_it(evening: Evening) -> None:
    rows = list(Look.objects.filter(hall=hall()).order_by("pk"))
    assert [one.before for one in rows] == [
        actas_after_sealing.START,
        *map(look_digest, rows[:-1]),
    ]
    assert len({one.before for one in rows}) == len(PATHS)
    assert found() == []


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("DELETE FROM halls_look WHERE id = {0}", 1),
        ("DELETE FROM halls_look WHERE id = {1}", 2),
        ("UPDATE halls_look SET path = '/' WHERE id = {1}", 2),
        ("UPDATE halls_look SET at = at - interval '1 hour' WHERE id = {2}", 3),
        ("UPDATE halls_look SET source = '10.0.0.7' WHERE id = {0}", 1),
        ("UPDATE halls_look SET before = repeat('0', 64) WHERE id = {1}", 1),
        ("UPDATE halls_look SET before = '' WHERE id = {3}", 3),
    ],
)
@pytest.mark.slow
def test_look_that_is_gone_or_says_otherwise_is_named(
    evening: Evening, owner_connection: psycopg.Connection[Any], statement: str, broken: int
) -> None:
    there = keys()
    behind(owner_connection, statement.format(*there))
    assert ("looks_broken", f"before look {there[broken]}") in found()
    assert audit(Hall.objects.get(code="outra")) == []


@pytest.mark.slow
def test_looks_of_a_moment_are_one_chain(fresh_database: FreshDatabase) -> None:
    person = Evening().person(Role.INSPECTOR)

    def look() -> None:
        inspection.record_look(
            person, at=timezone.now(), method="GET", route="inspector", path="/", source=""
        )

    assert at_once([look] * 8) == [None] * 8
    assert (len(keys()), found()) == (8, [])


def removed(evening: Evening) -> Removal:
    """Remove the looks of an evening that is long over."""
    camera_of(evening)
    keep_for(evening, looks=90)
    drawn(evening)
    closed(evening)
    lived(evening, 95)
    made = remove(hall=hall(), at=after(93))
    assert made is not None
    return made


@pytest.mark.slow
def test_look_after_a_removal_follows_from_the_last_that_was_removed(
    evening: Evening, owner_connection: psycopg.Connection[Any]
) -> None:
    last = look_digest(Look.objects.filter(hall=hall()).latest("pk"))
    made = removed(evening)
    assert (keys(), made.listed.split(" ")[1].split("/")[2]) == ([], last)
    for path in PATHS[:2]:
        evening.at("inspector").get(path)
    assert Look.objects.filter(hall=hall()).earliest("pk").before == last
    assert found() == []
    first, second = keys()
    behind(owner_connection, f"DELETE FROM halls_look WHERE id = {first}")
    assert found() == [("looks_broken", f"before look {second}")]


@pytest.mark.slow
def test_removal_of_other_looks_than_its_list_names_is_found(
    evening: Evening, owner_connection: psycopg.Connection[Any]
) -> None:
    made = removed(evening)
    assert found() == []
    owner_connection.execute("ALTER TABLE halls_removal DISABLE TRIGGER append_only")
    owner_connection.execute("UPDATE halls_removal SET looks_upto = looks_upto + 1")
    owner_connection.execute("ALTER TABLE halls_removal ENABLE ALWAYS TRIGGER append_only")
    assert found() == [("removal_differs", "looks are removed up to another")]
    assert audit(hall())[0].number == made.entry.number
