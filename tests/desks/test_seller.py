"""A floor seller's page: the seller's own cards and what is owed for them, and no order to give."""

from __future__ import annotations

import pytest

from draws.balls import readings
from draws.sales import floor
from halls.models import Role
from tests.support.evening import Evening, browser_of, order
from tests.support.till_hall import sellers

pytestmark = pytest.mark.django_db


def shown(evening: Evening, place: int = 0) -> str:
    answer = browser_of(sellers(evening)[place]).get("/seller/live/")
    assert answer.status_code == 200
    return answer.content.decode()


def handed(evening: Evening, quantity: int = 4) -> Evening:
    floor.hand_out(
        game=evening.game, shift=evening.shift, seller=sellers(evening)[0], quantity=quantity,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    return evening


@pytest.mark.rule(36)
def test_seller_sees_the_cards_in_hand_and_what_is_owed() -> None:
    evening = handed(Evening().reach("selling"))
    page = shown(evening)
    for part in ('data-first="1"', 'data-last="4"', 'data-price="20000"', "800,00"):
        assert part in page, part


def test_seller_sees_nobody_else_s_cards() -> None:
    page = shown(handed(Evening().reach("selling")), place=1)
    assert "data-block" not in page


@pytest.mark.rule(55)
def test_sellers_are_told_that_the_game_is_held_and_keep_sight_of_their_cards() -> None:
    evening = handed(Evening().reach("selling"))
    readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))
    for place in (0, 1):
        page = shown(evening, place)
        assert "Sem luz" in page
        assert "Vá buscar cartões à caixa" not in page
    assert 'data-first="1"' in shown(evening)


@pytest.mark.slow
def test_page_stands_at_every_stage() -> None:
    for stage in ("opened", "selling", "sold", "closed", "drawing", "window", "paying"):
        evening = Evening(f"s-{stage}")
        if stage != "opened":
            evening.reach(stage)
        assert shown(evening), stage


def test_what_was_sold_and_paid_stays_in_sight() -> None:
    evening = handed(Evening().reach("selling"))
    floor.settle(
        game=evening.game, shift=evening.shift, seller=sellers(evening)[0], issue=evening.issue(),
        first=1, last=4, returned=[(3, 4)], **evening.who(Role.CASHIER),
    )  # fmt: skip
    page = shown(evening)
    assert "data-block" not in page
    assert "400,00" in page


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_page_is_the_sellers_and_takes_no_order() -> None:
    evening = Evening().reach("selling")
    for role in set(Role) - {Role.SELLER}:
        assert browser_of(evening.person(role)).get("/seller/").status_code == 403
    for verb in ("settle", "hand-out", "sell"):
        assert order(browser_of(sellers(evening)[0]), "seller", verb).status_code in (404, 409)
