"""The acta of a session tells how many came to its door, and how many were sent away and why (BOE III)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone, translation

from draws.record.acta import document
from draws.record.acta import queries as acta_queries
from draws.record.acta.session_values import AdmissionValues, SentAwayValues
from halls import sessions
from halls.admission import services as admission_services
from halls.models import Role
from tests.support.acta_texts import text
from tests.support.admissions import asking, come_in
from tests.support.evening import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.rule("BOE III")]


@pytest.fixture(autouse=True)
def keys(settings: Any, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path / "keys"


def told(evening: Evening) -> AdmissionValues | None:
    session = evening.session
    sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    return acta_queries.values(session, made_at=timezone.now()).admission


@pytest.mark.slow
def test_door_of_the_session_alone_is_told() -> None:
    evening = asking()
    come_in(evening, "BEFORE12")
    evening.reach("session")
    for number in ("FIRST123", "OTHER123"):
        come_in(evening, number)
    door: dict[str, Any] = {"hall": evening.hall, **evening.who(Role.DOOR)}
    admission_services.leave(**door)
    for reason in ("minor", "conduct", "conduct"):
        admission_services.refuse(reason=reason, **door)
    refused = (SentAwayValues("minor", 1), SentAwayValues("conduct", 2))
    assert told(evening) == AdmissionValues(admitted=2, left=1, most=3, refused=refused)


def test_session_whose_door_counted_nothing_tells_nothing_of_it() -> None:
    assert told(Evening().reach("session")) is None


@pytest.mark.slow
def test_acta_of_cape_verde_names_no_rule_of_spain() -> None:
    evening = asking()
    evening.reach("session")
    come_in(evening, "FIRST123")
    session = evening.session
    sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    with translation.override("pt"):
        written = text(document.draw(acta_queries.values(session, made_at=timezone.now())))
    assert "Porta" in written
    assert "BOE" not in written
