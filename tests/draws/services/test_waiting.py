"""A ball that does not come: told once a wait, only while one is waited for, ended when it came."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.models import Reading, Standing
from draws.queries import readings as found
from draws.queries.audit import audit
from draws.services import calling, claims, draws, games, readings, suspensions, waiting
from halls.models import Hall, JournalEntry, Role
from halls.services.policies import set_policy
from tests.draws.services.filming import camera_of, filmed, see
from tests.draws.views.evening import Evening
from tests.playing import refuses

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
    now = found.watched(camera_of(evening))
    return now.patience if now else 0


def caller(evening: Evening) -> dict[str, Any]:
    return evening.who(Role.CALLER)


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


def test_ball_that_comes_ends_the_question_and_is_announced_by_itself(evening: Evening) -> None:
    missing = miss(evening)
    see(camera_of(evening), 18)
    missing.refresh_from_db()
    assert missing.standing == Standing.DISMISSED
    assert told("reading_dismissed", waiting.CAME) == 1
    assert list(evening.game.balls.values_list("number", flat=True)) == [17, 18]
    assert audit(Hall.objects.get()) == []


@pytest.mark.parametrize("reason", ["low", "no_mark", "hand"])
def test_ball_that_comes_and_cannot_be_read_is_put_to_the_caller(
    evening: Evening, reason: str
) -> None:
    missing = miss(evening)
    ball = see(camera_of(evening), None, reason=reason, candidates=[(66, 500), (69, 480)])
    missing.refresh_from_db()
    assert missing.standing == Standing.DISMISSED
    assert [put.reading for put in found.put(evening.game)] == [ball]
    assert told("reading_dismissed", waiting.CAME) == 1
    readings.confirm(reading=ball, number=69, by=evening.person(Role.CALLER), at=timezone.now())
    assert list(evening.game.balls.values_list("number", flat=True)) == [17, 69]
    assert audit(Hall.objects.get()) == []


def test_ball_is_not_missed_while_another_waits_for_the_caller(evening: Evening) -> None:
    assert patience(evening) == 20
    see(camera_of(evening), None, reason="low")
    assert patience(evening) == 0
    with refuses("readings_waiting"):
        miss(evening)


@pytest.mark.rule(43)
def test_ball_is_not_missed_while_a_claim_has_stopped_the_draw(evening: Evening) -> None:
    missing = miss(evening)
    draws.call(game=evening.game, combination="line", **caller(evening))
    missing.refresh_from_db()
    assert missing.standing == Standing.DISMISSED
    assert told("reading_dismissed", waiting.NOT_AWAITED) == 1
    assert patience(evening) == 0
    assert miss(evening) == missing  # this wait was told
    claims.resume(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    assert patience(evening) == 20
    draws.call(game=evening.game, combination="line", **caller(evening))
    with refuses("wrong_phase"):
        see(camera_of(evening), None, sure=0, reason="missing")


@pytest.mark.rule(55)
def test_ball_is_not_missed_while_the_game_is_suspended() -> None:
    evening = filmed(Evening(), automatic=AUTOMATIC)
    missing = miss(evening)
    suspensions.suspend(game=evening.game, reason="Sem luz", **caller(evening))
    missing.refresh_from_db()
    assert (missing.standing, patience(evening)) == (Standing.DISMISSED, 0)
    chief = evening.who(Role.TABLE_CHIEF)
    suspensions.resume(game=evening.game, decision="Há luz", **chief)
    assert (patience(evening), miss(evening) == missing) == (20, False)
    readings.dismiss(reading=Reading.objects.latest("pk"), reason="waited", **caller(evening))
    suspensions.suspend(game=evening.game, reason="Sem luz", **caller(evening))
    assert told("ball_read", "missing") == 2


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
    games.announce_draw(game=evening.game, **caller(evening))
    assert patience(evening) == 20
    chief = evening.who(Role.TABLE_CHIEF)
    games.void(game=evening.game, cause="other", reason="Falha", **chief)
    assert patience(evening) == 0
    with refuses("wrong_phase"):
        miss(evening)


def test_ball_is_missed_only_before_the_camera_that_the_game_is_drawn_by(evening: Evening) -> None:
    camera = camera_of(evening)
    camera.format = 75
    camera.save()
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
    games.announce_draw(game=evening.game, **caller(evening))
    assert patience(evening) == 0


@pytest.mark.rule(55)
def test_draw_goes_on_by_hand_though_a_ball_is_missed(evening: Evening) -> None:
    missing = miss(evening)
    with refuses("no_ball_seen"):
        readings.confirm(reading=missing, number=18, **caller(evening))
    draws.change_source(
        game=evening.game, source="by_hand", reason="Não vem bola", **caller(evening)
    )
    missing.refresh_from_db()
    assert (missing.standing, patience(evening)) == (Standing.DISMISSED, 0)
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(57)
def test_recall_while_a_ball_is_missed_leaves_the_recalled_ball_alone(evening: Evening) -> None:
    miss(evening)
    draws.recall(game=evening.game, number=17, **caller(evening))
    [put] = found.put(evening.game)
    assert put.reading.reason == draws.RECALLED


def test_caller_who_has_gone_leaves_the_question_to_another(evening: Evening) -> None:
    missing = miss(evening)
    gone = evening.person(Role.CALLER)
    gone.is_active = False
    gone.save()
    ball = see(camera_of(evening), 18)
    assert [put.reading for put in found.put(evening.game)] == [missing, ball]
    other = evening.hall.people.filter(roles__contains=[Role.CALLER]).order_by("username")[1]
    readings.dismiss(reading=missing, reason="waited", by=other, at=timezone.now())
    calling.take_over(game=evening.game, by=other, at=timezone.now())
    readings.confirm(reading=ball, number=18, by=other, at=timezone.now())
    assert audit(Hall.objects.get()) == []
