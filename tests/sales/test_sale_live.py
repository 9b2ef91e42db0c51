"""The sale as it stands: by till, seller and game, the same as the rules and the rows have it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from bingo.rules import session_state
from draws.games import services as games_services
from draws.models import Sale
from draws.sales import services as sales_services
from draws.sales.live import SaleLive, SellerCards, sale_live
from halls import tills
from halls.models import Person, Role, Shift
from tests.support.evening import FACE, FLOAT, Evening
from tests.support.planting_rows import plant
from tests.support.service_commands.games import (
    OTHER_FACE,
    add_issue,
    first_half,
    several_prices,
    void,
)
from tests.support.service_commands.sales import hand_out, sell, seller, settle

pytestmark = pytest.mark.django_db

CASHIER, CHIEF, CALLER = Role.CASHIER, Role.TABLE_CHIEF, Role.CALLER


def live(evening: Evening, *, at: datetime | None = None) -> SaleLive:
    """Return the sale as it stands."""
    session = evening.session
    return sale_live(session, session_state.load(session.state), at=at or timezone.now())


def second_till(evening: Evening) -> tuple[Shift, Person]:
    """Open the second till."""
    cashier = evening.hall.people.filter(roles__contains=[CASHIER]).order_by("username")[1]
    shift = tills.open_shift(
        session=evening.session, till=evening.hall.tills.order_by("pk")[1], float=100,
        by=cashier, at=timezone.now(),
    )  # fmt: skip
    return shift, cashier


def test_session_just_opened_has_nothing() -> None:
    found = live(Evening().reach("session"))
    assert (found.tills, found.sellers, found.games) == ((), (), ())
    assert (found.cards, found.amount, found.cash, found.in_hand) == (0, 0, 0, 0)
    assert (found.curve.counts, found.pace) == ((), None)


def test_each_till_has_its_cards_and_the_cash_that_the_rules_expect() -> None:
    evening = Evening().reach("sold")
    shift, cashier = second_till(evening)
    sales_services.sell(game=evening.game, shift=shift, quantity=4, by=cashier, at=timezone.now())
    found = live(evening)
    state = session_state.load(evening.session.state)
    told = [(till.shift.number, till.game_cards, till.cards, till.amount) for till in found.tills]
    assert told == [(1, 6, 6, 6 * FACE), (2, 4, 4, 4 * FACE)]
    assert [till.cash for till in found.tills] == [drawer.cash for drawer in state.shifts]
    assert (found.cards, found.game_cards, found.amount) == (10, 10, 10 * FACE)
    assert found.cash == FLOAT + 100 + 10 * FACE


def test_cash_of_a_closed_till_is_in_no_open_drawer() -> None:
    evening = Evening().reach("sold")
    shift, cashier = second_till(evening)
    tills.close_shift(shift=shift, counted=100, comment="", by=cashier, at=timezone.now())
    found = live(evening)
    assert [till.shift.closed_at is None for till in found.tills] == [True, False]
    assert [till.shift.number for till in found.open_tills] == [1]
    assert found.cash == FLOAT + 6 * FACE


@pytest.mark.rule(36)
def test_seller_owes_what_is_in_hand_and_is_told_what_was_sold() -> None:
    evening = Evening().reach("selling")
    hand_out(evening, evening.who(CASHIER), quantity=8)
    (told,) = live(evening).sellers
    assert told.held == (SellerCards("A sala-1", 1, 8),)
    assert (told.name, told.in_hand, told.due, told.cards) == (seller(evening).name, 8, 8 * FACE, 0)
    settle(evening, evening.who(CASHIER), back=6)
    found = live(evening)
    (told,) = found.sellers
    assert told.held == (SellerCards("A sala-1", 6, 8),)
    assert (told.in_hand, told.due, told.game_cards, told.cards) == (3, 3 * FACE, 5, 5)
    assert (found.in_hand, found.cards) == (3, 5)
    assert sum(told.curve.counts) == 5


@pytest.mark.rule(15)
def test_seller_of_double_cards_owes_twice_the_price_and_they_count_once() -> None:
    evening = Evening()
    first_half(evening)
    games_services.open_second_half(session=evening.session, **evening.who(CHIEF))
    found = live(evening)
    assert (found.cards, found.amount) == (6, 6 * 2 * FACE)
    second, first = found.games
    assert (second.first_half, first.first_half) == (1, None)
    assert (second.game.cards, second.curve.counts, sum(first.curve.counts)) == (6, (), 6)
    assert found.tills[0].game_cards == 6


def test_block_of_double_cards_is_due_at_twice_the_price() -> None:
    evening = Evening().reach("shift")
    plant(evening.hall.issues.filter(pk=evening.issue().pk), double=True)
    evening.reach("selling")
    hand_out(evening, evening.who(CASHIER), quantity=2)
    assert live(evening).sellers[0].due == 2 * 2 * FACE


@pytest.mark.rule(29)
def test_prizes_of_the_open_game_grow_and_those_of_a_void_one_are_none() -> None:
    evening = Evening().reach("sold")
    (growing,) = live(evening).games
    evening.reach("closed")
    (fixed,) = live(evening).games
    told = {"line": evening.game.line, "bingo": evening.game.bingo}
    assert growing.prizes == fixed.prizes == told
    assert fixed.prizes["line"]
    void(evening, evening.who(CHIEF))
    (none,) = live(evening).games
    assert none.prizes == {}


def test_game_of_several_prices_names_its_issues() -> None:
    evening = Evening()
    several_prices(evening)
    add_issue(evening, evening.who(CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))
    sell(evening, evening.who(CASHIER), quantity=2, face=FACE)
    sell(evening, evening.who(CASHIER), quantity=3, face=OTHER_FACE)
    found = live(evening)
    assert found.games[0].issues == ("A sala-1", "L z-1")
    assert (found.cards, found.amount) == (5, 2 * FACE + 3 * OTHER_FACE)
    assert found.pace
    assert found.pace.left == 88 + 57


def test_curves_of_all_tills_are_on_one_time() -> None:
    evening = Evening().reach("selling")
    shift, cashier = second_till(evening)
    # Each bar begins with a half minute of the clock.
    begun = (timezone.now() + timedelta(seconds=300)).replace(second=0, microsecond=0)
    for seconds, quantity in ((0, 2), (65, 3)):
        at = begun + timedelta(seconds=seconds)
        sales_services.sell(game=evening.game, shift=evening.shift, quantity=quantity, by=evening.person(CASHIER), at=at)  # fmt: skip
    at = begun + timedelta(seconds=95)
    sales_services.sell(game=evening.game, shift=shift, quantity=4, by=cashier, at=at)
    first, second = (till.curve for till in live(evening, at=at).tills)
    assert (first.counts, second.counts) == ((2, 0, 3, 0), (0, 0, 0, 4))


def test_number_of_queries_does_not_grow_with_the_sales(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    evening = Evening().reach("sold")
    session = evening.session
    state = session_state.load(session.state)
    with django_assert_num_queries(7):
        sale_live(session, state, at=timezone.now())
    shift, cashier = second_till(evening)
    for _sale in range(8):
        sales_services.sell(
            game=evening.game, shift=shift, quantity=2, seller=seller(evening), by=cashier,
            at=timezone.now(),
        )  # fmt: skip
    session = evening.session
    state = session_state.load(session.state)
    with django_assert_num_queries(8):  # one more: the names of those who sold
        sale_live(session, state, at=timezone.now())
    assert Sale.objects.count() == 9
