"""The acta tells which balls were replaced and what broke down, also just before the session."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from draws.record.acta import document
from draws.record.acta import queries as acta_queries
from halls import sessions
from halls.equipment import check_before_session
from halls.equipment import services as equipment_services
from halls.models import Role
from tests.support.acta_texts import text
from tests.support.ball_sets import (
    EXTRACTOR,
    SERIAL,
    ball_set,
    break_down,
    call_balls,
    checked,
    device,
    mend,
    own,
    replace_ball,
    use_set,
)
from tests.support.evening import Evening, spanish, tonight
from tests.support.played_games import completed
from tests.support.session_ends import ended

pytestmark = pytest.mark.django_db


@pytest.mark.rule(61)
@pytest.mark.rule(25)
@pytest.mark.slow
def test_acta_tells_replacements_and_breakdowns() -> None:
    evening = Evening()
    own(device, ball_set, use_set, call_balls)(evening)
    evening.reach("session")
    own(replace_ball, break_down, mend)(evening)
    session = ended(completed(evening))
    own(break_down)(evening)
    with translation.override("en"):
        notes = acta_queries.values(session, made_at=timezone.now()).notes
    assert [note.kind for note in notes] == ["ball_set", "ball_set", "breakdown", "breakdown"]
    put, replaced, broken, mended = (note.text for note in notes)
    assert put == f"Ball set put in use: {SERIAL} · Bombo 1"
    assert replaced == f"Ball replaced: {SERIAL} · ball 7 · Rachada · lote 1 → lote 2"
    assert broken == "Equipment breaks down: Bombo 1 · Turbina"
    assert mended == "Equipment works again: Bombo 1 · Correia nova"
    assert notes[0].by == evening.person(Role.HALL_MANAGER).name


@pytest.mark.slow
def test_acta_of_the_next_session_begins_where_the_last_one_ended() -> None:
    evening = Evening()
    own(device)(evening)
    first = ended(completed(evening.reach("session")))
    own(break_down)(evening)
    zone = ZoneInfo("UTC")
    assert [note.kind for note in acta_queries.notes(first, zone)] == ["ball_set"]
    equipment_services.waive(
        hall=evening.hall, kind="pneumatic", name=EXTRACTOR, reason="Tira-se à mão",
        witness=evening.person(Role.TABLE_CHIEF), **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    Evening._session(evening)
    with translation.override("en"):
        notes = list(acta_queries.notes(evening.session, zone))
    assert [note.kind for note in notes] == ["breakdown", "breakdown"]
    second = evening.person(Role.TABLE_CHIEF).username
    accepted = f"Failing equipment accepted: Bombo 1: Turbina · Tira-se à mão · before {second}"
    assert [note.text for note in notes] == ["Equipment breaks down: Bombo 1 · Turbina", accepted]


@pytest.mark.rule(61)
@pytest.mark.slow
def test_whoever_noted_a_breakdown_before_the_session_is_told_among_its_staff() -> None:
    evening = Evening()
    own(device)(evening)
    chief = evening.who(Role.TABLE_CHIEF)
    break_down(evening, chief)
    mend(evening, chief)
    evening.reach("session")
    told = acta_queries.values(evening.close(), made_at=timezone.now())
    assert {note.by for note in told.notes} == {chief["by"].name}
    assert chief["by"].name in {one.name for one in told.staff}


@pytest.mark.rule("BOE IV")
@pytest.mark.slow
def test_acta_of_spain_names_no_rule_of_cape_verde() -> None:
    evening = spanish()
    device(evening, evening.who(Role.HALL_MANAGER), name="Painel", kind="board", unapproved=True)
    checked(evening)
    [found] = check_before_session.checked(evening.hall, at=timezone.now()).in_the_way
    equipment_services.waive(
        hall=evening.hall, kind=found.kind, name=found.name, reason="Despacho",
        witness=evening.person(Role.TABLE_CHIEF), **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    sessions.open_session(
        hall=evening.hall, checked=False, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
    )
    session = evening.session
    sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    with translation.override("pt"):
        written = text(document.draw(acta_queries.values(session, made_at=timezone.now())))
    assert "sem aprovação em vigor" in written
    assert re.findall(r"\bR\d+", written) == []
