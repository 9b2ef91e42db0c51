"""Sales of several halls may share a commit; a hall that is busy never keeps another waiting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.models import Game, Sale
from draws.record.audit import audit
from draws.sales import services as sales_services
from draws.sales.batching import LATER
from draws.sales.services import SaleRequest, SaleResult
from halls.models import Hall, JournalEntry
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.threads import at_once

Owner = psycopg.Connection[Any]
HALLS = ("aaa", "bbb", "ccc")


@pytest.fixture
def halls(fresh_database: FreshDatabase) -> list[Evening]:
    """Three halls, each with a game on sale."""
    return [Evening(code).reach("selling") for code in HALLS]


def order(evening: Evening, *, quantity: int = 2, key: UUID | None = None) -> SaleRequest:
    """Cards wanted at a hall's till."""
    game = Game.objects.select_related("session__hall", "issue").get(session=evening.session)
    shift = evening.shift
    return SaleRequest(
        game=game, shift=shift, quantity=quantity, first=None, seller=None, face=None, player=None,
        by=shift.cashier, at=timezone.now(), key=key or uuid4(),
    )  # fmt: skip


def cards(outcome: object) -> list[tuple[int, int]]:
    """The cards of a sale."""
    assert isinstance(outcome, SaleResult), outcome
    return [(sale.first, sale.last) for sale in outcome.rows]


def whole(evening: Evening) -> None:
    assert audit(Hall.objects.get(pk=evening.hall.pk)) == []


@pytest.mark.slow
@pytest.mark.rule(36)
def test_halls_sold_to_together_have_each_its_own_order_and_chain(
    halls: list[Evening], owner_connection: Owner
) -> None:
    outcomes = sales_services.sell_together([order(evening) for evening in (*halls, *halls)])
    assert [cards(one) for one in outcomes] == [[(1, 2)]] * 3 + [[(3, 4)]] * 3
    found = owner_connection.execute("SELECT count(DISTINCT xmin::text) FROM draws_sale").fetchone()
    assert found == (1,)
    for evening in halls:
        whole(evening)


@pytest.mark.slow
def test_same_key_in_two_halls_is_two_sales(halls: list[Evening]) -> None:
    key = uuid4()
    first = sales_services.sell_together([order(evening, key=key) for evening in halls])
    again = sales_services.sell_together([order(evening, key=key) for evening in halls])
    assert [cards(one) for one in first] == [cards(one) for one in again] == [[(1, 2)]] * 3
    assert JournalEntry.objects.filter(key=key).count() == 3
    assert Sale.objects.count() == 3


@pytest.mark.slow
def test_refusal_in_one_hall_stops_no_other(halls: list[Evening]) -> None:
    wrong, *right = halls
    outcomes = sales_services.sell_together([order(wrong, quantity=0), *map(order, right)])
    assert outcomes[0] == Refusal("quantity_not_positive", quantity=0)
    assert [cards(one) for one in outcomes[1:]] == [[(1, 2)]] * 2
    whole(wrong)


@pytest.mark.slow
def test_hall_that_somebody_holds_is_left_for_later(
    halls: list[Evening], owner_connection: Owner
) -> None:
    held, *others = halls
    with owner_connection.transaction():
        owner_connection.execute(
            "SELECT 1 FROM halls_hall WHERE id = %s FOR UPDATE", [held.hall.pk]
        )
        outcomes = sales_services.sell_together([order(evening) for evening in halls])
        assert outcomes[0] is LATER
        assert [cards(one) for one in outcomes[1:]] == [[(1, 2)]] * 2
    assert not JournalEntry.objects.filter(hall=held.hall, kind="cards_sold").exists()
    assert cards(sales_services.sell_together([order(held)])[0]) == [(1, 2)]
    for evening in (held, *others):
        whole(evening)


@pytest.mark.rule(36)
def test_many_tills_of_many_halls_leave_no_gap_and_no_overlap(halls: list[Evening]) -> None:
    wanted = [order(evening) for evening in halls for _till in range(8)]
    doings: list[Callable[[], Any]] = [
        lambda one=one: sales_services.ring_up(order=one, given=None)  # type: ignore[misc]
        for one in wanted
    ]
    assert all(isinstance(result, SaleResult) for result in at_once(doings))
    for evening in halls:
        sold = Sale.objects.filter(game=evening.hall.sessions.get().games.get())
        assert sorted(sold.values_list("first", "last")) == [
            (first, first + 1) for first in range(1, 17, 2)
        ]
        whole(evening)
