"""Sales that wait for each other share one commit; what goes wrong with one is that one's alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import DataError
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.games import services as games_services
from draws.models import Game, Sale
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls.models import Hall, JournalEntry, Shift
from tests.support.database import FreshDatabase
from tests.support.evening import FACE, FLOAT, Evening
from tests.support.floor_hall import CALLER, CASHIER, CHIEF, hand_out, second_till, sellers, settle
from tests.support.sql_audit import faults
from tests.support.threads import behind_a_lock

Owner = psycopg.Connection[Any]


@pytest.fixture
def selling(fresh_database: FreshDatabase) -> Evening:
    """A game on sale, nothing sold yet."""
    return Evening().reach("selling")


def order(
    evening: Evening, *, game: Game | None = None, shift: Shift | None = None, **changed: Any
) -> Callable[[], Any]:
    """Somebody who buys two cards, with a game in hand that nobody else has."""
    mine = shift or evening.shift
    asked: dict[str, Any] = {
        "quantity": 2,
        "by": mine.cashier,
        "at": timezone.now(),
        "key": uuid4(),
    } | changed
    known = Game.objects.select_related("session__hall", "issue")
    of = known.get(pk=(game or evening.game).pk)
    return lambda: sales_services.sell(game=of, shift=mine, **asked)


def commits(owner: Owner) -> list[int]:
    """How many sales each transaction wrote."""
    found = owner.execute("SELECT count(*) FROM draws_sale GROUP BY xmin::text").fetchall()
    return sorted(count for (count,) in found)


def codes(results: list[Any]) -> list[str]:
    """What came of each: "sold", a refusal's code, or an error's name."""
    return [
        result.code if isinstance(result, Refusal)
        else "sold" if isinstance(result, list)
        else type(result).__name__
        for result in results
    ]  # fmt: skip


def agree(evening: Evening) -> None:
    assert audit(Hall.objects.get(pk=evening.hall.pk)) == []
    assert faults() == {}


@pytest.mark.rule(36)
def test_sales_that_wait_for_each_other_share_a_commit(
    selling: Evening, owner_connection: Owner
) -> None:
    results = behind_a_lock(owner_connection, selling.hall, [order(selling) for _ in range(16)])

    assert codes(results) == ["sold"] * 16
    # The first was alone at the lock; all that came meanwhile were written together.
    assert commits(owner_connection)[-1] > 4
    assert sorted((sale.first, sale.last) for [sale] in results) == [
        (first, first + 1) for first in range(1, 32, 2)
    ]
    agree(selling)


@pytest.mark.slow
def test_refusal_in_a_group_reaches_its_own_till_alone(
    selling: Evening, owner_connection: Owner
) -> None:
    evening = selling
    other = second_till(evening)
    wrong: dict[str, Callable[[], Any]] = {
        "quantity_not_positive": order(evening, quantity=0),
        "only_left": order(evening, quantity=1000),
        "out_of_order": order(evening, first=88),
        "price_not_on_sale": order(evening, face=FACE + 1),
        "not_your_shift": order(evening, by=other.cashier),
        "unknown_seller": order(evening, seller=other.cashier),
        "not_allowed": _with_another_role(evening),
    }
    right = [order(evening, shift=shift) for shift in (evening.shift, other) * 4]
    results = behind_a_lock(owner_connection, evening.hall, [*wrong.values(), *right])

    assert codes(results) == [*wrong, *["sold"] * 8]
    assert commits(owner_connection)[-1] > 2
    assert evening.game.cards == 16
    agree(evening)


def _with_another_role(evening: Evening) -> Callable[[], Any]:
    """A cashier whose role was taken away since the shift was opened."""
    shift = Shift.objects.select_related("session__hall", "till", "cashier").get(
        pk=evening.shift.pk
    )
    shift.cashier.roles = ["inspector"]
    return order(evening, shift=shift)


@pytest.mark.slow
def test_error_of_the_database_in_a_group_reaches_its_own_till_alone(
    selling: Evening, owner_connection: Owner
) -> None:
    # PostgreSQL keeps no text with a NUL in it; a name that is too long is refused before it.
    wrong = [order(selling, player="a\x00b"), order(selling, player="x" * 21)]
    right = [order(selling) for _ in range(10)]
    results = behind_a_lock(owner_connection, selling.hall, [*right[:5], *wrong, *right[5:]])

    assert codes(results) == [*["sold"] * 5, "DataError", "player_too_long", *["sold"] * 5]
    assert isinstance(results[5], DataError)
    assert sorted(sale.first for result in results if isinstance(result, list) for sale in result) == [
        *range(1, 20, 2)
    ]  # fmt: skip
    assert selling.game.cards == 20
    agree(selling)


@pytest.mark.slow
def test_same_key_five_times_in_a_group_sells_once(
    selling: Evening, owner_connection: Owner
) -> None:
    key = uuid4()
    same = [order(selling, key=key) for _ in range(5)]
    results = behind_a_lock(
        owner_connection, selling.hall, [*same, *[order(selling) for _ in range(5)]]
    )

    assert codes(results) == ["sold"] * 10
    assert len({result[0].pk for result in results[:5]}) == 1
    assert selling.game.cards == 2 + 5 * 2
    assert JournalEntry.objects.filter(key=key).count() == 1
    agree(selling)


@pytest.mark.slow
def test_same_key_with_another_quantity_in_a_group_is_refused(
    selling: Evening, owner_connection: Owner
) -> None:
    key = uuid4()
    results = behind_a_lock(
        owner_connection, selling.hall,
        [order(selling, key=key), order(selling, key=key, quantity=3)],
    )  # fmt: skip
    assert sorted(codes(results)) == ["key_reused", "sold"]
    agree(selling)


@pytest.mark.slow
@pytest.mark.rule(38)
def test_group_is_sold_what_came_back_and_the_end_of_the_stack(
    selling: Evening, owner_connection: Owner
) -> None:
    hand_out(selling, 80)
    order(selling)()
    settle(selling, 1, 80, returned=[(3, 9), (20, 20), (70, 80)])
    results = behind_a_lock(
        owner_connection, selling.hall, [order(selling, quantity=3) for _ in range(16)]
    )

    # 7 + 1 + 11 that came back, and 8 that were never out.
    assert codes(results).count("sold") == 9
    assert set(codes(results)) == {"sold", "sold_out"}
    assert selling.game.cards == 90
    agree(selling)


@pytest.fixture
def second_game(selling: Evening) -> tuple[Evening, Game, UUID]:
    """A second game on sale, the first game, and the key of a sale in it."""
    key = uuid4()
    first = selling.game
    order(selling, key=key)()
    games_services.void(game=first, cause="other", reason="luz", **selling.who(CHIEF))
    prizes_services.refund(
        game=first, issue=first.issue, first=1, last=2, shift=selling.shift,
        **selling.who(CASHIER),
    )  # fmt: skip
    games_services.complete(game=first, **selling.who(CHIEF))
    games_services.open_game(session=selling.session, issue=selling.issue(), **selling.who(CHIEF))
    games_services.announce_sale(game=selling.game, **selling.who(CALLER))
    return selling, first, key


@pytest.mark.slow
@pytest.mark.rule(60)
def test_page_of_the_game_before_is_refused_in_a_group_and_stops_nobody(
    second_game: tuple[Evening, Game, UUID], owner_connection: Owner
) -> None:
    evening, first, _key = second_game
    stale = [order(evening, game=first) for _ in range(3)]
    right = [order(evening) for _ in range(6)]
    results = behind_a_lock(owner_connection, evening.hall, [*stale, *right])

    assert codes(results) == [*["stale_page"] * 3, *["sold"] * 6]
    first.refresh_from_db()
    assert (first.phase, first.cards, evening.game.cards) == ("complete", 2, 12)
    agree(evening)


@pytest.mark.slow
@pytest.mark.rule(60)
def test_sale_of_the_game_before_is_repeated_in_a_group_and_leaves_its_game_alone(
    second_game: tuple[Evening, Game, UUID], owner_connection: Owner
) -> None:
    evening, first, key = second_game
    again = [order(evening, game=first, key=key) for _ in range(3)]
    reused = order(evening, key=key)
    right = [order(evening) for _ in range(6)]
    results = behind_a_lock(owner_connection, evening.hall, [*again, reused, *right])

    assert codes(results) == [*["sold"] * 3, "key_reused", *["sold"] * 6]
    assert [sale.first for result in results[:3] for sale in result] == [1, 1, 1]
    first.refresh_from_db()
    assert (first.phase, first.cards, evening.game.cards) == ("complete", 2, 12)
    agree(evening)


@pytest.mark.slow
def test_clock_that_goes_back_in_the_midst_is_noted_once_and_time_does_not(
    selling: Evening, owner_connection: Owner
) -> None:
    now = timezone.now() + timedelta(seconds=1)
    behind = now - timedelta(hours=1)
    results = behind_a_lock(
        owner_connection, selling.hall,
        [order(selling, at=behind if place % 2 else now) for place in range(12)],
    )  # fmt: skip

    assert codes(results) == ["sold"] * 12
    times = list(JournalEntry.objects.order_by("number").values_list("at", flat=True))
    assert times == sorted(times)
    noted = JournalEntry.objects.filter(kind="clock_anomaly").values_list("at", flat=True)
    assert 1 <= len(noted) == len(set(noted)) <= 2
    agree(selling)


@pytest.mark.slow
@pytest.mark.rule(39)
def test_cash_of_a_group_lies_in_the_drawers_it_was_paid_into(
    selling: Evening, owner_connection: Owner
) -> None:
    tills = [selling.shift, second_till(selling)]
    doings = [order(selling, shift=tills[place % 2], quantity=1 + place % 2) for place in range(12)]
    behind_a_lock(owner_connection, selling.hall, doings)

    known = {one["till"]: one["cash"] - FLOAT for one in selling.session.state["shifts"]}
    assert [known[shift.till.name] for shift in tills] == [6 * FACE, 12 * FACE]
    assert Sale.objects.filter(seller__in=sellers(selling)).count() == 0
    agree(selling)
