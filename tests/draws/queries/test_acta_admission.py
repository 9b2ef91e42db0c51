"""The acta of a session tells how many came to its door, and how many were sent away and why (BOE III)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from draws.documents.acta_session_values import AdmissionValues, SentAwayValues
from draws.queries import acta
from halls.models import Role
from halls.services import admission, sessions
from tests.draws.services.registering import asking, come_in
from tests.draws.views.evening import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.rule("BOE III")]


@pytest.fixture(autouse=True)
def keys(settings: Any, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path / "keys"


def told(evening: Evening) -> AdmissionValues | None:
    session = evening.session
    sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    return acta.values(session, made_at=timezone.now()).admission


def test_door_of_the_session_alone_is_told() -> None:
    evening = asking()
    come_in(evening, "BEFORE12")
    evening.reach("session")
    for number in ("FIRST123", "OTHER123"):
        come_in(evening, number)
    door: dict[str, Any] = {"hall": evening.hall, **evening.who(Role.DOOR)}
    admission.leave(**door)
    for reason in ("minor", "conduct", "conduct"):
        admission.refuse(reason=reason, **door)
    refused = (SentAwayValues("minor", 1), SentAwayValues("conduct", 2))
    assert told(evening) == AdmissionValues(admitted=2, left=1, most=3, refused=refused)


def test_session_whose_door_counted_nothing_tells_nothing_of_it() -> None:
    assert told(Evening().reach("session")) is None
