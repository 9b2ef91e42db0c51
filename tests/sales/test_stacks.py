"""The stacks of a sale: sold, left, in sellers' hands and come back, for each issue and price."""

import pytest

from draws.games import services as games_services
from draws.games.queries import get_hall_state
from draws.sales.queries import SellerRange, stacks
from halls.models import Role
from tests.support.evening import FACE, Evening
from tests.support.service_commands.games import add_issue, double_cards, several_prices
from tests.support.service_commands.sales import hand_out, sell, seller, settle

pytestmark = pytest.mark.django_db


def test_no_game_has_no_stacks() -> None:
    Evening().reach("shift")
    assert stacks(get_hall_state("sala")) == []


@pytest.mark.rule(36)
def test_stack_tells_what_is_sold_left_out_and_back() -> None:
    evening = Evening().reach("selling")
    cashier = evening.who(Role.CASHIER)
    hand_out(evening, cashier)
    [stack] = stacks(get_hall_state("sala"))
    assert (stack.sold, stack.left, stack.next, stack.handed_out) == (0, 85, 6, 5)
    assert stack.out == (SellerRange(seller(evening).name, 1, 5),)
    sell(evening, cashier)
    settle(evening, cashier, back=4)
    [stack] = stacks(get_hall_state("sala"))
    assert (stack.name, stack.price) == ("A sala-1", FACE)
    assert (stack.sold, stack.left, stack.next, stack.out) == (6, 84, 4, ())
    assert stack.back == ((4, 5),)


def test_each_price_has_its_stack() -> None:
    evening = Evening()
    several_prices(evening)
    add_issue(evening, evening.who(Role.TABLE_CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, evening.who(Role.CASHIER), quantity=2, face=300_00)
    assert [(one.name, one.price, one.sold) for one in stacks(get_hall_state("sala"))] == [
        ("A sala-1", FACE, 0),
        ("L z-1", 300_00, 2),
    ]


@pytest.mark.rule(15)
def test_double_card_costs_both_its_games() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("sold")
    assert [(one.price, one.sold) for one in stacks(get_hall_state("sala"))] == [(2 * FACE, 6)]
