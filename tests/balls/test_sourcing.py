"""A hall that draws from the RNG, whose RNG is down at the time of sale: wait, or decide otherwise."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.conf import LazySettings

from bingo.rules.refusal import Refusal
from bingo.rules.steps.drawing import BY_HAND, RNG
from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import randomness
from draws.games import services as games_services
from draws.models import Game
from draws.record.acta import game_queries
from draws.record.audit import audit
from draws.rng import client
from draws.sales import services as sales_services
from halls.models import BallSet, Hall, JournalEntry, Role
from halls.policy import services as policy_services
from tests.support import rng_games
from tests.support.ball_sets import ball_set, own, use_set
from tests.support.evening import Evening, order
from tests.support.playing import refuses
from tests.support.till_hall import double_cards

pytestmark = pytest.mark.django_db

MANAGER, CALLER, CHIEF = Role.HALL_MANAGER, Role.CALLER, Role.TABLE_CHIEF
WHY = "O RNG não responde"


@pytest.fixture
def nobody(tmp_path: Path, settings: LazySettings) -> Path:
    """A hall in which nothing draws numbers yet, and the folder where something may."""
    settings.RNG_DIR = tmp_path / "rng"
    return tmp_path / "rng"


def prepared(source: str = RNG) -> Evening:
    """A game about to be sold in a hall that draws from there."""
    evening = Evening()
    policy_services.set_policy(hall=evening.hall, source=source, **evening.who(MANAGER))
    return evening.reach("prepared").equip()


def decide(evening: Evening, source: str = BY_HAND, *, role: Role = MANAGER) -> None:
    """Let somebody decide."""
    draw.decide_ball_source(game=evening.game, source=source, reason=WHY, **evening.who(role))


def sold(evening: Evening) -> Game:
    """Sell a card and begin the draw."""
    game = evening.game
    games_services.announce_sale(game=game, **evening.who(CALLER))
    sales_services.sell(game=game, shift=evening.shift, quantity=1, **evening.who(Role.CASHIER))
    games_services.close_sale(game=game, **evening.who(CALLER))
    games_services.announce_draw(game=game, **evening.who(CALLER))
    return evening.game


@pytest.mark.slow
@pytest.mark.usefixtures("nobody")
def test_game_decided_by_hand_is_sold_and_drawn_without_the_rng() -> None:
    evening = prepared()
    with refuses("rng_not_running"):
        games_services.announce_sale(game=evening.game, **evening.who(CALLER))
    decide(evening)
    game = sold(evening)
    assert game.commitment is None
    entry = JournalEntry.objects.get(kind="source_changed")
    assert (entry.data, entry.game) == ({"source": BY_HAND, "reason": WHY, "count": 0}, 1)
    assert entry.by == evening.person(MANAGER)
    # Its own source from the start: no second person is asked for.
    draw.announce_ball(game=game, number=7, **evening.who(CALLER))
    with refuses(Refusal("source_not_of_game", source=RNG, expected=BY_HAND)):
        draw.draw_ball(game=game, **evening.who(CALLER))
    notes = game_queries.notes(game, tz())
    assert any(WHY in note.text for note in notes)
    rng_games.complete(evening)
    assert audit(Hall.objects.get()) == []


def tz() -> ZoneInfo:
    """The hall's own time."""

    return ZoneInfo("Atlantic/Cape_Verde")


@pytest.mark.slow
def test_whoever_waits_sells_as_soon_as_the_rng_answers(nobody: Path) -> None:
    evening = prepared()
    with refuses("rng_not_running"):
        games_services.announce_sale(game=evening.game, **evening.who(CALLER))
    with client.running(nobody):
        assert randomness.fault() == ""
        assert sold(evening).commitment is not None
        assert len(rng_games.draw(evening, 3)) == 3


@pytest.mark.slow
def test_decision_holds_for_its_own_game_alone(nobody: Path) -> None:
    evening = prepared()
    decide(evening)
    sold(evening)
    rng_games.complete(evening)
    with client.running(nobody):
        assert rng_games.drawing(evening).commitment is not None


@pytest.mark.slow
def test_rng_that_is_back_before_the_sale_draws_after_all(nobody: Path) -> None:
    evening = prepared()
    decide(evening)
    with client.running(nobody):
        decide(evening, RNG)
        game = sold(evening)
        assert game.commitment is not None
        assert len(rng_games.draw(evening, 2)) == 2
        rng_games.complete(evening)
    assert audit(Hall.objects.get()) == []


@pytest.mark.usefixtures("nobody")
def test_decision_is_the_hall_manager_s() -> None:
    evening = prepared()
    only = Refusal("not_allowed", roles=["hall_manager"])
    for role in (CALLER, CHIEF):
        with refuses(only):
            decide(evening, role=role)
        with refuses("wrong_phase"):
            draw.change_source(game=evening.game, source=BY_HAND, reason=WHY, **evening.who(role))
    assert not JournalEntry.objects.filter(kind="source_changed").exists()


@pytest.mark.slow
def test_decision_is_for_a_hall_that_draws_from_the_rng_and_before_its_sale() -> None:
    for code, source in enumerate(("", BY_HAND, "camera")):
        other = prepared_in(source, code=f"s{code}")
        with refuses("source_open"):
            decide(other)
    evening = prepared_in(RNG, code="s3")
    with refuses(Refusal("source_unchanged", source=RNG)):
        decide(evening, RNG)
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))
    with refuses("wrong_phase"):
        decide(evening)


def prepared_in(source: str, *, code: str) -> Evening:
    """The same in a hall of its own."""
    evening = Evening(code)
    policy_services.set_policy(hall=evening.hall, source=source, **evening.who(MANAGER))
    return evening.reach("prepared")


@pytest.mark.usefixtures("nobody")
def test_decision_sent_twice_is_made_once() -> None:
    evening = prepared()
    key, who = uuid4(), evening.who(MANAGER)
    for _time in range(2):
        draw.decide_ball_source(game=evening.game, source=BY_HAND, reason=WHY, key=key, **who)
    assert JournalEntry.objects.filter(kind="source_changed").count() == 1


@pytest.mark.rule(25)
@pytest.mark.usefixtures("nobody")
def test_game_decided_by_hand_asks_whether_its_ball_set_may_serve() -> None:
    evening = prepared()
    own(ball_set, lambda e, w: use_set(e, w, extractor=None))(evening)
    BallSet.objects.update(games=2000)
    decide(evening)
    with refuses("ball_set_worn"):
        games_services.announce_sale(game=evening.game, **evening.who(CALLER))


@pytest.mark.rule(15)
@pytest.mark.slow
def test_second_game_of_double_cards_is_opened_by_hand(nobody: Path) -> None:
    evening = Evening()
    policy_services.set_policy(hall=evening.hall, source=RNG, **evening.who(MANAGER))
    double_cards(evening)
    with client.running(nobody):
        evening.reach("prepared").equip()
        sold(evening)
        rng_games.draw(evening, 2)
    # The process has gone, and with it the first game: it is paid out as void games are.
    evening_game = evening.game
    draw.change_source(game=evening_game, source=BY_HAND, reason=WHY, **evening.who(CALLER))
    win_by_hand(evening)
    chief = evening.who(CHIEF)
    with refuses("rng_not_running"):
        games_services.open_second_half(session=evening.session, **chief)
    with refuses("not_allowed"):
        draw.open_second_half(session=evening.session, source=BY_HAND, reason=WHY, **chief)
    with refuses(Refusal("source_unchanged", source=RNG)):
        draw.open_second_half(
            session=evening.session, source=RNG, reason=WHY, **evening.who(MANAGER)
        )
    assert evening.session.games.count() == 1
    key, manager = uuid4(), evening.at("manager")
    for _time in range(2):
        told = order(manager, "manager", "decide-source", key=key, source=BY_HAND, reason=WHY)
        assert told.status_code == 200, told.content.decode()
    second = evening.game
    assert (second.number, second.commitment) == (2, None)
    games_services.announce_draw(game=second, **evening.who(CALLER))
    draw.announce_ball(game=evening.game, number=7, **evening.who(CALLER))
    assert audit(Hall.objects.get()) == []


def win_by_hand(evening: Evening) -> None:
    """Let card 1 win the first game, the rest of its numbers keyed before two."""

    caller, chief = CALLER, evening.person(CHIEF)
    come = set(evening.game.balls.values_list("number", flat=True))
    for number in [one for one in evening.numbers() if one not in come]:
        draw.announce_ball(game=evening.game, number=number, witness=chief, **evening.who(caller))
    draw.call_claim(game=evening.game, combination="bingo", **evening.who(caller))
    claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(), card=1, sound=True,
        **evening.who(CHIEF),
    )  # fmt: skip
    claims_services.open_window(game=evening.game, **evening.who(CHIEF))
    claims_services.close_window(game=evening.game, **evening.who(CHIEF))
    games_services.finish(game=evening.game, **evening.who(CHIEF))
    games_services.complete(game=evening.game, unproven=True, **evening.who(CHIEF))
