"""The camera process of a hall, killed in mid-game as a power cut kills, and started again."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from draws.balls import queries as balls_queries
from draws.balls import readings
from draws.balls.vision.facing import has_other_way_up
from draws.demonstration.play import AUTOMATIC
from draws.games import services as games_services
from draws.models import Ball, Reading, Standing
from draws.record.audit import audit
from halls.models import Hall, Role
from halls.policy.services import set_policy
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.extractor import CameraProcess, Extractor, until

pytestmark = pytest.mark.usefixtures("fresh_database")

GAME = 5  # balls
# Of figures that the reader is surest of: what is tried here is the way of a ball, not the eye.
SURE = [n for n in range(11, 91) if {*str(n)} <= {*"1358"} and not has_other_way_up(n)]
WORN, WORN_TOO = 61, 19
COMING = 0.55  # seconds in which no ball that was thrown can rest yet: it falls, rolls and waits
LOCKED = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"

Kill = Callable[[Extractor, CameraProcess, int], None]


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """The data folder of the process, where the services here keep pictures too."""
    settings.PICTURES_DIR = tmp_path / "pictures"
    return tmp_path


@pytest.fixture
def extractor() -> Iterator[Extractor]:
    with Extractor(seed=2017, worn=(WORN, WORN_TOO)) as made:
        yield made


@pytest.fixture
def watch(fresh_database: FreshDatabase, folder: Path) -> CameraProcess:
    return CameraProcess(fresh_database, folder)


@pytest.fixture
def evening(folder: Path, extractor: Extractor) -> Evening:
    """A draw by camera, announced by itself where the reader is sure."""
    evening = Evening()
    set_policy(
        hall=evening.hall, source="camera", automatic=AUTOMATIC, **evening.who(Role.HALL_MANAGER)
    )
    extractor.hang_up(evening.hall)
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return evening


def posted() -> list[int]:
    return list(Ball.objects.order_by("order").values_list("number", flat=True))


def kept(folder: Path) -> int:
    return len(list((folder / "pictures").rglob("[!.]*.jpg")))


def killed_before_rest(seed: int) -> Kill:
    """Kill while the ball before falls, the cup is empty, or the next one rolls."""

    def kill(extractor: Extractor, watch: CameraProcess, number: int) -> None:
        extractor.throw(number)
        time.sleep(random.Random(seed).uniform(0.0, COMING))
        watch.kill()
        assert number not in extractor.rested

    return kill


def killed_unanswered(evening: Evening, database: FreshDatabase, folder: Path) -> Kill:
    """Kill when a ball has been read, its picture is kept, and the hall has not answered."""

    def kill(extractor: Extractor, watch: CameraProcess, number: int) -> None:
        before = kept(folder)
        with busy(evening, database) as is_waited_for:
            extractor.throw(number)
            until(lambda: kept(folder) > before and is_waited_for(), of=watch.told)
            watch.kill()
        assert number not in posted()

    return kill


@contextmanager
def busy(evening: Evening, database: FreshDatabase) -> Iterator[Callable[[], bool]]:
    """Hold the hall as another order does; return whether somebody waits for it."""
    with psycopg.connect(database.url) as order, psycopg.connect(database.url) as looking:
        looking.autocommit = True
        order.execute("SELECT 1 FROM halls_hall WHERE id = %s FOR UPDATE", [evening.hall.pk])
        yield lambda: looking.execute(LOCKED, [database.name]).fetchone() != (0,)
        order.rollback()


def killed_announced(extractor: Extractor, watch: CameraProcess, number: int) -> None:
    """Kill as soon as a ball is announced; it still lies there when the process is back."""
    count = len(posted())
    extractor.throw(number)
    until(lambda: len(posted()) > count, of=watch.told)
    watch.kill()


def play(extractor: Extractor, watch: CameraProcess, *, seed: int, kill: Kill) -> None:
    """Draw some balls, one of them under the kill; see that they are those of the film, once each."""
    chance = random.Random(seed)
    numbers = chance.sample(SURE, GAME)
    victim = chance.randrange(1, GAME - 1)
    with watch:
        until(lambda: "watched" in watch.told(), of=watch.told)
        for count, number in enumerate(numbers):
            if count == victim:
                kill(extractor, watch, number)
                watch.start()
                until(lambda: f": {number}" in watch.told(), of=watch.told)  # noqa: B023
            else:
                extractor.throw(number)
            until(lambda: len(posted()) == count + 1, of=watch.told)  # noqa: B023
    assert extractor.rested == numbers
    assert posted() == numbers
    whole()


def whole() -> None:
    """See that each ball is of one reading with its picture, and nothing waits."""
    for ball in Ball.objects.all():
        reading = Reading.objects.get(standing=Standing.ANNOUNCED, entry__data__count=ball.order)
        picture = balls_queries.picture_path(reading.picture).read_bytes()
        assert hashlib.sha256(picture).hexdigest() == reading.picture == ball.picture
    assert not Reading.objects.filter(standing=Standing.PENDING).exists()
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_watch_killed_between_reading_and_answer_loses_repeats_and_invents_no_ball(
    evening: Evening,
    extractor: Extractor,
    watch: CameraProcess,
    fresh_database: FreshDatabase,
    folder: Path,
) -> None:
    kill = killed_unanswered(evening, fresh_database, folder)
    play(extractor, watch, seed=3, kill=kill)
    assert Reading.objects.count() == GAME


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_watch_killed_before_rest_loses_repeats_and_invents_no_ball(
    evening: Evening, extractor: Extractor, watch: CameraProcess, seed: int
) -> None:
    play(extractor, watch, seed=seed, kill=killed_before_rest(seed))
    assert Reading.objects.count() == GAME


@pytest.mark.slow
def test_watch_killed_after_announcing_loses_repeats_and_invents_no_ball(
    evening: Evening, extractor: Extractor, watch: CameraProcess
) -> None:
    play(extractor, watch, seed=4, kill=killed_announced)
    assert Reading.objects.count() == GAME


@pytest.mark.slow
def test_watch_killed_while_a_ball_waits_asks_for_it_once(
    evening: Evening, extractor: Extractor, watch: CameraProcess
) -> None:
    with watch:
        extractor.throw(WORN)
        until(lambda: Reading.objects.filter(standing=Standing.PENDING).exists(), of=watch.told)
        killed_and_back(watch, "no_mark")
        answer(Reading.objects.get(), WORN, evening)
        # Answered, it lies there still: it is not asked for again as 19, the only number left.
        killed_and_back(watch, "no_mark")
        extractor.throw(32)
        until(lambda: len(posted()) == 2, of=watch.told)
    assert Reading.objects.count() == 2
    assert posted() == extractor.rested == [WORN, 32]
    whole()


@pytest.mark.slow
def test_watch_asks_for_a_ball_that_came_while_it_was_dead_be_it_as_unclear_as_the_last(
    evening: Evening, extractor: Extractor, watch: CameraProcess
) -> None:
    with watch:
        extractor.throw(WORN)
        until(lambda: Reading.objects.filter(standing=Standing.PENDING).exists(), of=watch.told)
        answer(Reading.objects.get(), WORN, evening)
        watch.kill()
        extractor.throw(WORN_TOO)
        until(lambda: WORN_TOO in extractor.rested)
        watch.start()
        until(lambda: Reading.objects.filter(standing=Standing.PENDING).exists(), of=watch.told)
        answer(Reading.objects.get(standing=Standing.PENDING), WORN_TOO, evening)
    assert posted() == extractor.rested == [WORN, WORN_TOO]
    whole()


def killed_and_back(watch: CameraProcess, told: str) -> None:
    """Kill it, start it again, and wait until it has told of what lies there."""
    watch.kill()
    watch.start()
    until(lambda: told in watch.told(), of=watch.told)


def answer(asked: Reading, number: int, evening: Evening) -> None:
    """Announce a ball as the caller sees it."""
    assert asked.reason == "no_mark"
    assert number in [guess for guess, _sure in asked.candidates]
    caller = evening.person(Role.CALLER)
    readings.confirm(reading=asked, number=number, by=caller, at=timezone.now())
