"""A ball before the camera, and several who decide on it at once: it is announced once, or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import connection, transaction
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.balls import cameras_and_live_picture, draw, readings
from draws.claims import services as claims_services
from draws.models import Ball, Camera, Reading, Standing
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Person, Role
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, filmed, picture, see
from tests.support.threads import at_once, behind_a_lock

pytestmark = pytest.mark.usefixtures("fresh_database")


def outcomes(results: list[object]) -> list[str]:
    """Return what came of each doing: done, or the refusal's code."""
    return sorted(one.code if isinstance(one, Refusal) else "done" for one in results)


def callers(evening: Evening) -> list[Person]:
    """Both callers."""
    return list(evening.hall.people.filter(roles__contains=[Role.CALLER]).order_by("username"))


def whole() -> bool:
    """Whether the record is whole."""
    return audit(Hall.objects.get()) == []


def test_two_confirmations_of_one_reading_post_one_ball() -> None:
    evening = filmed(Evening())
    reading = see(camera_of(evening), 17, sure=500, reason="close")

    def confirm(by: Person, number: int) -> Callable[[], Ball]:
        return lambda: readings.confirm(
            reading=reading, number=number, by=by, at=timezone.now(), key=uuid4()
        )

    one, other = callers(evening)
    results = at_once([confirm(one, 17), confirm(one, 71), confirm(one, 17), confirm(other, 17)])

    told = outcomes(results)
    assert told.count("done") == 1
    # Who does not call the draw is refused either way.
    assert set(told) - {"done"} <= {"reading_settled", "another_caller"}
    assert told.count("reading_settled") >= 2
    [done] = [one.number for one in results if isinstance(one, Ball)]
    assert list(Ball.objects.values_list("number", flat=True)) == [done]
    assert whole()


@pytest.mark.slow
def test_confirmation_and_dismissal_at_once_leave_one_end() -> None:
    evening = filmed(Evening())
    reading = see(camera_of(evening), 17, sure=500, reason="close")
    one, other = callers(evening)

    def confirm() -> object:
        return readings.confirm(reading=reading, number=17, by=one, at=timezone.now(), key=uuid4())

    def dismiss() -> object:
        return readings.dismiss(
            reading=reading, reason="Nada", by=other, at=timezone.now(), key=uuid4()
        )

    results = at_once([confirm, dismiss, confirm, dismiss])

    assert outcomes(results) == ["done"] + ["reading_settled"] * 3
    reading.refresh_from_db()
    assert Ball.objects.count() == (reading.standing == Standing.ANNOUNCED)
    assert reading.standing != Standing.PENDING
    assert whole()


@pytest.mark.slow
@pytest.mark.parametrize("automatic", [0, 900])
def test_camera_process_that_repeats_itself_invents_no_ball(automatic: int) -> None:
    evening = filmed(Evening(), automatic=automatic)
    camera, key = camera_of(evening), uuid4()
    seen_at = timezone.now()

    def again(**told: Any) -> Callable[[], Reading]:
        return lambda: see(camera, 17, at=seen_at, picture=picture(17), **told)

    # The same key, as one process says it twice, and others, as one killed and started again does.
    results = at_once([again(key=key), again(key=key), again(), again()])

    assert {one.pk for one in results} == {Reading.objects.get().pk}
    assert Ball.objects.count() == (1 if automatic else 0)
    assert whole()


@pytest.mark.slow
def test_process_killed_before_its_commit_loses_no_ball(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = filmed(Evening(), automatic=900)
    camera, key, seen_at = camera_of(evening), uuid4(), timezone.now()

    def killed() -> None:
        """Tell of the ball, and lose the connection before it is kept."""
        with transaction.atomic():
            see(camera, 17, key=key, at=seen_at)
            owner_connection.execute("SELECT pg_terminate_backend(%s)", [_backend()])
            Reading.objects.exists()

    [lost] = at_once([killed])
    assert isinstance(lost, Exception)
    assert not isinstance(lost, Refusal)
    assert (Ball.objects.count(), Reading.objects.count()) == (0, 0)

    see(camera, 17, key=key, at=seen_at)
    assert list(Ball.objects.values_list("number", flat=True)) == [17]
    assert whole()


def _backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


@pytest.mark.slow
@pytest.mark.rule(43)
def test_ball_and_call_at_once_leave_the_ball_posted_or_waiting(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = filmed(Evening(), automatic=900)
    camera, game, hall = camera_of(evening), evening.game, evening.hall
    caller = callers(evening)[0]
    see(camera, 1)
    for turn, number in enumerate(range(2, 8)):

        def call() -> None:
            draw.call_claim(
                game=game, combination="line", by=caller, at=timezone.now(), key=uuid4()
            )

        def ball(number: int = number) -> Reading:
            return see(camera, number)

        doings: list[Callable[[], Any]] = [call, ball] if turn % 2 else [ball, call]
        assert outcomes(behind_a_lock(owner_connection, hall, doings)) == ["done", "done"]
        called = JournalEntry.objects.filter(kind="claim_called").latest("number").data["count"]
        # What came after the call waits; what came before it is out, and the call is on it.
        assert game.balls.filter(number=number).exists() == (called == turn + 2)
        claims_services.resume(
            game=game, withdrawn="Engano", by=evening.person(Role.TABLE_CHIEF), at=timezone.now()
        )
        assert list(game.balls.values_list("number", flat=True)) == list(range(1, number + 1))
    assert whole()


@pytest.mark.slow
def test_two_second_persons_confirm_a_keyed_ball_once() -> None:
    evening = filmed(Evening())
    caller = callers(evening)[0]
    draw.change_source(
        game=evening.game, source="by_hand", reason="Sem imagem", by=caller, at=timezone.now()
    )
    reading = draw.key(game=evening.game, number=17, by=caller, at=timezone.now(), key=uuid4())
    seconds = [evening.person(Role.TABLE_CHIEF), evening.person(Role.HALL_MANAGER)]

    def sign(by: Person) -> Callable[[], Ball]:
        return lambda: readings.countersign(reading=reading, by=by, at=timezone.now(), key=uuid4())

    results = at_once([sign(one) for one in seconds * 2])
    assert outcomes(results) == ["done"] + ["reading_settled"] * 3
    assert Ball.objects.count() == 1
    assert whole()


@pytest.mark.slow
def test_two_beats_of_one_fault_are_journalled_once() -> None:
    evening = filmed(Evening())
    pk = camera_of(evening).pk

    def dark() -> None:
        cameras_and_live_picture.beat(
            camera=Camera.objects.get(pk=pk), health="dark", at=timezone.now()
        )

    at_once([dark] * 4)
    assert JournalEntry.objects.filter(kind="camera_fault").count() == 1
    assert whole()
