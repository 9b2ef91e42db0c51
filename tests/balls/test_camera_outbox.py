"""What was read and is not taken in yet: sent in order, and nothing stands in the way for ever."""

from __future__ import annotations

import time

import pytest
from django.utils import timezone

from draws.balls.camera_outbox import AGAIN, MOST, NOT_KEPT, Outbox
from draws.balls.vision.values import BallReading
from draws.models import Game
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, filmed, picture

pytestmark = pytest.mark.django_db

IMPOSSIBLE = 2**70  # of a frame: more than the database can count


def read(number: int, *, frame: int = 1) -> BallReading:
    shown = picture(number)
    return BallReading(number, 0.99, None, ((number, 0.99),), "", 1.0, frame, 1.0, shown)


def put(outbox: Outbox, game: Game, *found: BallReading) -> None:
    for one in found:
        outbox.put(one, game=game, seen_at=timezone.now(), at_start=False)


def posted(game: Game) -> list[int]:
    return list(game.balls.order_by("order").values_list("number", flat=True))


def test_readings_are_sent_in_their_order() -> None:
    evening, told = filmed(Evening(), automatic=900), list[str]()
    outbox = Outbox(camera_of(evening), told.append)
    put(outbox, evening.game, read(17), read(4))
    outbox.send(evening.game)
    assert (posted(evening.game), outbox.is_empty, outbox.trouble) == ([17, 4], True, "")
    assert told == ["Saída: 17: announced", "Saída: 4: announced"]


@pytest.mark.slow
def test_reading_that_the_database_will_not_have_is_given_up_and_the_next_is_sent() -> None:
    evening, told = filmed(Evening(), automatic=900), list[str]()
    outbox = Outbox(camera_of(evening), told.append)
    put(outbox, evening.game, read(17, frame=IMPOSSIBLE), read(4))
    outbox.send(evening.game)
    assert (outbox.trouble, posted(evening.game)) == (NOT_KEPT, [])
    for _turn in range(3):
        time.sleep(AGAIN)
        outbox.send(evening.game)
    assert (outbox.trouble, posted(evening.game), outbox.is_empty) == ("", [4], True)
    lost = "Saída: 17 is given up: not taken in: compare the balls that are out with the board"
    assert told == ["Saída: cannot be kept: DataError"] * 3 + [lost, "Saída: 4: announced"]


def test_reading_of_a_game_that_is_over_is_none_of_the_next() -> None:
    evening, told = filmed(Evening(), automatic=900), list[str]()
    outbox = Outbox(camera_of(evening), told.append)
    put(outbox, Game(pk=0), read(17))
    outbox.send(evening.game)
    assert posted(evening.game) == []
    assert told == ["Saída: 17 is given up: its game is over"]


def test_of_too_many_readings_the_oldest_is_given_up_and_told() -> None:
    evening, told = filmed(Evening(), automatic=900), list[str]()
    outbox = Outbox(camera_of(evening), told.append)
    put(outbox, evening.game, *(read(number) for number in range(1, MOST + 2)))
    assert told == ["Saída: 1 is given up: too many wait"]
    outbox.empty("somebody else tells")
    assert (outbox.is_empty, len(told)) == (True, MOST + 1)
