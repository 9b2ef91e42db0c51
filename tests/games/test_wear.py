"""Games wear the set they are drawn from; a set at its limit is refused before a card is sold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.games import services as games_services
from draws.record.audit import audit
from halls.equipment import approvals_and_roll_calls_due, ball_sets
from halls.models import BallSet, Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.ball_sets import (
    SERIAL,
    ball_set,
    device,
    inspect,
    own,
    put_away,
    the_set,
    use_set,
)
from tests.support.evening import STAGES, Evening
from tests.support.playing import refuses
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import refund

pytestmark = pytest.mark.django_db


def owned(**changed: Any) -> Evening:
    """A hall with a set in use."""
    evening = Evening()
    own(device, lambda e, w: ball_set(e, w, **changed), use_set)(evening)
    return evening


def drawing(evening: Evening) -> Evening:
    """Sell, and announce the draw without a ball."""
    evening.reach("closed").equip()
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return evening


def without_a_set() -> Evening:
    """Sell a game that two persons let be drawn from no registered set, and announce its draw."""
    evening = Evening().reach("sold")
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    approvals_and_roll_calls_due.leave_out(
        session=evening.session,
        duty="ball_set",
        subject="90",
        reason="O jogo de bolas está na alfândega",
        witness=evening.person(Role.TABLE_CHIEF),
        **evening.who(Role.HALL_MANAGER),
    )
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return evening


def key(evening: Evening, number: int) -> None:
    """Announce a ball drawn by hand."""
    draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))


def named() -> list[str | None]:
    """Return the sets that the balls announced so far name."""
    balls = JournalEntry.objects.filter(kind="ball_announced").order_by("number")
    return [entry.data.get("ball_set") for entry in balls]


@pytest.mark.slow
@pytest.mark.rule(25)
def test_first_ball_names_its_set_and_counts_one_game() -> None:
    evening = drawing(owned())
    assert the_set(evening).games == 12
    key(evening, 7)
    key(evening, 8)
    assert named() == [SERIAL, None]
    game = evening.game
    assert (game.ball_set, game.extractor) == (the_set(evening), the_set(evening).extractor)
    assert the_set(evening).games == 13
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(25)
def test_recalled_first_ball_has_counted_and_is_not_counted_twice() -> None:
    evening = drawing(owned())
    key(evening, 7)
    draw.recall_ball(game=evening.game, number=7, **evening.who(Role.CALLER))
    key(evening, 9)
    assert (named(), the_set(evening).games) == ([SERIAL, None], 13)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(25)
def test_void_game_counts_and_the_next_one_too() -> None:
    evening = drawing(owned())
    key(evening, 7)
    chief = evening.who(Role.TABLE_CHIEF)
    void(evening, chief)
    refund(evening, evening.who(Role.CASHIER))
    games_services.complete(game=evening.game, **chief)
    evening.stage = STAGES.index("shift")
    key(drawing(evening), 7)
    assert the_set(evening).games == 14
    assert audit(Hall.objects.get()) == []


def test_game_without_a_ball_and_rng_wear_nothing() -> None:
    evening = drawing(owned())
    assert the_set(evening).games == 12
    draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
    assert (the_set(evening).games, named(), evening.game.ball_set) == (12, [None], None)


@pytest.mark.rule(22)
def test_hall_without_sets_draws_nothing_by_hand_until_it_registers_one() -> None:
    evening = Evening().reach("sold")
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    with refuses(Refusal("ball_set_missing", format=90)):
        key(evening, 7)
    evening.equip()
    key(evening, 7)
    assert evening.game.ball_set is not None
    assert audit(Hall.objects.get()) == []


def test_set_of_another_format_is_not_worn() -> None:
    evening = drawing(owned(format=75, marks=()))
    key(evening, 90)
    assert the_set(evening).games == 12


@pytest.mark.rule(25)
@pytest.mark.slow
def test_sale_is_refused_before_a_card_is_sold_where_the_set_is_worn() -> None:
    evening = owned(games=1999).reach("drawing")
    assert the_set(evening).games == 2000
    chief = evening.who(Role.TABLE_CHIEF)
    void(evening, chief)
    refund(evening, evening.who(Role.CASHIER))
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    with refuses(Refusal("ball_set_worn", ball_set=SERIAL, games=2000, most=2000)):
        games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    manager = evening.who(Role.HALL_MANAGER)
    ball_set(evening, manager, serial="B-0018", games=0)
    use_set(evening, chief, serial="B-0018")
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    assert the_set(evening).standing == "kept"
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(25)
def test_first_ball_is_refused_where_the_set_became_unfit_after_the_sale() -> None:
    evening = drawing(owned())
    inspect(evening, evening.who(Role.TABLE_CHIEF), fit=False)
    with refuses(Refusal("ball_set_faulty", ball_set=SERIAL)):
        key(evening, 7)
    inspect(evening, evening.who(Role.TABLE_CHIEF), fit=True)
    key(evening, 7)


def test_hall_that_draws_by_rng_sells_though_its_set_is_worn() -> None:
    evening = owned(games=1999)
    set_policy(hall=evening.hall, source="rng", **evening.who(Role.HALL_MANAGER))
    BallSet.objects.update(games=2000)
    evening.reach("selling")


@pytest.mark.rule(26)
def test_set_of_the_game_is_left_alone_until_its_draw_is_over() -> None:
    evening = drawing(owned())
    manager = evening.who(Role.HALL_MANAGER)
    ball_set(evening, manager, serial="B-0018")
    key(evening, 7)
    for act in (
        put_away(ball_sets.put_on_shelf),
        put_away(ball_sets.retire),
        lambda e, w: use_set(e, w, serial="B-0018"),
    ):
        with refuses(Refusal("ball_set_in_game", ball_set=SERIAL)):
            act(evening, manager)
    void(evening, evening.who(Role.TABLE_CHIEF))
    use_set(evening, manager, serial="B-0018")
    assert the_set(evening, "B-0018").standing == "in_use"


def put_in_use(evening: Evening, serial: str, **changed: Any) -> None:
    """Take a further set into the books, and draw from it."""
    manager = evening.who(Role.HALL_MANAGER)
    ball_set(evening, manager, **({"serial": serial, "games": 5} | changed))
    use_set(evening, evening.who(Role.TABLE_CHIEF), serial=serial, extractor=None)
    evening.equip()


def ended(evening: Evening) -> None:
    """Void the game, pay its cards back, and complete its entry."""
    chief = evening.who(Role.TABLE_CHIEF)
    void(evening, chief)
    refund(evening, evening.who(Role.CASHIER))
    games_services.complete(game=evening.game, **chief)
    evening.stage = STAGES.index("shift")


@pytest.mark.rule(25)
@pytest.mark.parametrize("act", [ball_sets.put_on_shelf, ball_sets.retire])
@pytest.mark.parametrize("source", ["by_hand", "camera"])
def test_worn_set_that_is_put_away_leaves_nothing_to_draw_from(act: Any, source: str) -> None:
    evening = owned(games=1999)
    manager = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, source=source, **manager)
    BallSet.objects.update(games=2000)
    evening.reach("prepared")
    put_away(act)(evening, manager)
    with refuses(Refusal("no_ball_set_in_use", format=90)):
        games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    put_in_use(evening, "B-0018")
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))


@pytest.mark.slow
@pytest.mark.rule(25)
def test_set_put_away_after_the_sale_is_missed_at_the_first_ball() -> None:
    evening = drawing(owned())
    put_away(ball_sets.put_on_shelf)(evening, evening.who(Role.HALL_MANAGER))
    with refuses(Refusal("no_ball_set_in_use", format=90)):
        key(evening, 7)
    use_set(evening, evening.who(Role.TABLE_CHIEF))
    key(evening, 7)
    assert named() == [SERIAL]
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(25)
@pytest.mark.slow
def test_set_put_in_use_after_the_first_ball_is_not_of_that_game() -> None:
    evening = without_a_set()
    key(evening, 7)
    put_in_use(evening, "B-0018")
    key(evening, 8)
    draw.recall_ball(game=evening.game, number=8, **evening.who(Role.CALLER))
    key(evening, 9)
    assert (named(), evening.game.ball_set) == ([None, None, None], None)
    assert the_set(evening, "B-0018").games == 5
    ended(evening)
    key(drawing(evening), 7)
    assert the_set(evening, "B-0018").games == 6
    assert audit(Hall.objects.get()) == []


def test_first_ball_that_was_recalled_has_decided_too() -> None:
    evening = without_a_set()
    key(evening, 7)
    draw.recall_ball(game=evening.game, number=7, **evening.who(Role.CALLER))
    put_in_use(evening, "B-0018")
    key(evening, 9)
    assert (named(), evening.game.ball_set) == ([None, None], None)


@pytest.mark.slow
def test_balls_of_the_rng_decide_no_set() -> None:
    """The set is that of the first ball drawn by hand, when the RNG has stopped (R55)."""
    evening = drawing(owned())
    draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
    caller = evening.who(Role.CALLER)
    draw.change_source(game=evening.game, source="by_hand", reason="Parou", **caller)
    number = 7 if evening.game.balls.get().number != 7 else 8
    chief = evening.person(Role.TABLE_CHIEF)
    draw.announce_ball(game=evening.game, number=number, witness=chief, **caller)
    assert named() == [None, SERIAL]
    assert audit(Hall.objects.get()) == []


def test_hall_of_the_rng_needs_no_set_in_use() -> None:
    evening = Evening()
    ball_set(evening, evening.who(Role.HALL_MANAGER))
    set_policy(hall=evening.hall, source="rng", **evening.who(Role.HALL_MANAGER))
    drawing(evening)
    draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))


def test_undecided_hall_sells_for_the_rng_and_draws_by_hand_from_a_set_alone() -> None:
    evening = Evening()
    ball_set(evening, evening.who(Role.HALL_MANAGER))
    evening.reach("sold")
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    assert evening.game.commitment
    with refuses(Refusal("no_ball_set_in_use", format=90)):
        key(evening, 7)
    draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))


def test_undecided_hall_without_the_rng_sells_from_a_set_alone(
    settings: Any, tmp_path: Path
) -> None:
    settings.RNG_DIR = tmp_path / "rng"
    evening = Evening()
    ball_set(evening, evening.who(Role.HALL_MANAGER))
    evening.reach("prepared")
    with refuses(Refusal("no_ball_set_in_use", format=90)):
        games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))


def test_set_of_another_format_put_away_is_not_missed() -> None:
    evening = owned(format=75, marks=())
    put_away(ball_sets.put_on_shelf)(evening, evening.who(Role.HALL_MANAGER))
    key(drawing(evening), 90)
