"""A fault before the first ball holds the game; after it the draw goes on by hand (R55)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.utils import timezone

from bingo.rules import session as rules
from bingo.rules import session_opening, session_state
from bingo.rules.checkpoints_and_clock import ClockReading
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState
from draws.balls import draw, readings
from draws.boards.queries import board
from draws.desks.table.games import suspending_context
from draws.games import progress
from draws.games import services as games_services
from draws.games.queries import HallState, get_hall_state, suspension
from draws.prizes import services as prizes_services
from draws.record.acta import game_queries
from draws.record.audit import audit
from draws.record.audit import games as audit_games
from draws.sales import services as sales_services
from halls import sessions
from halls.journal import clock, head
from halls.journal import services as journal_services
from halls.models import Hall, JournalEntry, Role, Session
from tests.support.evening import Evening
from tests.support.planting_rows import plant
from tests.support.playing import refuses

UTC = ZoneInfo("UTC")
pytestmark = [pytest.mark.django_db, pytest.mark.rule(55)]


def suspended(stage: str = "closed") -> Evening:
    """A game held by a fault."""
    evening = Evening().reach(stage)
    readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))
    return evening


def test_suspended_game_is_told_to_the_hall_since_when() -> None:
    evening = suspended()
    entry = JournalEntry.objects.get(kind="game_suspended")
    told = {"reason": "Sem luz", "since": entry.at.isoformat()}
    assert board(evening.hall.code)[1]["suspended"] == told
    assert suspension(get_hall_state(evening.hall.code)) == entry


@pytest.mark.slow
def test_suspended_game_draws_nothing_until_it_is_resumed() -> None:
    evening = suspended()
    caller = evening.who(Role.CALLER)
    with refuses(Refusal("suspended", reason="Sem luz")):
        games_services.announce_draw(game=evening.game, **caller)
    readings.resume_suspension(
        game=evening.game, decision="Gerador", **evening.who(Role.TABLE_CHIEF)
    )
    games_services.announce_draw(game=evening.game, **caller)
    draw.draw_ball(game=evening.game, **caller)
    assert board(evening.hall.code)[1]["suspended"] is None
    assert audit(Hall.objects.get()) == []


def test_suspended_draw_asks_the_rng_for_nothing() -> None:
    evening = Evening().reach("closed")
    caller = evening.who(Role.CALLER)
    games_services.announce_draw(game=evening.game, **caller)
    readings.suspend(game=evening.game, reason="Sem som", **caller)
    with refuses("suspended"):
        draw.draw_ball(game=evening.game, **caller)


@pytest.mark.slow
def test_suspended_game_that_nothing_mends_is_voided() -> None:
    evening = suspended()
    void(evening, after=901)
    assert board(evening.hall.code)[1]["suspended"] is None
    assert audit(Hall.objects.get()) == []


def test_fault_after_the_first_ball_suspends_nothing() -> None:
    evening = Evening().reach("drawing")
    with refuses(Refusal("fault_after_first_ball", balls=15)):
        readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))


@pytest.mark.parametrize("reason", ["", "  "])
def test_suspension_and_resumption_say_why(reason: str) -> None:
    evening = Evening().reach("closed")
    with refuses("reason_missing"):
        readings.suspend(game=evening.game, reason=reason, **evening.who(Role.CALLER))
    readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))
    with refuses("text_missing"):
        readings.resume_suspension(
            game=evening.game, decision=reason, **evening.who(Role.TABLE_CHIEF)
        )


@pytest.mark.slow
def test_sale_is_held_from_its_announcement_and_voided_with_its_refunds() -> None:
    evening = suspended("sold")
    cashier = evening.who(Role.CASHIER)
    with refuses(Refusal("suspended", reason="Sem luz")):
        sales_services.sell(game=evening.game, shift=evening.shift, quantity=1, **cashier)
    with refuses("suspended"):
        games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    void(evening, after=901)
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=1, last=6, shift=evening.shift, **cashier
    )
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_held_sale_goes_on_where_it_was() -> None:
    evening = suspended("selling")
    chief, cashier = evening.who(Role.TABLE_CHIEF), evening.who(Role.CASHIER)
    with refuses("not_allowed"):
        readings.resume_suspension(game=evening.game, decision="Gerador", **cashier)
    readings.resume_suspension(game=evening.game, decision="Gerador", **chief)
    sales_services.sell(game=evening.game, shift=evening.shift, quantity=2, **cashier)
    assert audit(Hall.objects.get()) == []


def test_sale_is_not_held_before_it_is_announced() -> None:
    evening = Evening().reach("prepared")
    with refuses("wrong_phase"):
        readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))


@pytest.mark.slow
@pytest.mark.rule(61)
def test_another_cause_after_a_ball_is_an_occurrence_of_the_acta_by_two_persons() -> None:
    evening = Evening().reach("drawing")
    told: dict[str, Any] = {"game": evening.game, "cause": "other", "reason": "Inundação"}
    chief = evening.who(Role.TABLE_CHIEF)
    with refuses(Refusal("second_person_needed", command="game_voided")):
        games_services.void(**told, **chief)
    with refuses("witness_same_person"):
        games_services.void(**told, witness=chief["by"], **chief)
    manager = evening.person(Role.HALL_MANAGER)
    games_services.void(**told, witness=manager, **chief)
    [note] = game_queries.occurrences(evening.session, UTC)
    assert (note.kind, note.game) == ("occurrence", 1)
    for part in ("15", "Inundação", manager.name):
        assert part in note.text
    assert audit(Hall.objects.get()) == []


def void(evening: Evening, *, after: float, **changed: Any) -> None:
    """Void the game by a fault, so many seconds after it was suspended."""
    held = JournalEntry.objects.filter(kind="game_suspended").order_by("number").last()
    began = held.at if held else timezone.now()
    chief = evening.who(Role.TABLE_CHIEF) | {"at": began + timedelta(seconds=after)} | changed
    games_services.void(game=evening.game, cause="fault", reason="Sem luz", **chief)


@pytest.mark.slow
def test_fault_voids_nothing_before_its_fifteen_minutes_are_over() -> None:
    evening = suspended()
    with refuses(Refusal("fault_may_be_mended", left=1)):
        void(evening, after=899)
    with refuses(Refusal("fault_may_be_mended", left=900)):
        void(evening, after=-60)
    key = uuid4()
    for after in (900, 1000):
        void(evening, after=after, key=key)
    assert JournalEntry.objects.get(kind="game_voided").data["held"] == 900
    assert audit(Hall.objects.get()) == []


HOUR = timedelta(hours=1)
AS_IT_WAS = ClockReading(True, 20_000, "run-1", 1_800_000_000_000_000)


def set_clock(by: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the clock; nobody has read it since."""
    moved = by // timedelta(microseconds=1)
    monkeypatch.setattr(clock, "read", lambda: replace(AS_IT_WAS, began=AS_IT_WAS.began + moved))


@pytest.mark.slow
@pytest.mark.parametrize("by", [HOUR, -HOUR])
@pytest.mark.parametrize("when", ["before", "after"])
def test_clock_that_was_set_neither_lengthens_nor_shortens_the_fifteen_minutes(
    when: str, by: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening().reach("closed")
    began = timezone.now()
    at, now = (began + by if when == "before" else began), began + by
    set_clock(timedelta(), monkeypatch)
    clock.read_all(at=began)
    if when == "before":
        set_clock(by, monkeypatch)
    readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER) | {"at": at})
    set_clock(by, monkeypatch)
    if when == "before":
        clock.read_all(at=now)
    left = suspending_context(*standing(evening), at=now + timedelta(seconds=899))["held_left"]
    assert board(evening.hall.code)[1]["suspended"]["since"] == now.astimezone(UTC).isoformat()
    with refuses(Refusal("fault_may_be_mended", left=left)):
        void(evening, after=0, at=now + timedelta(seconds=899))
    void(evening, after=0, at=now + timedelta(seconds=900))
    assert (left, JournalEntry.objects.get(kind="game_voided").data["held"]) == (1, 900)
    assert audit(Hall.objects.get()) == []


def test_suspension_and_void_read_the_clock_and_note_only_what_is_new() -> None:
    evening = Evening().reach("closed")
    clock.read_all(at=timezone.now())
    readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))
    void(evening, after=900)
    assert JournalEntry.objects.filter(kind="clock_read").count() == 1


@pytest.mark.parametrize("older", [False, True])
def test_audit_finds_a_void_that_counts_by_a_clock_set_forward(
    older: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening().reach("closed")
    set_clock(timedelta(), monkeypatch)
    readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))
    quarter = timedelta(minutes=15)
    set_clock(quarter, monkeypatch)
    clock.read_all(at=timezone.now() + quarter)
    told = evening.who(Role.TABLE_CHIEF) | {"at": timezone.now() + quarter}
    progress.step(
        evening.game, "game_voided", cause="fault", reason="Sem luz", key=None, held=900, **told
    )
    if older:  # sessions in which the clock was not read at both ends
        monkeypatch.setattr(audit_games, "TIMED", session_opening.DUTIES + 1)
    found = [one.detail for one in audit(Hall.objects.get())]
    assert found == ([] if older else ["game_voided: fault_may_be_mended(left=900)"])


def test_runs_of_the_system_without_a_name_count_by_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clock, "read", lambda: replace(AS_IT_WAS, boot=""))
    evening = suspended()
    # Another run of the same name: its count of time began years later.
    monkeypatch.setattr(clock, "read", lambda: replace(AS_IT_WAS, boot="", began=5))
    with refuses(Refusal("fault_may_be_mended", left=1)):
        void(evening, after=899)
    void(evening, after=900)
    assert JournalEntry.objects.get(kind="game_voided").data["held"] == 900
    assert audit(Hall.objects.get()) == []


def standing(evening: Evening) -> tuple[HallState, GameState]:
    now = get_hall_state(evening.hall.code)
    assert now.game_state
    return now, now.game_state


@pytest.mark.parametrize("stage", ["selling", "sold", "closed"])
def test_fault_voids_nothing_that_it_does_not_hold(stage: str) -> None:
    evening = Evening().reach(stage)
    with refuses("fault_not_suspended"):
        void(evening, after=5000)
    games_services.void(
        game=evening.game, cause="other", reason="Fogo", **evening.who(Role.TABLE_CHIEF)
    )


def test_minutes_of_a_fault_that_was_mended_do_not_count_for_the_next() -> None:
    evening = suspended()
    chief = evening.who(Role.TABLE_CHIEF)
    readings.resume_suspension(game=evening.game, decision="Gerador", **chief)
    with refuses("fault_not_suspended"):
        void(evening, after=5000)
    later = timezone.now() + timedelta(minutes=20)
    caller = evening.who(Role.CALLER) | {"at": later}
    readings.suspend(game=evening.game, reason="Sem luz", **caller)
    with refuses(Refusal("fault_may_be_mended", left=890)):
        void(evening, after=10)


def test_fault_voids_nothing_after_a_first_ball_that_was_recalled() -> None:
    evening = Evening().reach("closed")
    caller = evening.who(Role.CALLER)
    games_services.announce_draw(game=evening.game, **caller)
    draw.announce_ball(game=evening.game, number=7, **caller)
    draw.recall_ball(game=evening.game, number=7, **caller)
    with refuses(Refusal("fault_after_first_ball", balls=0)):
        void(evening, after=5000)


@pytest.mark.slow
def test_game_mended_late_goes_on_as_long_as_nobody_has_voided_it() -> None:
    evening = suspended()
    late = evening.who(Role.TABLE_CHIEF) | {"at": timezone.now() + timedelta(minutes=16)}
    readings.resume_suspension(game=evening.game, decision="Luz às 21:14", **late)
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    assert audit(Hall.objects.get()) == []


def test_void_by_a_fault_of_before_it_had_to_be_held_is_read_as_it_was() -> None:
    evening = Evening().reach("closed")
    known = session_state.load(evening.session.state)
    fact = rules.decide(known, "game_voided", cause="fault", reason="Sem luz")
    assert "held" not in fact.data
    assert rules.judge(known, fact) == rules.after(known, fact)


@pytest.mark.parametrize("told_before", [True, False])
def test_audit_finds_a_void_by_fault_that_nothing_suspended(told_before: bool) -> None:
    evening = Evening().reach("closed")
    if told_before:
        readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))
        readings.resume_suspension(
            game=evening.game, decision="Gerador", **evening.who(Role.TABLE_CHIEF)
        )
    # Journals of halls that never told a suspension may be older than the demand for one.
    progress.step(
        evening.game, "game_voided", cause="fault", reason="Sem luz", key=None,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    details = [one.detail for one in audit(Hall.objects.get())]
    assert details == (["game_voided: fault_not_suspended()"] if told_before else [])


def test_audit_finds_a_suspension_told_longer_than_it_was() -> None:
    evening = suspended()
    progress.step(
        evening.game, "game_voided", cause="fault", reason="Sem luz", key=None, held=901,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    [found] = audit(Hall.objects.get())
    assert "fault_may_be_mended" in found.detail


@pytest.mark.parametrize("forgotten", [True, False])
def test_audit_finds_a_session_that_forgets_the_duties_of_the_one_before(forgotten: bool) -> None:
    evening = Evening().reach("session")
    manager = evening.who(Role.HALL_MANAGER)
    first = sessions.close_session(session=evening.session, **manager)
    terms = {name: told for name, told in first.state["terms"].items() if name != "duties"}
    duties = {} if forgotten else {"duties": session_opening.DUTIES}
    fact = Fact("session_opened", terms | duties | {"number": 2})
    with transaction.atomic():
        hall = head.lock(evening.hall.pk)
        second = Session.objects.create(
            hall=hall, number=2, authorisation=first.authorisation, opened_by=manager["by"],
            opened_at=manager["at"], state=session_state.dump(session_opening.begin(fact)),
        )  # fmt: skip
        entry = journal_services.append(hall, fact, session=second, **manager)
        plant(Session.objects.filter(pk=second.pk), opened_at=entry.at)
    found = [one.detail for one in audit(Hall.objects.get())]
    assert any("fact_disagrees" in detail for detail in found) == forgotten
