"""Two cameras before one extractor: no ball has two numbers without a person (R57)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from draws.balls import cameras_and_live_picture, readings
from draws.balls import queries as balls_queries
from draws.models import Camera, Reading, Standing
from tests.support.evening import Evening
from tests.support.filmed_balls import (
    caller,
    camera_of,
    entry_data,
    filmed,
    look,
    picture,
    posted,
    second_camera,
    see,
    whole,
)

pytestmark = pytest.mark.django_db

AUTOMATIC = 950


def two_cameras(*, automatic: int = AUTOMATIC) -> tuple[Evening, Camera, Camera]:
    """A draw before two cameras of its format, its first ball still to come."""
    evening = filmed(Evening(), automatic=automatic)
    return evening, camera_of(evening), second_camera(evening)


@pytest.mark.rule(57)
def test_two_cameras_that_read_two_numbers_announce_one_and_ask_about_the_other() -> None:
    evening, one, other = two_cameras()
    see(one, 23)
    against = see(other, 28)
    assert posted(evening) == [23]
    assert (against.standing, against.reason) == (Standing.PENDING, "close")
    [put] = balls_queries.put_reading(evening.game)
    assert put.guesses == ((28, 990), (23, 990))
    readings.dismiss(reading=against, reason="told_twice", **caller(evening))
    see(one, 40)
    assert posted(evening) == [23, 40]
    assert whole()


@pytest.mark.rule(57)
def test_ball_that_another_camera_sees_late_is_never_a_second_one_by_itself() -> None:
    evening, one, other = two_cameras()
    see(one, 23, at=timezone.now() - timedelta(seconds=10))
    late = see(other, 28)
    assert (late.standing, late.reason, posted(evening)) == (Standing.PENDING, "", [23])
    # Whoever takes over is asked about once: from then on this camera shows the balls.
    readings.confirm(reading=late, number=28, **caller(evening))
    see(other, 40)
    assert posted(evening) == [23, 28, 40]


@pytest.mark.parametrize("number", [23, None])
@pytest.mark.slow
def test_ball_that_two_cameras_read_alike_is_told_once(number: int | None) -> None:
    evening, one, other = two_cameras()
    first = see(one, 23)
    assert see(other, number, picture=picture("other")) == first
    # Nor does the other miss the ball that came this moment.
    assert see(other, None, reason="missing", sure=0) == first
    see(one, 40)
    assert posted(evening) == [23, 40]
    assert Reading.objects.count() == 2


@pytest.mark.slow
def test_camera_that_is_quicker_than_the_one_that_announces_holds_nothing_up() -> None:
    evening, one, other = two_cameras()
    see(one, 23)
    quicker = see(other, 40, picture=picture("other"))
    assert quicker.standing == Standing.PENDING
    see(one, 40)
    assert posted(evening) == [23, 40]
    assert [entry["reason"] for entry in entry_data("reading_dismissed")] == ["told_twice"]
    assert whole()


@pytest.mark.slow
def test_ball_that_one_of_two_cameras_cannot_read_is_one_question() -> None:
    evening, one, other = two_cameras(automatic=0)
    see(one, None, reason="low", sure=0)
    read = see(other, 23)
    assert [put.reading for put in balls_queries.put_reading(evening.game)] == [read]
    readings.confirm(reading=read, number=23, **caller(evening))
    # Of two numbers the caller says which; what read that one is no further question.
    first = see(one, 40)
    see(other, 49)
    readings.confirm(reading=first, number=49, **caller(evening))
    assert posted(evening) == [23, 49]
    assert balls_queries.put_reading(evening.game) == []
    assert whole()


ALARMS = ["two_balls", "moved", "hand", "coin"]


@pytest.mark.rule(57)
def test_number_of_one_camera_answers_no_alarm_of_another() -> None:
    evening, one, other = two_cameras()
    for reason in ALARMS:
        see(one, None, reason=reason, sure=0)
    see(other, 40)
    waiting = [put.reading.reason for put in balls_queries.put_reading(evening.game)]
    assert (waiting, posted(evening)) == ([*ALARMS, ""], [])
    assert entry_data("reading_dismissed") == []


@pytest.mark.rule(57)
def test_alarm_of_a_spare_camera_is_told_beside_a_ball_that_was_announced() -> None:
    evening, one, other = two_cameras()
    now = timezone.now()
    see(one, 23, at=now)
    for reason in ALARMS:
        see(other, None, reason=reason, sure=0, at=now + timedelta(seconds=2))
    put = balls_queries.put_reading(evening.game)
    assert [(each.reading.reason, each.guesses) for each in put] == [
        (reason, ()) for reason in ALARMS
    ]


@pytest.mark.rule(57)
def test_alarm_that_both_cameras_give_is_one_question() -> None:
    evening, one, other = two_cameras()
    now = timezone.now()
    first = [see(one, None, reason=reason, sure=0, at=now) for reason in ALARMS]
    soon = now + timedelta(seconds=1)
    assert [see(other, None, reason=reason, sure=0, at=soon) for reason in ALARMS] == first
    # What comes later is another.
    later = see(other, None, reason="two_balls", sure=0, at=now + timedelta(seconds=9))
    assert [put.reading for put in balls_queries.put_reading(evening.game)] == [*first, later]


def test_spare_camera_that_comes_back_before_a_ball_announced_holds_nothing_up() -> None:
    evening, one, other = two_cameras()
    now = timezone.now()
    first = see(one, 23, at=now - timedelta(seconds=10), picture=look(23))
    # The other's pictures are never alike, and its own word of the ball was not kept.
    assert see(other, 23, at=now, picture=look(1), at_start=True) == first
    see(one, 40, at=now + timedelta(seconds=4))
    assert posted(evening) == [23, 40]
    # Another number is another ball.
    assert see(other, 28, at=now + timedelta(seconds=9), at_start=True).standing == Standing.PENDING
    assert whole()


def test_ball_that_a_camera_coming_back_cannot_read_is_asked_about_unless_the_other_sees_it() -> (
    None
):
    evening, one, other = two_cameras()
    now = timezone.now()
    first = see(one, 23, at=now - timedelta(seconds=10))
    unread: dict[str, Any] = {"reason": "low", "sure": 0, "at": now, "at_start": True}
    cameras_and_live_picture.beat(camera=one, at=now)
    assert see(other, None, **unread) == first
    cameras_and_live_picture.beat(camera=one, health="covered", at=now)
    assert see(other, None, **unread).standing == Standing.PENDING
    assert posted(evening) == [23]
