"""What nobody has called is counted rightly after every ball, and told to the staff alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bingo.rules import formats
from bingo.rules.session_state import GameState
from bingo.rules.steps.claiming import judge_claim
from draws.balls import draw
from draws.boards.queries import board
from draws.claims import services as claims_services
from draws.claims.queries import Uncalled, uncalled
from draws.games import services as games_services
from draws.games.queries import get_hall_state
from draws.models import Card, Game
from halls.models import Role
from tests.support.evening import Evening
from tests.support.table import page

pytestmark = pytest.mark.django_db


def now(evening: Evening) -> tuple[Game, GameState]:
    """The game as every console sees it."""
    found = get_hall_state(evening.hall.code)
    assert found.game is not None
    assert found.game_state is not None
    return found.game, found.game_state


def by_the_rules(evening: Evening, known: GameState) -> dict[str, list[int]]:
    """What the pure rules find, card by card."""
    held: dict[str, list[int]] = {}
    for card in Card.objects.filter(series=evening.issue().series_id, number__lte=known.cards):
        rows = tuple(tuple(row) for row in card.rows)
        for one in known.won:
            if judge_claim(rows, one, drawn=known.balls).valid:
                held.setdefault(one.name, []).append(card.number)
    return {name: sorted(cards) for name, cards in held.items()}


def told(found: tuple[Uncalled, ...]) -> dict[str, list[int]]:
    """The cards' numbers by combination."""
    return {one.combination: [card for _issue, card in one.cards] for one in found}


@pytest.mark.rule(46)
@pytest.mark.parametrize("format", [90, 75, 30])
@pytest.mark.slow
def test_hint_agrees_with_the_rules_after_every_ball_and_recall(format: int) -> None:
    evening = Evening(format=format).reach("closed")
    caller = evening.who(Role.CALLER)
    games_services.announce_draw(game=evening.game, **caller)
    order = Random(1979).sample(list(formats.get_format(format).numbers), 22)
    for place, number in enumerate(order):
        if place % 5 == 4:
            draw.announce_ball(game=evening.game, number=order[place + 1], **caller)
            assert told(uncalled(*now(evening))) == by_the_rules(evening, now(evening)[1])
            draw.recall_ball(game=evening.game, number=order[place + 1], **caller)
        if place == 20:
            break
        draw.announce_ball(game=evening.game, number=number, **caller)
        assert told(uncalled(*now(evening))) == by_the_rules(evening, now(evening)[1])


@pytest.mark.slow
def test_page_that_is_a_ball_behind_does_not_spoil_the_next() -> None:
    evening = Evening().reach("drawing")
    game, known = now(evening)
    assert told(uncalled(game, known))["bingo"] == [1]
    assert "bingo" not in told(uncalled(game, replace(known, balls=known.balls[:-1])))
    assert told(uncalled(game, known))["bingo"] == [1]


@pytest.mark.slow
@pytest.mark.rule(47)
def test_what_was_called_or_is_closed_is_not_hinted_at() -> None:
    evening = Evening().reach("drawing")
    assert set(told(uncalled(*now(evening)))) == {"line", "bingo"}
    evening.reach("checked")
    assert told(uncalled(*now(evening))) == {}
    evening.reach("awarded")
    assert told(uncalled(*now(evening))) == {}
    evening.reach("paying")
    assert uncalled(*now(evening)) == ()


@pytest.mark.slow
def test_wrong_claim_takes_nothing_from_the_hint() -> None:
    evening = Evening().reach("stopped")
    claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(), card=1, sound=False,
        fault="unmarked", **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    assert told(uncalled(*now(evening)))["bingo"] == [1]


@pytest.mark.slow
def test_cards_are_read_once_a_game_and_never_for_a_ball() -> None:
    evening = Evening().reach("drawing")
    game, known = now(evening)
    uncalled(game, known)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        uncalled(game, known)
    assert len(asked) == 0


@pytest.mark.slow
def test_caller_is_told_how_many_and_the_table_chief_which() -> None:
    evening = Evening().reach("drawing")
    caller, chief = page(evening, "caller"), page(evening, "table")
    for shown in (caller, chief):
        assert 'id="uncalled"' in shown
        assert "Bingo: 1 " in shown
    assert 'class="uncalled__cards"' in chief
    assert 'class="uncalled__cards"' not in caller
    for desk in ("till", "manager"):
        assert 'id="uncalled"' not in page(evening, desk)


BALLS = ("hall", "balls", "last", "count", "ball_picture")


def drawn(code: str, card: int) -> Evening:
    """A hall in which every number of a card has been announced, and cards 1 to 6 were sold."""
    evening = Evening(code).reach("closed")
    caller = evening.who(Role.CALLER)
    games_services.announce_draw(game=evening.game, **caller)
    for number in evening.numbers(card):
        draw.announce_ball(game=evening.game, number=number, **caller)
    return evening


def shown(evening: Evening) -> dict[str, Any]:
    """What the board shows but for the balls and the hall's own names."""
    told = board(evening.hall.code)[1]
    kept = {name: value for name, value in told.items() if name not in BALLS}
    kept["issues"] = [one | {"issue": 0, "name": ""} for one in kept["issues"]]
    return kept


@pytest.mark.slow
def test_board_is_the_same_whether_a_sold_card_is_complete_or_not() -> None:
    complete, not_sold = drawn("sala", 1), drawn("outra", 90)
    assert told(uncalled(*now(complete)))["bingo"] == [1]
    assert "bingo" not in told(uncalled(*now(not_sold)))
    assert 'id="uncalled"' in page(complete, "caller")
    assert shown(complete) == shown(not_sold)


@pytest.mark.slow
def test_nothing_of_it_is_on_a_page_that_anybody_may_read() -> None:
    evening = Evening().reach("drawing")
    assert 'id="uncalled"' in page(evening, "table")
    for path in ("", "state.json"):
        assert "uncalled" not in Client().get(f"/board/sala/{path}").content.decode()
