"""A price runs short before its sale stops: by the policy's number, and by the session's habit."""

from __future__ import annotations

import pytest

from bingo.rules.refusal import Refusal
from draws.games import services as games_services
from draws.games.queries import get_hall_state
from draws.models import Issue
from draws.sales.issues_to_offer import Short, Spare, short
from halls.models import Role
from halls.policy.services import set_policy
from tests.support.evening import FACE, Evening
from tests.support.planting_rows import plant
from tests.support.service_commands.games import (
    OTHER_FACE,
    add_issue,
    double_cards,
    several_prices,
    void,
)
from tests.support.service_commands.prizes import paid, refund
from tests.support.service_commands.sales import hand_out, sell
from tests.support.table import page

pytestmark = pytest.mark.django_db

CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER


def evening_with(low_stock: int) -> Evening:
    """An evening in a hall whose stock is short below a number of cards."""
    evening = Evening()
    set_policy(hall=evening.hall, low_stock=low_stock, **evening.who(MANAGER))
    return evening


def found(evening: Evening) -> tuple[Short, ...]:
    """Return what runs short in the hall."""
    return short(get_hall_state(evening.hall.code))


def next_game(evening: Evening) -> None:
    """Complete the game and open the sale of the next with the same issue."""
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    games_services.open_game(session=evening.session, issue=evening.issue(), **evening.who(CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))


def test_nothing_is_short_where_no_game_is_open() -> None:
    evening = evening_with(100)
    for stage in ("none", "session", "shift"):
        evening.reach(stage)
        assert found(evening) == ()


def test_warning_begins_below_the_policys_number() -> None:
    evening = evening_with(80).reach("selling")
    sell(evening, evening.who(CASHIER), quantity=10)
    assert found(evening) == ()
    sell(evening, evening.who(CASHIER), quantity=1)
    (one,) = found(evening)
    assert (one.price, one.left, one.in_hand, one.first) == (FACE, 79, 0, 1)
    assert one.seconds
    assert one.seconds.why_not == Refusal("no_room_for_second")


@pytest.mark.rule(15)
def test_shortage_of_double_cards_tells_what_one_costs() -> None:
    evening = evening_with(100)
    double_cards(evening)
    evening.reach("selling")
    assert [one.price for one in found(evening)] == [2 * FACE]
    assert "Só restam 90 cartões a 400,00 CVE para esta jogada" in page(evening)


def test_policy_of_the_session_counts_not_the_one_set_since() -> None:
    evening = evening_with(10).reach("sold")
    set_policy(hall=evening.hall, low_stock=100, **evening.who(MANAGER))
    assert found(evening) == ()


def test_cards_in_sellers_hands_are_not_left_but_may_come_back() -> None:
    evening = evening_with(80).reach("selling")
    hand_out(evening, evening.who(CASHIER), quantity=20)
    (one,) = found(evening)
    assert (one.left, one.in_hand) == (70, 20)


@pytest.mark.rule(38)
def test_issue_that_may_follow_is_named_while_cards_are_left() -> None:
    evening = evening_with(60).reach("sold")
    void(evening, evening.who(CHIEF))
    refund(evening, evening.who(CASHIER))
    next_game(evening)
    sell(evening, evening.who(CASHIER), quantity=30)
    (one,) = found(evening)
    assert one.left == 54
    assert one.seconds
    assert [(second.issue, second.last) for second in one.seconds.ready] == [(evening.issue(2), 6)]
    games_services.open_second_issue(
        game=evening.game, issue=evening.issue(2), **evening.who(CHIEF)
    )
    assert found(evening) == ()  # 54 and 6 are left now
    sell(evening, evening.who(CASHIER), quantity=1)
    (both,) = found(evening)
    assert [run.issue for run in both.runs] == [evening.issue().pk, evening.issue(2).pk]
    assert both.seconds
    assert (both.left, both.seconds.why_not) == (59, Refusal("already_two"))


def test_sold_out_price_is_short_whatever_the_policy() -> None:
    evening = evening_with(0).reach("selling")
    sell(evening, evening.who(CASHIER), quantity=89)
    assert found(evening) == ()
    sell(evening, evening.who(CASHIER), quantity=1)
    assert [one.left for one in found(evening)] == [0]


@pytest.mark.rule(37)
@pytest.mark.slow
def test_next_game_is_short_at_the_sessions_usual_pace() -> None:
    evening = evening_with(5).reach("selling")
    sell(evening, evening.who(CASHIER), quantity=34)
    evening.stage += 1  # sold: more than the usual six
    evening.reach("paying")
    paid(evening)
    next_game(evening)
    (one,) = found(evening)
    # 90 - 34 are left; this game will take 34 more, and the next wants as many.
    assert (one.seconds, one.left, one.usual, one.rest) == (None, 56, 34, 22)
    assert one.spare == Spare(evening.issue(2), 90)
    plant(Issue.objects.filter(pk=evening.issue(2).pk), face=FACE + 1)
    assert found(evening)[0].spare is None


def test_next_game_is_short_while_the_last_is_drawn() -> None:
    evening = evening_with(80).reach("selling")
    sell(evening, evening.who(CASHIER), quantity=34)
    evening.stage += 1
    evening.reach("drawing")
    (one,) = found(evening)
    assert (one.seconds, one.left, one.usual, one.rest) == (None, 0, None, 56)


def test_void_game_is_no_habit() -> None:
    evening = evening_with(5).reach("sold")
    void(evening, evening.who(CHIEF))
    refund(evening, evening.who(CASHIER))
    next_game(evening)
    sell(evening, evening.who(CASHIER), quantity=70)
    assert found(evening) == ()


def test_each_price_runs_short_by_itself() -> None:
    evening = evening_with(59)
    several_prices(evening)
    add_issue(evening, evening.who(CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))
    assert found(evening) == ()
    sell(evening, evening.who(CASHIER), quantity=2, face=OTHER_FACE)
    assert [(one.price, one.left) for one in found(evening)] == [(OTHER_FACE, 58)]
