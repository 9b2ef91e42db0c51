"""The last game on the pages of caller, table chief and manager, and on the board (R53)."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from bingo.rules import journal_json_and_chain
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import load
from draws.boards.queries import board
from draws.desks import reminders
from draws.games import services as games_services
from draws.record import journal_text
from draws.record.audit import audit
from draws.web.forms import CommandForm
from halls import sessions
from halls.models import Hall, JournalEntry, Role
from tests.support.ball_sets import checked
from tests.support.evening import Evening, order
from tests.support.service_commands.prizes import paid
from tests.support.till_hall import double_cards

pytestmark = [pytest.mark.django_db, pytest.mark.rule(53)]

SAID = "É a última jogada desta sessão."


def ending_in(evening: Evening, minutes: int) -> None:
    """Plan the end of the evening's session."""
    ends_at = timezone.now() + timedelta(minutes=minutes)
    who = evening.who(Role.HALL_MANAGER)
    sessions.plan_session_end(session=evening.session, ends_at=ends_at, reason="Sala vazia", **who)


def body(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


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
@pytest.mark.slow
def test_pages_ask_for_the_announcement_from_ten_minutes_before(desk: str, stage: str) -> None:
    evening = Evening().reach(stage)
    assert 'id="last-game-later"' in page(evening, desk)
    ending_in(evening, 30)
    later = page(evening, desk)
    assert 'id="last-game-later"' in later
    assert "announce-last" not in later
    manager = evening.who(Role.HALL_MANAGER)
    ends_at = timezone.now() + timedelta(minutes=9)
    sessions.plan_session_end(session=evening.session, ends_at=ends_at, reason="Cedo", **manager)
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


@pytest.mark.slow
def test_last_game_is_played_to_its_end_and_no_sale_follows() -> None:
    evening = Evening().reach("selling")
    ending_in(evening, 9)
    assert board(evening.hall.code)[1]["last_game"] is None
    assert announce(evening).status_code == 200
    assert board(evening.hall.code)[1]["last_game"] == SAID
    evening.reach("paying")
    assert board(evening.hall.code)[1]["last_game"] == SAID
    paid(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    assert board(evening.hall.code)[1]["last_game"] is None
    for desk in ("caller", "table", "manager"):
        assert 'id="last-game-over"' in page(evening, desk), desk
    assert "do/open-game/" not in page(evening, "table")
    answer = order(evening.at("table"), "table", "open-game", issue=evening.issue().pk)
    assert answer.status_code == 409
    assert 'data-code="last_game_played"' in answer.content.decode()
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_game_that_was_said_to_be_the_last_is_not_another_one_once_it_is_over() -> None:
    evening = Evening().reach("window")
    ending_in(evening, 9)
    told = page(evening, "caller").split('id="last-game"')[1]
    assert 'name="game" value="1"' in told
    evening.reach("paying")
    late = order(evening.at("caller"), "caller", "announce-last", game=1)
    assert (late.status_code, 'data-code="stale_page"' in body(late)) == (409, True)
    assert not JournalEntry.objects.filter(kind="last_game_announced").exists()
    again = {"game": 2, "key": uuid4()}
    for _press in range(2):
        assert order(evening.at("caller"), "caller", "announce-last", **again).status_code == 200
    assert load(evening.session.state).ending.last_game == 2


@pytest.mark.slow
def test_manager_plans_the_end_and_moves_it_with_a_reason() -> None:
    evening = Evening().reach("session")
    manager = evening.at("manager")
    assert 'name="reason"' in page(evening, "manager").split('id="planned-end"')[1]
    again = order(manager, "manager", "plan-end", ends=typed(evening, 90))
    assert 'data-code="reason_missing"' in again.content.decode()
    moved = {"ends": typed(evening, 90), "reason": "Sala cheia"}
    assert order(manager, "manager", "plan-end", **moved).status_code == 200
    told = JournalEntry.objects.filter(kind="session_end_planned").latest("number")
    assert told.data["reason"] == "Sala cheia"
    assert journal_text.describe_entry(told).endswith("Sala cheia")
    kept = load(evening.session.state).ending.ends_at
    left = datetime.fromisoformat(kept) - timezone.now()
    assert timedelta(minutes=88) < left <= timedelta(minutes=90)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["", "24:00", "9:00", "09:60", "٠٩:٠٠", "09:00\x00", "x" * 600])
def test_hour_that_is_none_is_refused(ends: str) -> None:
    evening = Evening().reach("session")
    answer = order(evening.at("manager"), "manager", "plan-end", ends=ends)
    assert answer.status_code == 409
    assert 'data-code="bad_input"' in answer.content.decode()
    assert not JournalEntry.objects.filter(kind="session_end_planned").exists()


@pytest.mark.slow
def test_end_is_planned_when_the_session_is_opened() -> None:
    evening = Evening()
    ends_at = timezone.now() + timedelta(hours=2)
    who = evening.who(Role.HALL_MANAGER) | {"key": uuid4()}
    for _time in range(2):
        sessions.open_session(hall=evening.hall, checked=True, ends_at=ends_at, **who)
    told = JournalEntry.objects.get(kind="session_opened")
    assert told.data["ends_at"] == journal_json_and_chain.written_moment(ends_at)
    assert load(evening.session.state).ending.ends_at == journal_json_and_chain.written_moment(
        ends_at
    )
    assert f"{timezone.localtime(ends_at):%H:%M}" in journal_text.describe_entry(told)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_session_is_not_opened_without_its_end_and_offers_the_last_one() -> None:
    evening = Evening()
    checked(evening)
    manager = evening.at("manager")
    for sent in ({}, {"ends": ""}, {"ends": " "}):
        answer = order(manager, "manager", "open-session", **sent)
        assert (answer.status_code, 'data-code="session_end_missing"' in body(answer)) == (
            409,
            True,
        )
    wrong = order(manager, "manager", "open-session", ends="24:00")
    assert 'data-code="bad_input"' in body(wrong)
    assert not evening.hall.sessions.exists()
    hour = typed(evening, 240)
    assert order(manager, "manager", "open-session", ends=hour).status_code == 200
    evening.close()
    assert f'value="{hour}"' in page(evening, "manager").split('id="session-ends"')[1][:200]


@pytest.mark.slow
def test_sale_of_the_last_ten_minutes_waits_for_its_announcement() -> None:
    evening = Evening().reach("prepared")
    ending_in(evening, 9)
    refused = order(evening.at("caller"), "caller", "announce-sale", game=evening.game.pk)
    assert (refused.status_code, 'data-code="last_game_due"' in body(refused)) == (409, True)
    assert 'id="last-game"' in body(refused)
    key = uuid4()
    assert announce(evening).status_code == 200
    for _time in range(2):
        answer = order(
            evening.at("caller"), "caller", "announce-sale", key=key, game=evening.game.pk
        )
        assert answer.status_code == 200
    assert JournalEntry.objects.filter(kind="sale_announced").count() == 1
    assert audit(Hall.objects.get()) == []


def test_sale_announced_again_after_the_tenth_minute_is_still_the_same() -> None:
    """A request sent twice has the moment of its first, whatever the clock says by then."""
    evening = Evening().reach("prepared")
    key, who = uuid4(), evening.who(Role.CALLER)
    games_services.announce_sale(game=evening.game, key=key, **who)
    late = who | {"at": who["at"] + timedelta(hours=7, minutes=55)}
    games_services.announce_sale(game=evening.game, key=key, **late)
    assert JournalEntry.objects.filter(kind="sale_announced").count() == 1


@pytest.mark.rule("BOE III")
@pytest.mark.slow
def test_end_is_planned_by_the_manager_and_announced_by_caller_or_table_chief() -> None:
    evening = Evening().reach("session")
    for desk in ("till", "caller", "table"):
        answer = order(evening.at(desk), desk, "plan-end", ends=typed(evening, 5))
        assert answer.status_code == 409, desk
    ending_in(evening, 5)
    for desk in ("till", "manager"):
        assert announce(evening, desk).status_code == 409, desk
    assert announce(evening, "table").status_code == 200


@pytest.mark.slow
def test_end_on_another_day_is_told_with_its_day() -> None:
    """Two minutes too late, somebody who means now has planned tomorrow: it is said."""
    evening = Evening().reach("session")
    late = {"ends": typed(evening, -2), "reason": "Cedo"}
    answer = order(evening.at("manager"), "manager", "plan-end", **late)
    ends_at = datetime.fromisoformat(load(evening.session.state).ending.ends_at)
    here = ends_at.astimezone(ZoneInfo(evening.hall.time_zone))
    assert here - timezone.now() > timedelta(hours=23)
    day = f"{here:%d/%m/%Y %H:%M}"
    for told in (body(answer), *(page(evening, desk) for desk in ("manager", "caller", "table"))):
        assert (day in told) == (here.date() != evening.today)
    ending_in(evening, 1)
    assert day not in page(evening, "caller")


def test_hour_already_past_is_tomorrows() -> None:
    evening = Evening()
    at = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)  # 21:30 in the hall
    asked = CommandForm(evening.person(Role.HALL_MANAGER), {"ends": "01:15"}, at, None)  # type: ignore[arg-type]
    assert reminders.hour(asked, "ends") == datetime(2026, 11, 21, 2, 15, tzinfo=UTC)
    asked = CommandForm(evening.person(Role.HALL_MANAGER), {"ends": "21:31"}, at, None)  # type: ignore[arg-type]
    assert reminders.hour(asked, "ends") == datetime(2026, 11, 20, 22, 31, tzinfo=UTC)


def test_session_opened_by_a_key_is_not_said_to_be_opened_with_another_end() -> None:
    evening = Evening()
    checked(evening)
    opening = {"key": uuid4(), "ends": typed(evening, 60)}
    for _press in range(2):
        assert order(evening.at("manager"), "manager", "open-session", **opening).status_code == 200
    other = opening | {"ends": typed(evening, 180)}
    answer = order(evening.at("manager"), "manager", "open-session", **other)
    assert (answer.status_code, 'data-code="key_reused"' in body(answer)) == (409, True)
    left = datetime.fromisoformat(load(evening.session.state).ending.ends_at) - timezone.now()
    assert left <= timedelta(minutes=60)


def test_hour_of_an_order_sent_again_once_it_is_over_is_still_the_same() -> None:
    evening, key = Evening().reach("session"), uuid4()
    sent = {"ends": typed(evening, 90), "reason": "Sala cheia"}
    answer = order(evening.at("manager"), "manager", "plan-end", key=key, **sent)
    assert answer.status_code == 200
    late = timezone.now() + timedelta(hours=2)
    again = CommandForm(evening.person(Role.HALL_MANAGER), sent, late, key)  # type: ignore[arg-type]
    meant = journal_json_and_chain.written_moment(reminders.hour(again, "ends"))
    assert meant == load(evening.session.state).ending.ends_at


@pytest.mark.slow
def test_session_opens_and_ends_by_the_clock_although_the_journal_is_a_day_ahead() -> None:
    evening = Evening().reach("session")
    ahead = evening.who(Role.HALL_MANAGER) | {"at": timezone.now() + timedelta(days=1)}
    sessions.close_session(session=evening.session, **ahead)
    checked(evening)
    opened = order(evening.at("manager"), "manager", "open-session", ends=typed(evening, 30))
    assert opened.status_code == 200
    ending = load(evening.session.state).ending
    assert datetime.fromisoformat(ending.ends_at) - timezone.now() <= timedelta(minutes=30)
    assert 'data-code="last_game_too_early"' in body(announce(evening))
    ending_in(evening, 9)
    assert announce(evening).status_code == 200
    assert audit(Hall.objects.get()) == []


LISBON = ZoneInfo("Europe/Lisbon")


def test_night_on_which_clocks_go_back_has_the_hour_twice_and_the_earlier_is_meant() -> None:
    eve = datetime(2026, 10, 24, 21, tzinfo=UTC)
    first = reminders.next_at(1, 30, zone=LISBON, now=eve)
    assert first.astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    between = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)  # 1:45 for the first time
    again = reminders.next_at(1, 30, zone=LISBON, now=between)
    assert again.astimezone(UTC) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def test_hour_that_the_clocks_skip_is_refused() -> None:
    eve = datetime(2026, 3, 28, 22, tzinfo=UTC)
    with pytest.raises(Refusal, match="no_such_hour"):
        reminders.next_at(1, 30, zone=LISBON, now=eve)
    after = reminders.next_at(2, 0, zone=LISBON, now=eve)
    assert after.astimezone(UTC) == datetime(2026, 3, 29, 1, tzinfo=UTC)


@pytest.mark.rule(15)
@pytest.mark.slow
def test_second_half_of_the_last_game_is_offered_although_the_first_is_over() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("shift")
    ending_in(evening, 9)
    assert announce(evening).status_code == 200
    evening.reach("paying")
    assert order(evening.at("table"), "table", "complete").status_code == 200
    assert "do/open-half/" in page(evening, "table")
    for desk in ("caller", "manager"):
        assert 'id="last-game-over"' not in page(evening, desk)


@pytest.mark.slow
def test_caller_waits_for_no_game_after_the_last_one() -> None:
    evening = Evening(language="en").reach("selling")
    ending_in(evening, 9)
    assert announce(evening).status_code == 200
    evening.reach("paying")
    assert "prepares the next game" not in page(evening, "caller")
    paid(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    over = page(evening, "caller")
    assert 'id="last-game-over"' in over
    assert "Wait for the next game" not in over
