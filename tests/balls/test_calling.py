"""A draw has one caller at a time: the other is refused, takes over, and is written down."""

from __future__ import annotations

from threading import Barrier, Thread
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils.timezone import now

from bingo.rules.refusal import Refusal
from draws.balls import draw, readings
from draws.balls.queries import calling
from draws.games import services as games_services
from draws.models import Ball, Game
from draws.record import journal_text
from draws.record.acta import game_queries
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Person, Role
from tests.support import planting
from tests.support.database import FreshDatabase
from tests.support.draw_takeover import called_by_another, second_caller
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, filmed, see
from tests.support.playing import refuses


def announce(evening: Evening, by: Person, number: int, **more: object) -> Ball:
    return draw.announce_ball(game=evening.game, number=number, by=by, at=now(), **more)  # type: ignore[arg-type]


@pytest.mark.django_db
@pytest.mark.rule(42)
@pytest.mark.slow
def test_another_caller_announces_and_recalls_nothing_before_taking_over() -> None:
    evening = Evening().reach("drawing")
    other, last = second_caller(evening), evening.numbers()[-1]
    left = [number for number in range(1, 91) if number not in evening.numbers()]
    with refuses("another_caller"):
        announce(evening, other, left[0])
    with refuses("another_caller"):
        draw.recall_ball(game=evening.game, number=last, by=other, at=now())
    draw.take_over(game=evening.game, by=other, at=now())
    announce(evening, other, left[0])
    with refuses("another_caller"):
        announce(evening, evening.person(Role.CALLER), left[1])
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.django_db
def test_any_caller_stops_the_draw_when_somebody_calls() -> None:
    evening = Evening().reach("drawing")
    other = second_caller(evening)
    draw.call_claim(game=evening.game, combination="line", by=other, at=now())
    with refuses("draw_called_already"):
        draw.take_over(game=evening.game, by=evening.person(Role.CALLER), at=now())
    draw.take_over(game=evening.game, by=other, at=now())


@pytest.mark.slow
@pytest.mark.django_db
def test_takeover_is_written_with_whom_it_was_taken_from_and_stands_in_the_acta() -> None:
    evening = Evening().reach("drawing")
    first, drawn = evening.person(Role.CALLER), len(evening.numbers())
    other = called_by_another(evening)
    entry = JournalEntry.objects.get(kind="draw_taken_over")
    assert (entry.by, entry.data) == (other, {"caller": first.username, "count": drawn})
    assert first.username in journal_text.describe_entry(entry)
    found = calling(evening.game)
    assert found
    assert (found.by, found.after) == (other, first.username)
    told = game_queries.notes(evening.game, ZoneInfo(evening.hall.time_zone))
    assert [(one.by, first.username in one.text) for one in told] == [(other.name, True)]


@pytest.mark.slow
@pytest.mark.django_db
def test_ball_announced_before_the_takeover_is_answered_again_when_it_is_sent_again() -> None:
    evening = Evening().reach("drawing")
    key, number = uuid4(), next(n for n in range(1, 91) if n not in evening.numbers())
    first = evening.person(Role.CALLER)
    ball = announce(evening, first, number, key=key)
    called_by_another(evening)
    assert announce(evening, first, number, key=key).order == ball.order


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.rule(42)
def test_what_is_announced_by_itself_is_announced_in_the_new_caller_s_name() -> None:
    evening = filmed(Evening(), automatic=900)
    other = called_by_another(evening)
    see(camera_of(evening), 17)
    assert JournalEntry.objects.get(kind="ball_announced").by == other


@pytest.mark.slow
@pytest.mark.django_db
def test_reading_waits_for_the_caller_and_no_other() -> None:
    evening = filmed(Evening())
    other, reading = second_caller(evening), see(camera_of(evening), 17)
    with refuses("another_caller"):
        readings.confirm(reading=reading, number=17, by=other, at=now())
    readings.confirm(reading=reading, number=17, **evening.who(Role.CALLER))


@pytest.mark.django_db
@pytest.mark.parametrize("stage", ["sold", "closed", "paying"])
def test_nothing_is_taken_over_outside_a_draw(stage: str) -> None:
    evening = Evening().reach(stage)
    with refuses("wrong_phase"):
        draw.take_over(game=evening.game, by=second_caller(evening), at=now())


@pytest.mark.django_db
def test_next_game_has_the_caller_who_announces_it() -> None:
    evening = Evening().reach("closed")
    other = second_caller(evening)
    games_services.announce_draw(game=evening.game, by=other, at=now())
    found = calling(evening.game)
    assert found
    assert (found.by, found.after) == (other, "")


@pytest.mark.slow
def test_audit_finds_a_takeover_that_tells_of_another_caller(fresh_database: FreshDatabase) -> None:
    with planting.as_owner_of(fresh_database):
        evening = Evening().reach("drawing")
        called_by_another(evening)
        told = JournalEntry.objects.get(kind="draw_taken_over")
        assert planting.found(evening.hall) == []
        planting.rewrite(told, told.data | {"caller": "nobody"})
        assert planting.found(evening.hall) == [(told.number, "rules_refuse")]


@pytest.mark.slow
def test_two_who_take_over_at_once_are_one_after_the_other(fresh_database: FreshDatabase) -> None:
    evening = Evening().reach("drawing")
    people = [second_caller(evening)]
    people.append(Person.objects.create(
        hall=evening.hall, username="terceira", name="Ivone Lima", roles=[Role.CALLER]
    ))  # fmt: skip
    start, refused = Barrier(2), []

    def take(person: Person) -> None:
        try:
            start.wait()
            draw.take_over(
                game=Game.objects.get(pk=evening.game.pk), by=person, at=now(), key=uuid4()
            )
        except Refusal as refusal:
            refused.append(refusal)
        finally:
            connection.close()

    threads = [Thread(target=take, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == []
    told = JournalEntry.objects.filter(kind="draw_taken_over").order_by("number")
    first = evening.person(Role.CALLER).username
    assert [entry.data["caller"] for entry in told] == [first, told[0].by.username]  # type: ignore[union-attr]
    assert audit(Hall.objects.get()) == []
