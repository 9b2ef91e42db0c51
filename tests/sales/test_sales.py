"""Selling: rows, cash and entry of a sale, what a repeated request gets, and who may not sell."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from bingo.rules.refusal import Refusal
from draws.games import services as games_services
from draws.models import Issue, Sale, Taking
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls import tills
from halls.models import CashMovement, Hall, JournalEntry, Role
from tests.support.evening import FACE, FLOAT, SIZE, Evening, authorise
from tests.support.floor_hall import (
    CASHIER,
    CHIEF,
    DEAR,
    DOUBLE,
    OTHER,
    SELLER,
    begin,
    box,
    people,
    second_till,
    sellers,
    stocked,
)
from tests.support.playing import everything, refuses
from tests.support.service_commands.prizes import paid
from tests.support.sql_audit import faults

pytestmark = pytest.mark.django_db


def sell(evening: Evening, quantity: int = 3, **changed: Any) -> list[Sale]:
    """Sell at the first till."""
    asked: dict[str, Any] = {
        "game": evening.game,
        "shift": evening.shift,
        **evening.who(CASHIER),
    } | changed
    return sales_services.sell(quantity=quantity, **asked)


def parts(sold: list[Sale]) -> list[tuple[str, int, int]]:
    return [(sale.issue.identification, sale.first, sale.last) for sale in sold]


def agree(evening: Evening) -> None:
    assert audit(Hall.objects.get(pk=evening.hall.pk)) == []
    assert faults() == {}


@pytest.fixture
def evening() -> Evening:
    """A game on sale, nothing sold yet."""
    return Evening().reach("selling")


@pytest.mark.rule(34)
def test_player_may_buy_every_card_there_is(evening: Evening) -> None:
    [sale] = sell(evening, SIZE)
    assert (sale.first, sale.last) == (1, SIZE)
    agree(evening)


@pytest.mark.rule(34)
def test_cards_are_sold_at_a_till_of_the_hall_and_nowhere_else(evening: Evening) -> None:
    elsewhere = Evening("outra").reach("shift")
    for changed in (
        {"shift": elsewhere.shift},
        {"shift": elsewhere.shift, **elsewhere.who(CASHIER)},
        elsewhere.who(CASHIER),
    ):
        with refuses("not_your_shift", "not_allowed", "shift_not_open"):
            sell(evening, **changed)
    key = str(uuid4())
    asked = {"key": key, "game": evening.game.pk, "quantity": 3, "given": ""}
    for outsider in (Client(), elsewhere.at("till")):
        outsider.post("/till/sell/", asked)
        outsider.post("/till/do/sell/", asked)
        assert not Sale.objects.exists()
    # The same order, sent by who sits at the till, sells.
    evening.at("till").post("/till/sell/", asked)
    assert Sale.objects.get().last == 3


@pytest.mark.rule(36)
@pytest.mark.rule(39)
def test_sale_writes_its_cards_its_cash_and_its_entry(evening: Evening) -> None:
    game = evening.game
    [sale] = sell(evening, 3, game=game, first=1)

    assert (sale.first, sale.last, sale.amount, sale.seller, sale.player) == (
        1,
        3,
        3 * FACE,
        None,
        "",
    )
    taking = Taking.objects.get()
    assert (taking.first, taking.last, taking.previous, taking.seller) == (1, 3, None, None)
    movement = CashMovement.objects.get(kind="sale")
    assert (movement.amount, movement.entry_id) == (3 * FACE, sale.entry_id)
    assert sale.entry.data["ranges"] == [{"issue": sale.issue_id, "first": 1, "last": 3}]
    assert Issue.objects.get(pk=sale.issue_id).last_sold == 3
    # The game in hand shows it without being read again, as does the one in its table.
    assert (game.cards, game.gross) == (evening.game.cards, evening.game.gross) == (3, 3 * FACE)
    agree(evening)


@pytest.mark.rule(38)
@pytest.mark.slow
def test_sale_of_five_with_three_left_gives_three_and_two(evening: Evening) -> None:
    sell(evening, 50)
    games_services.void(game=evening.game, cause="other", reason="luz", **evening.who(CHIEF))
    prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=1, last=50, shift=evening.shift,
        **evening.who(CASHIER),
    )  # fmt: skip
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    begin(evening, "sala-1")
    sell(evening, 37)
    with refuses(Refusal("only_left", left=3)):
        sell(evening, 5)
    games_services.open_second_issue(
        game=evening.game, issue=evening.issue(2), **evening.who(CHIEF)
    )
    assert parts(sell(evening, 5)) == [("sala-1", 88, 90), ("sala-2", 1, 2)]
    assert sum(sale.amount for sale in Sale.objects.filter(game=evening.game)) == 42 * FACE

    # 51 was the first card sold: 48 more, and then in no case an equal card.
    assert parts(sell(evening, 48)) == [("sala-2", 3, 50)]
    with refuses(Refusal("sold_out")):
        sell(evening, 1)
    agree(evening)


@pytest.mark.rule(15)
@pytest.mark.slow
def test_double_card_is_sold_for_two_games_at_once() -> None:
    evening = begin(stocked().reach("shift"), DOUBLE)
    [sale] = sell(evening, 2, given=4 * FACE)
    assert (sale.amount, evening.game.gross) == (4 * FACE, 2 * FACE)
    with refuses(Refusal("cash_too_little", due=1)):
        sell(evening, 2, given=4 * FACE - 1)
    agree(evening)


@pytest.fixture
def two_prices() -> Evening:
    """A game on sale with cards of two prices."""
    evening = stocked().reach("prepared")
    games_services.add_issue(game=evening.game, issue=box(evening, OTHER), **evening.who(CHIEF))
    return evening.reach("selling")


@pytest.mark.slow
def test_sale_of_several_prices_is_of_the_one_that_was_chosen(two_prices: Evening) -> None:
    assert parts(sell(two_prices, 2, face=DEAR)) == [(OTHER, 1, 2)]
    assert parts(sell(two_prices, 1, face=FACE, given=FACE)) == [("sala-1", 1, 1)]
    with refuses(Refusal("price_missing", faces=[FACE, DEAR])):
        sell(two_prices, 1)
    with refuses(Refusal("price_not_on_sale", face=5)):
        sell(two_prices, 1, face=5)
    with refuses(Refusal("cash_too_little", due=DEAR - FACE)):
        sell(two_prices, 1, face=DEAR, given=FACE)
    assert two_prices.game.gross == 2 * DEAR + FACE
    agree(two_prices)


@pytest.mark.rule(35)
@pytest.mark.slow
def test_player_is_kept_with_the_sale_and_limited() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", player_limit=4)
    evening.reach("selling")
    [sale] = sell(evening, 3, player="mesa 12")
    assert sale.player == "mesa 12"
    with refuses(Refusal("over_player_limit", limit=4, had=3, left=1)):
        sell(evening, 2, player="mesa 12")
    sell(evening, 4, player="mesa 14")
    for nobody in ("", "  ", None):
        with refuses(Refusal("player_needed", limit=4)):
            sell(evening, 1, player=nobody)
    with refuses(Refusal("over_player_limit", limit=4, had=3, left=1)):
        sell(evening, 2, player="MESA  12")
    assert list(Sale.objects.order_by("pk").values_list("player", flat=True)) == [
        "mesa 12", "mesa 14",
    ]  # fmt: skip
    agree(evening)


# Once more


def test_sale_repeated_with_its_key_is_told_again_and_sold_once(evening: Evening) -> None:
    asked: dict[str, Any] = {
        **evening.who(CASHIER),
        "key": uuid4(),
        "seller": sellers(evening)[0],
        "given": 10**6,
    }
    first = sell(evening, 3, **asked)
    sell(evening, 1)
    before = everything()
    assert sell(evening, 3, **asked) == first
    assert everything() == before


def test_sale_repeated_after_its_end_is_told_again(evening: Evening) -> None:
    asked: dict[str, Any] = {**evening.who(CASHIER), "key": uuid4(), "shift": evening.shift}
    first = sell(evening, SIZE, **asked)
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    tills.close_shift(
        shift=evening.shift, counted=FLOAT + SIZE * FACE, comment="", **evening.who(CASHIER)
    )
    assert sell(evening, SIZE, **asked) == first


@pytest.mark.parametrize(
    "changed", [{"quantity": 2}, {"first": 9}, {"player": "x"}, {"face": FACE}]
)
def test_key_of_a_sale_serves_for_nothing_else(evening: Evening, changed: dict[str, Any]) -> None:
    asked: dict[str, Any] = {**evening.who(CASHIER), "key": uuid4(), "quantity": 3}
    sell(evening, **asked)
    with refuses(Refusal("key_reused")):
        sell(evening, **(asked | changed))


def test_key_of_a_sale_serves_for_no_other_seller_game_or_command(evening: Evening) -> None:
    key = uuid4()
    other = second_till(evening)
    sell(evening, key=key)
    with refuses(Refusal("key_reused")):
        sell(evening, key=key, shift=other, by=other.cashier)
    with refuses(Refusal("key_reused")):
        sell(evening, key=key, seller=sellers(evening)[0])
    with refuses(Refusal("key_reused")):
        tills.close_shift(
            shift=evening.shift, counted=0, comment="x", **(evening.who(CASHIER) | {"key": key})
        )


# Who, and when


def test_nobody_sells_at_a_till_that_is_not_theirs(evening: Evening) -> None:
    for person in (people(evening, CASHIER)[1], evening.person(Role.HALL_MANAGER)):
        with refuses(Refusal("not_your_shift")):
            sell(evening, by=person)
    assert JournalEntry.objects.filter(kind="cards_sold").count() == 0


def test_cashier_who_is_one_no_longer_sells_no_more(evening: Evening) -> None:
    shift = evening.shift
    cashier = evening.person(CASHIER)
    cashier.roles = [SELLER]
    with refuses("not_allowed"):
        sell(evening, shift=shift, by=cashier)
    cashier.roles, cashier.is_active = [CASHIER], False
    with refuses("not_allowed"):
        sell(evening, shift=shift, by=cashier)


def test_only_floor_sellers_of_the_hall_sell_for_a_till(evening: Evening) -> None:
    here, elsewhere = sellers(evening)[0], sellers(Evening("norte"))[0]
    with refuses(Refusal("unknown_seller")):
        sell(evening, seller=elsewhere)
    with refuses(Refusal("unknown_seller")):
        sell(evening, seller=evening.person(CASHIER))
    here.is_active = False
    with refuses(Refusal("unknown_seller")):
        sell(evening, seller=here)
    [sale] = sell(evening, seller=sellers(evening)[1])
    assert sale.seller == sellers(evening)[1]


def test_counted_till_sells_no_more(evening: Evening) -> None:
    shift = evening.shift
    tills.close_shift(shift=shift, counted=FLOAT, comment="", **evening.who(CASHIER))
    with refuses(Refusal("shift_not_open", till=shift.till.name)):
        sell(evening, shift=shift)


def test_page_of_the_game_before_sells_nothing_in_the_next() -> None:
    evening = Evening().reach("sold")
    old = evening.game
    evening.reach("paying")
    paid(evening)
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    begin(evening, "sala-1")
    with refuses(Refusal("stale_page")):
        sell(evening, game=old)
    assert evening.game.cards == 0


@pytest.mark.rule(33)
@pytest.mark.rule(40)
def test_nothing_is_sold_before_the_sale_nor_after_it() -> None:
    evening = Evening().reach("prepared")
    with refuses(Refusal("wrong_phase", phase="prepared", command="cards_sold")):
        sell(evening)
    evening.reach("closed")
    with refuses(Refusal("wrong_phase", phase="closed", command="cards_sold")):
        sell(evening)


@pytest.mark.parametrize(
    ("quantity", "expected"),
    [
        (0, Refusal("quantity_not_positive", quantity=0)),
        (-5, Refusal("quantity_not_positive", quantity=-5)),
        (SIZE + 1, Refusal("only_left", left=SIZE)),
        (10**12, Refusal("only_left", left=SIZE)),
    ],
)
def test_number_of_cards_that_cannot_be_is_refused(
    evening: Evening, quantity: int, expected: Refusal
) -> None:
    with refuses(expected):
        sell(evening, quantity)
