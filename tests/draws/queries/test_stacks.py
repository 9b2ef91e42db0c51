"""The stacks of a sale: sold, left, in sellers' hands and come back, for each issue and price."""

import pytest

from draws.queries.stacks import Held, stacks
from draws.queries.standing import standing
from draws.services import games
from halls.models import Role
from tests.draws.services.commands import (
    add_issue,
    double_cards,
    hand_out,
    sell,
    seller,
    settle,
    several_prices,
)
from tests.draws.views.evening import FACE, Evening

pytestmark = pytest.mark.django_db


def test_no_game_has_no_stacks() -> None:
    Evening().reach("shift")
    assert stacks(standing("sala")) == []


@pytest.mark.rule(36)
def test_stack_tells_what_is_sold_left_out_and_back() -> None:
    evening = Evening().reach("selling")
    cashier = evening.who(Role.CASHIER)
    hand_out(evening, cashier)
    [stack] = stacks(standing("sala"))
    assert (stack.sold, stack.left, stack.next, stack.handed_out) == (0, 85, 6, 5)
    assert stack.out == (Held(seller(evening).name, 1, 5),)
    sell(evening, cashier)
    settle(evening, cashier, back=4)
    [stack] = stacks(standing("sala"))
    assert (stack.name, stack.price) == ("A sala-1", FACE)
    assert (stack.sold, stack.left, stack.next, stack.out) == (6, 84, 4, ())
    assert stack.back == ((4, 5),)


def test_each_price_has_its_stack() -> None:
    evening = Evening()
    several_prices(evening)
    add_issue(evening, evening.who(Role.TABLE_CHIEF))
    games.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, evening.who(Role.CASHIER), quantity=2, face=300_00)
    assert [(one.name, one.price, one.sold) for one in stacks(standing("sala"))] == [
        ("A sala-1", FACE, 0),
        ("L z-1", 300_00, 2),
    ]


@pytest.mark.rule(15)
def test_double_card_costs_both_its_games() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("sold")
    assert [(one.price, one.sold) for one in stacks(standing("sala"))] == [(2 * FACE, 6)]
