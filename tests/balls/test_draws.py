"""Where the balls of a game come from: one source, openly changed, and a second person after it."""

from __future__ import annotations

from datetime import timedelta
from time import sleep
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.balls import draw, readings
from draws.games import services as games_services
from draws.models import Ball, Game, Reading, Standing
from draws.record.audit import audit
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, JournalEntry, Person, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, filmed, see
from tests.support.planting_rows import plant
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


def people(evening: Evening, role: Role) -> list[Person]:
    """Everybody of a role."""
    return list(evening.hall.people.filter(roles__contains=[role]).order_by("username"))


def keyed(evening: Evening, number: int, **changed: Any) -> Reading:
    """Let the caller key a ball for a second person."""
    who = evening.who(Role.CALLER) | {"key": uuid4()} | changed
    return draw.key(game=evening.game, number=number, **who)


def failing(evening: Evening) -> Evening:
    """Go on by hand after a ball of the source has come."""
    draw.change_source(
        game=evening.game, source="by_hand", reason="Sem imagem", **evening.who(Role.CALLER)
    )
    return evening


def after_the_rng() -> Evening:
    """A game of the RNG that goes on by hand."""
    evening = filmed(Evening(), source="rng")
    draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
    return failing(evening)


def free(game: Game) -> int:
    """A number that has not come."""
    return min(set(range(1, 91)) - set(game.balls.values_list("number", flat=True)))


def test_first_ball_decides_and_no_other_source_is_mixed_in() -> None:
    evening = Evening().reach("drawing")  # keyed by hand
    caller = evening.who(Role.CALLER)
    with refuses(Refusal("source_not_of_game", source="rng", expected="by_hand")):
        draw.draw_ball(game=evening.game, **caller)


def test_policy_of_the_hall_decides_before_the_first_ball() -> None:
    evening = filmed(Evening(), source="rng")
    with refuses(Refusal("source_not_of_game", source="by_hand", expected="rng")):
        draw.announce_ball(game=evening.game, number=1, **evening.who(Role.CALLER))
    assert JournalEntry.objects.get(kind="draw_announced").data["source"] == "rng"


@pytest.mark.slow
@pytest.mark.rule(55)
def test_ball_by_hand_after_a_fault_needs_a_second_person() -> None:
    evening = after_the_rng()
    caller, number = evening.who(Role.CALLER), free(evening.game)
    with refuses(Refusal("second_person_needed", command="ball_announced")):
        draw.announce_ball(game=evening.game, number=number, **caller)

    chief = evening.person(Role.TABLE_CHIEF)
    draw.announce_ball(game=evening.game, number=number, witness=chief, **caller)

    entry = JournalEntry.objects.filter(kind="ball_announced").latest("number")
    assert (entry.by, entry.data["witness"]) == (caller["by"], chief.username)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(55)
@pytest.mark.parametrize("role", [Role.TABLE_CHIEF, Role.HALL_MANAGER, Role.CALLER])
def test_second_person_confirms_on_a_console_of_their_own(role: Role) -> None:
    evening = after_the_rng()
    reading = keyed(evening, free(evening.game))
    second = people(evening, role)[-1]
    who: dict[str, Any] = {"by": second, "at": timezone.now(), "key": uuid4()}
    ball = readings.countersign(reading=reading, **who)

    entry = JournalEntry.objects.filter(kind="ball_announced").latest("number")
    assert (entry.by, entry.data["witness"]) == (evening.person(Role.CALLER), second.username)
    assert readings.countersign(reading=reading, **who).number == ball.number
    assert [one.source for one in evening.game.balls.all()] == ["rng", "by_hand"]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(55)
def test_nobody_is_their_own_second_person() -> None:
    evening = after_the_rng()
    reading = keyed(evening, free(evening.game))
    assert reading.keyed_by is not None
    now = timezone.now()
    with refuses("witness_same_person"):
        readings.countersign(reading=reading, by=reading.keyed_by, at=now)
    cashier, stranger = evening.person(Role.CASHIER), Evening("norte").person(Role.TABLE_CHIEF)
    for nobody in (cashier, stranger):
        with refuses("not_allowed"):
            readings.countersign(reading=reading, by=nobody, at=now)
    with refuses("second_person_needed"):
        readings.confirm(reading=reading, number=reading.number or 0, **evening.who(Role.CALLER))


@pytest.mark.slow
def test_keyed_ball_waits_alone_and_may_be_dismissed() -> None:
    evening = after_the_rng()
    caller, number = evening.who(Role.CALLER), free(evening.game)
    reading = keyed(evening, number, key=(key := uuid4()))
    assert keyed(evening, number, key=key) == reading
    with refuses("readings_waiting"):
        keyed(evening, number + 1)
    chief = evening.person(Role.TABLE_CHIEF)
    with refuses("readings_waiting"):
        draw.announce_ball(game=evening.game, number=number + 1, witness=chief, **caller)
    readings.dismiss(reading=reading, reason="Tecla errada", **caller)
    # The password of the second person on the caller's page ends what waits for one, too.
    again = keyed(evening, number)
    draw.announce_ball(game=evening.game, number=number, witness=chief, **caller)
    again.refresh_from_db()
    assert again.standing == Standing.ANNOUNCED
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_keyed_ball_is_held_to_the_rules_before_anybody_is_asked() -> None:
    evening = after_the_rng()
    out = Ball.objects.get().number
    for number, code in ((out, "ball_already_drawn"), (91, "ball_out_of_range")):
        with refuses(code):
            keyed(evening, number)
    with refuses("stale_page"):
        keyed(evening, free(evening.game), order=1)


def test_ball_of_a_game_by_hand_asks_for_no_second_person() -> None:
    evening = filmed(Evening(), source="by_hand")
    with refuses("second_person_not_needed"):
        keyed(evening, 1)
    draw.announce_ball(game=evening.game, number=1, **evening.who(Role.CALLER))


@pytest.mark.slow
def test_recalled_ball_of_two_persons_is_keyed_anew() -> None:
    evening = after_the_rng()
    reading = keyed(evening, number := free(evening.game))
    readings.countersign(reading=reading, **evening.who(Role.TABLE_CHIEF))
    draw.recall_ball(game=evening.game, number=number, **evening.who(Role.CALLER))
    reading.refresh_from_db()
    assert reading.standing == Standing.DISMISSED
    keyed(evening, number)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_source_that_is_not_the_games_own_does_not_come_back() -> None:
    evening = after_the_rng()
    caller = evening.who(Role.CALLER)
    reading = keyed(evening, free(evening.game))
    readings.countersign(reading=reading, **evening.who(Role.TABLE_CHIEF))
    for source in ("rng", "camera"):
        with refuses(Refusal("source_not_possible", source=source)):
            draw.change_source(game=evening.game, source=source, reason="Voltou", **caller)


def test_source_is_not_changed_while_a_ball_waits() -> None:
    evening = filmed(Evening())
    see(camera_of(evening), 17, sure=10)
    with refuses("readings_waiting"):
        failing(evening)


@pytest.mark.slow
def test_mended_camera_goes_on_without_a_second_person() -> None:
    evening = failing(filmed(Evening(), automatic=900))
    reading = keyed(evening, 3)
    readings.countersign(reading=reading, **evening.who(Role.TABLE_CHIEF))
    draw.change_source(
        game=evening.game, source="camera", reason="Voltou", **evening.who(Role.TABLE_CHIEF)
    )
    see(camera_of(evening), 17)
    assert list(evening.game.balls.values_list("number", "source")) == [
        (3, "by_hand"), (17, "camera"),
    ]  # fmt: skip
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(31)
@pytest.mark.parametrize(("hall", "least"), [({}, 5), ({"interval": 3}, 3), ({"interval": 0}, 5)])
def test_balls_of_the_rng_keep_five_seconds_and_never_less_than_three(
    settings: Any, hall: dict[str, Any], least: int
) -> None:
    settings.RNG_PACE = 1
    evening = Evening()
    manager = evening.who(Role.HALL_MANAGER)
    for wished in (1, 2):
        with refuses(Refusal("too_fast", least=3, most=60)):
            set_policy(hall=evening.hall, source="rng", interval=wished, **manager)
    set_policy(hall=evening.hall, source="rng", **hall, **manager)
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    caller, began = evening.person(Role.CALLER), timezone.now()
    draw.draw_ball(game=evening.game, by=caller, at=began)
    with refuses(Refusal("too_soon", left=1)):
        draw.draw_ball(game=evening.game, by=caller, at=began + timedelta(seconds=least - 0.1))
    assert evening.game.balls.count() == 1
    draw.draw_ball(game=evening.game, by=caller, at=began + timedelta(seconds=least))


@pytest.mark.slow
@pytest.mark.rule(31)
def test_real_wait_between_two_balls_is_the_rule_books(settings: Any) -> None:
    settings.RNG_PACE = 1
    evening = Evening()
    set_policy(hall=evening.hall, source="rng", interval=3, **evening.who(Role.HALL_MANAGER))
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    first = draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
    refused: list[str] = []
    while evening.game.balls.count() == 1:
        try:
            draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
        except Refusal as refusal:
            refused.append(refusal.code)
            sleep(0.2)
    second = evening.game.balls.get(order=2)
    assert set(refused) == {"too_soon"}
    assert (second.at - first.at).total_seconds() >= 3


def test_balls_of_the_rng_keep_the_halls_interval(settings: Any) -> None:
    settings.RNG_PACE = 1
    evening = Evening()
    set_policy(hall=evening.hall, source="rng", interval=7, **evening.who(Role.HALL_MANAGER))
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    began = timezone.now()
    who: dict[str, Any] = {"by": evening.person(Role.CALLER), "at": began, "key": uuid4()}
    first = draw.draw_ball(game=evening.game, **who)
    soon = began + timedelta(seconds=4.2)
    with refuses(Refusal("too_soon", left=3)):
        draw.draw_ball(game=evening.game, by=who["by"], at=soon)
    # The same request sent again is no second ball, and a clock set back keeps nobody waiting.
    assert draw.draw_ball(game=evening.game, **(who | {"at": soon})).number == first.number
    draw.draw_ball(game=evening.game, by=who["by"], at=began - timedelta(hours=1))
    draw.draw_ball(game=evening.game, by=who["by"], at=began + timedelta(seconds=8))
    assert evening.game.balls.count() == 3


@pytest.mark.slow
@pytest.mark.rule(55)
def test_second_person_of_a_ball_is_somebody_else_who_may_be_one() -> None:
    evening = after_the_rng()
    caller, number = evening.who(Role.CALLER), free(evening.game)
    with refuses("witness_same_person"):
        draw.announce_ball(game=evening.game, number=number, witness=caller["by"], **caller)
    gone = people(evening, Role.TABLE_CHIEF)[-1]
    plant(Person.objects.filter(pk=gone.pk), is_active=False)
    stranger = Evening("norte").person(Role.TABLE_CHIEF)
    for nobody in (evening.person(Role.CASHIER), stranger, gone):
        with refuses("witness_not_allowed"):
            draw.announce_ball(game=evening.game, number=number, witness=nobody, **caller)
    chief = evening.person(Role.TABLE_CHIEF)
    draw.announce_ball(game=evening.game, number=number, witness=chief, **caller)


@pytest.mark.slow
@pytest.mark.rule(55)
def test_audit_finds_a_ball_witnessed_by_whoever_announced_it() -> None:
    evening = after_the_rng()
    caller, number = evening.who(Role.CALLER), free(evening.game)
    draw.announce_ball(
        game=evening.game, number=number, witness=evening.person(Role.TABLE_CHIEF), **caller
    )
    told = JournalEntry.objects.filter(kind="ball_announced").latest("number")
    assert audit(Hall.objects.get()) == []
    data = told.data | {"number": number + 1, "order": None, "count": told.data["count"] + 1}
    fact = Fact("ball_announced", data | {"witness": caller["by"].username})
    with transaction.atomic():
        made = journal_services.append(
            head.lock(evening.hall.pk), fact, session=evening.session, game=told.game, **caller
        )
    found = audit(Hall.objects.get())
    assert [(one.number, one.code) for one in found] == [(made.number, "rules_refuse")]
    assert "witness_same_person" in found[0].detail
