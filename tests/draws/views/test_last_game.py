"""The last game on the pages of caller, table chief and manager, and on the board (R53)."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from bingo.rules.session import load
from draws.documents import facts
from draws.queries.audit import audit
from draws.queries.board import board
from draws.services import games
from draws.views import last_game
from draws.views.order import Order
from halls.models import Hall, JournalEntry, Role
from halls.services import endings, sessions
from tests.draws.services.commands import paid
from tests.draws.views.evening import Evening, order

pytestmark = [pytest.mark.django_db, pytest.mark.rule(53)]

SAID = "É a última jogada desta sessão."


def ending_in(evening: Evening, minutes: int) -> None:
    """Plan the end of the evening's session."""
    ends_at = timezone.now() + timedelta(minutes=minutes)
    endings.plan(session=evening.session, ends_at=ends_at, **evening.who(Role.HALL_MANAGER))


def page(evening: Evening, desk: str) -> str:
    answer = evening.at(desk).get(f"/{desk}/")
    assert answer.status_code == 200
    return answer.content.decode()


def typed(evening: Evening, minutes: int) -> str:
    """An hour of the hall's clock, so many minutes from now."""
    moment = timezone.now() + timedelta(minutes=minutes)
    return f"{moment.astimezone(ZoneInfo(evening.hall.time_zone)):%H:%M}"


def announce(evening: Evening, desk: str = "caller") -> Any:
    return order(evening.at(desk), desk, "announce-last")


@pytest.mark.parametrize("desk", ["caller", "table"])
@pytest.mark.parametrize("stage", ["session", "prepared", "selling", "drawing", "window"])
def test_pages_ask_for_the_announcement_from_ten_minutes_before(desk: str, stage: str) -> None:
    evening = Evening().reach(stage)
    assert 'id="last-game' not in page(evening, desk)
    ending_in(evening, 30)
    later = page(evening, desk)
    assert 'id="last-game-later"' in later
    assert "announce-last" not in later
    manager = evening.who(Role.HALL_MANAGER)
    ends_at = timezone.now() + timedelta(minutes=9)
    endings.plan(session=evening.session, ends_at=ends_at, reason="Cedo", **manager)
    due = page(evening, desk)
    assert 'id="last-game"' in due
    assert SAID in due
    assert announce(evening, desk).status_code == 200
    told = page(evening, desk)
    assert 'id="last-game-announced"' in told
    assert "announce-last" not in told


def test_announcement_before_its_time_is_refused_and_writes_nothing() -> None:
    evening = Evening().reach("session")
    assert announce(evening).status_code == 409
    ending_in(evening, 30)
    answer = announce(evening)
    assert answer.status_code == 409
    assert 'data-code="last_game_too_early"' in answer.content.decode()
    assert not JournalEntry.objects.filter(kind="last_game_announced").exists()


def test_last_game_is_played_to_its_end_and_no_sale_follows() -> None:
    evening = Evening().reach("selling")
    ending_in(evening, 9)
    assert board(evening.hall.code)[1]["last_game"] is None
    assert announce(evening).status_code == 200
    assert board(evening.hall.code)[1]["last_game"] == SAID
    evening.reach("paying")
    assert board(evening.hall.code)[1]["last_game"] == SAID
    paid(evening)
    games.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    assert board(evening.hall.code)[1]["last_game"] is None
    for desk in ("caller", "table", "manager"):
        assert 'id="last-game-over"' in page(evening, desk), desk
    assert "do/open-game/" not in page(evening, "table")
    answer = order(evening.at("table"), "table", "open-game", issue=evening.issue().pk)
    assert answer.status_code == 409
    assert 'data-code="last_game_played"' in answer.content.decode()
    assert audit(Hall.objects.get()) == []


def test_manager_plans_the_end_and_moves_it_with_a_reason() -> None:
    evening = Evening().reach("session")
    manager = evening.at("manager")
    assert order(manager, "manager", "plan-end", ends=typed(evening, 60)).status_code == 200
    assert 'name="reason"' in page(evening, "manager").split('id="planned-end"')[1]
    again = order(manager, "manager", "plan-end", ends=typed(evening, 90))
    assert 'data-code="reason_missing"' in again.content.decode()
    moved = {"ends": typed(evening, 90), "reason": "Sala cheia"}
    assert order(manager, "manager", "plan-end", **moved).status_code == 200
    told = JournalEntry.objects.filter(kind="session_end_planned").latest("number")
    assert told.data["reason"] == "Sala cheia"
    assert facts.told(told).endswith("Sala cheia")
    kept = load(evening.session.state).ending.ends_at
    left = datetime.fromisoformat(kept) - timezone.now()
    assert timedelta(minutes=88) < left <= timedelta(minutes=90)
    assert audit(Hall.objects.get()) == []


@pytest.mark.parametrize("ends", ["", "24:00", "9:00", "09:60", "٠٩:٠٠", "09:00\x00", "x" * 600])
def test_hour_that_is_none_is_refused(ends: str) -> None:
    evening = Evening().reach("session")
    answer = order(evening.at("manager"), "manager", "plan-end", ends=ends)
    assert answer.status_code == 409
    assert 'data-code="bad_input"' in answer.content.decode()
    assert not JournalEntry.objects.filter(kind="session_end_planned").exists()


def test_end_is_planned_when_the_session_is_opened() -> None:
    evening = Evening()
    ends_at = timezone.now() + timedelta(hours=2)
    who = evening.who(Role.HALL_MANAGER) | {"key": uuid4()}
    for _time in range(2):
        sessions.open_session(hall=evening.hall, checked=True, ends_at=ends_at, **who)
    kinds = list(JournalEntry.objects.order_by("number").values_list("kind", flat=True))
    assert kinds[-2:] == ["session_opened", "session_end_planned"]
    assert load(evening.session.state).ending.ends_at
    assert audit(Hall.objects.get()) == []


def test_session_without_a_planned_end_leaves_no_trace_of_one() -> None:
    evening = Evening().reach("session")
    assert "ending" not in evening.session.state
    assert 'id="session-ends"' in page(Evening("vizinha"), "manager")


@pytest.mark.rule("BOE III")
def test_end_is_planned_by_the_manager_and_announced_by_caller_or_table_chief() -> None:
    evening = Evening().reach("session")
    for desk in ("till", "caller", "table"):
        answer = order(evening.at(desk), desk, "plan-end", ends=typed(evening, 5))
        assert answer.status_code == 409, desk
    ending_in(evening, 5)
    for desk in ("till", "manager"):
        assert announce(evening, desk).status_code == 409, desk
    assert announce(evening, "table").status_code == 200


def test_hour_already_past_is_tomorrows() -> None:
    evening = Evening()
    at = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)  # 21:30 in the hall
    asked = Order(evening.person(Role.HALL_MANAGER), {"ends": "01:15"}, at, None)  # type: ignore[arg-type]
    assert last_game.hour(asked, "ends") == datetime(2026, 11, 21, 2, 15, tzinfo=UTC)
    asked = Order(evening.person(Role.HALL_MANAGER), {"ends": "21:31"}, at, None)  # type: ignore[arg-type]
    assert last_game.hour(asked, "ends") == datetime(2026, 11, 20, 22, 31, tzinfo=UTC)
