"""A ball that does not come: told once a wait, only while one is waited for, ended when it came."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.balls import draw, readings
from draws.balls import queries as balls_queries
from draws.claims import services as claims_services
from draws.games import progress
from draws.games import services as games_services
from draws.models import Reading, Standing
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, filmed, see
from tests.support.planting_rows import plant_row
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db

AUTOMATIC = 900


@pytest.fixture
def evening() -> Evening:
    """A draw by camera, announced by itself, of which a ball is out."""
    drawn = filmed(Evening(), automatic=AUTOMATIC)
    see(camera_of(drawn), 17)
    return drawn


def miss(evening: Evening) -> Reading:
    """Let the camera's process tell that no ball came."""
    return see(camera_of(evening), None, sure=0, reason="missing", picture=_empty())


def _empty() -> bytes:
    return b"\xff\xd8\xff\xe0" + str(Reading.objects.count()).encode() + b"\xff\xd9"


def told(kind: str, reason: str) -> int:
    """How often something was journalled for a reason."""
    return JournalEntry.objects.filter(kind=kind, data__reason=reason).count()


def patience(evening: Evening) -> int:
    """After how many seconds the camera's process is to miss the next ball."""
    now = balls_queries.watched(camera_of(evening))
    return now.patience if now else 0


def caller(evening: Evening) -> dict[str, Any]:
    return evening.who(Role.CALLER)


@pytest.mark.slow
def test_missing_ball_is_put_to_the_caller_once_a_wait(evening: Evening) -> None:
    missing = miss(evening)
    assert (missing.standing, missing.reason, missing.order) == ("pending", "missing", 2)
    assert miss(evening) == missing
    readings.dismiss(reading=missing, reason="waited", **caller(evening))
    # As of a process that was killed and knows of nothing: the wait is the same.
    assert miss(evening) == missing
    assert told("ball_read", "missing") == 1
    see(camera_of(evening), 18)
    assert miss(evening) != missing
    assert told("ball_read", "missing") == 2
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_ball_that_comes_ends_the_question_and_is_announced_by_itself(evening: Evening) -> None:
    missing = miss(evening)
    see(camera_of(evening), 18)
    missing.refresh_from_db()
    assert missing.standing == Standing.DISMISSED
    assert told("reading_dismissed", progress.CAME) == 1
    assert list(evening.game.balls.values_list("number", flat=True)) == [17, 18]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.parametrize("reason", ["low", "no_mark", "hand"])
def test_ball_that_comes_and_cannot_be_read_is_put_to_the_caller(
    evening: Evening, reason: str
) -> None:
    missing = miss(evening)
    ball = see(camera_of(evening), None, reason=reason, candidates=[(66, 500), (69, 480)])
    missing.refresh_from_db()
    assert missing.standing == Standing.DISMISSED
    assert [put.reading for put in balls_queries.put_reading(evening.game)] == [ball]
    assert told("reading_dismissed", progress.CAME) == 1
    readings.confirm(reading=ball, number=69, by=evening.person(Role.CALLER), at=timezone.now())
    assert list(evening.game.balls.values_list("number", flat=True)) == [17, 69]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_ball_is_not_missed_while_another_waits_for_the_caller(evening: Evening) -> None:
    assert patience(evening) == 20
    see(camera_of(evening), None, reason="low")
    assert patience(evening) == 0
    with refuses("readings_waiting"):
        miss(evening)


@pytest.mark.slow
@pytest.mark.rule(43)
def test_ball_is_not_missed_while_a_claim_has_stopped_the_draw(evening: Evening) -> None:
    missing = miss(evening)
    draw.call_claim(game=evening.game, combination="line", **caller(evening))
    missing.refresh_from_db()
    assert missing.standing == Standing.DISMISSED
    assert told("reading_dismissed", progress.NOT_AWAITED) == 1
    assert patience(evening) == 0
    assert miss(evening) == missing  # this wait was told
    claims_services.resume(game=evening.game, withdrawn="Engano", **evening.who(Role.TABLE_CHIEF))
    assert patience(evening) == 20
    draw.call_claim(game=evening.game, combination="line", **caller(evening))
    with refuses("wrong_phase"):
        see(camera_of(evening), None, sure=0, reason="missing")


@pytest.mark.rule(55)
def test_ball_is_not_missed_while_the_game_is_suspended() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    missing = miss(evening)
    readings.suspend(game=evening.game, reason="Sem luz", **caller(evening))
    missing.refresh_from_db()
    assert (missing.standing, patience(evening)) == (Standing.DISMISSED, 0)
    chief = evening.who(Role.TABLE_CHIEF)
    readings.resume_suspension(game=evening.game, decision="Há luz", **chief)
    assert (patience(evening), miss(evening) == missing) == (20, False)
    readings.dismiss(reading=Reading.objects.latest("pk"), reason="waited", **caller(evening))
    readings.suspend(game=evening.game, reason="Sem luz", **caller(evening))
    assert told("ball_read", "missing") == 2


@pytest.mark.slow
def test_ball_is_not_missed_before_the_draw_nor_after_the_game() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="camera", **evening.who(Role.HALL_MANAGER))
    camera_of(evening)
    assert patience(evening) == 0
    with refuses("no_session"):
        miss(evening)
    evening.reach("closed")
    assert patience(evening) == 0
    with refuses("wrong_phase"):
        miss(evening)
    games_services.announce_draw(game=evening.game, **caller(evening))
    assert patience(evening) == 20
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.void(game=evening.game, cause="other", reason="Falha", **chief)
    assert patience(evening) == 0
    with refuses("wrong_phase"):
        miss(evening)


@pytest.mark.slow
def test_ball_is_missed_only_before_the_camera_that_the_game_is_drawn_by(evening: Evening) -> None:
    camera = camera_of(evening)
    camera.format = 75
    camera.save(update_fields=["format"])
    assert patience(evening) == 0
    open_source = filmed(Evening("norte"), source="")
    assert patience(open_source) == 0
    with refuses(Refusal("source_not_of_game", source="camera", expected="first")):
        miss(open_source)


def test_hall_that_asks_for_it_is_never_told() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, source="camera", patience=0, **who)
    camera_of(evening)
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **caller(evening))
    assert patience(evening) == 0


@pytest.mark.slow
@pytest.mark.rule(55)
def test_draw_goes_on_by_hand_though_a_ball_is_missed(evening: Evening) -> None:
    missing = miss(evening)
    with refuses("no_ball_seen"):
        readings.confirm(reading=missing, number=18, **caller(evening))
    draw.change_source(
        game=evening.game, source="by_hand", reason="Não vem bola", **caller(evening)
    )
    missing.refresh_from_db()
    assert (missing.standing, patience(evening)) == (Standing.DISMISSED, 0)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(57)
def test_recall_while_a_ball_is_missed_leaves_the_recalled_ball_alone(evening: Evening) -> None:
    miss(evening)
    draw.recall_ball(game=evening.game, number=17, **caller(evening))
    [put] = balls_queries.put_reading(evening.game)
    assert put.reading.reason == draw.RECALLED


@pytest.mark.slow
def test_caller_who_has_gone_leaves_the_question_to_another(evening: Evening) -> None:
    missing = miss(evening)
    gone = evening.person(Role.CALLER)
    gone.is_active = False
    plant_row(gone, "is_active")
    ball = see(camera_of(evening), 18)
    assert [put.reading for put in balls_queries.put_reading(evening.game)] == [missing, ball]
    other = evening.hall.people.filter(roles__contains=[Role.CALLER]).order_by("username")[1]
    readings.dismiss(reading=missing, reason="waited", by=other, at=timezone.now())
    draw.take_over(game=evening.game, by=other, at=timezone.now())
    readings.confirm(reading=ball, number=18, by=other, at=timezone.now())
    assert audit(Hall.objects.get()) == []
