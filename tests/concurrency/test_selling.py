"""Sixteen sellers at one issue: the race without lock and guards, and its absence with them."""

import time
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.models import Game, Issue, Sale, Taking
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls.models import Hall, JournalEntry, Shift
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.floor_hall import second_till
from tests.support.sql_audit import asked, faults
from tests.support.threads import at_once

SELLERS = 16
GUARDS = {
    "draws_sale": ["card_sold_once_r36", "sale_of_what_was_taken_r36"],
    "draws_taking": [
        "taking_follows_a_taking_r36", "taking_predecessor_once_r36", "taking_last_once",
        "taking_once", "taking_sellable_once", "card_taken_once_r36",
    ],
}  # fmt: skip


@pytest.fixture
def selling(fresh_database: FreshDatabase) -> Evening:
    """A game on sale, nothing sold yet."""
    return Evening().reach("selling")


def sell_without_lock(game: Game, shift: Shift, entry: JournalEntry) -> None:
    """Read the last card taken, decide, write: what the service would be without its lock."""
    with transaction.atomic():
        before = Issue.objects.get(pk=game.issue_id).last_sold
        first, last = before + 1, before + 2
        time.sleep(0.02)
        Taking.objects.create(
            game=game, issue_id=game.issue_id, first=first, last=last, previous=before or None
        )
        Sale.objects.create(
            game=game, issue_id=game.issue_id, first=first, last=last,
            amount=2 * game.face, shift=shift, at=timezone.now(), entry=entry,
        )  # fmt: skip
        Issue.objects.filter(pk=game.issue_id).update(last_sold=last)


def race(selling: Evening) -> list[Any]:
    game, shift = selling.game, selling.shift
    entry = JournalEntry.objects.latest("number")
    return at_once([lambda: sell_without_lock(game, shift, entry)] * SELLERS)


@pytest.mark.rule(36)
def test_without_the_lock_sellers_collide(selling: Evening) -> None:
    results = race(selling)
    errors = [result for result in results if result is not None]
    assert None in results
    # Only PostgreSQL's constraints keep a card from being taken and sold twice here.
    assert errors
    assert {type(error) for error in errors} == {IntegrityError}
    assert all(str(error).split('"')[1] in GUARDS["draws_taking"] for error in errors)
    assert asked("overlap_of_takings") == asked("overlap_of_sales") == []


@pytest.mark.rule(36)
def test_without_lock_and_guards_the_same_cards_are_sold_to_several(
    selling: Evening, owner_connection: psycopg.Connection[Any]
) -> None:
    for table, guards in GUARDS.items():
        for name in guards:
            owner_connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name} CASCADE".encode())
    assert race(selling) == [None] * SELLERS
    assert asked("overlap_of_sales") != []
    assert asked("wrong_predecessor") != []


@pytest.mark.rule(36)
def test_sellers_at_once_leave_no_gap_and_no_overlap(selling: Evening) -> None:
    game, shift = selling.game, selling.shift

    def sell() -> list[Sale]:
        return sales_services.sell(
            game=game, shift=shift, quantity=5, by=shift.cashier, at=timezone.now(), key=uuid4()
        )

    results = at_once([sell] * SELLERS)
    assert all(isinstance(result, list) for result in results), results
    sold = sorted((sale.first, sale.last) for sale in Sale.objects.all())
    assert sold == [(first, first + 4) for first in range(1, SELLERS * 5, 5)]
    # Each seller was told what was sold to them and to nobody else.
    assert sorted((sale.first, sale.last) for result in results for sale in result) == sold
    assert audit(Hall.objects.get(pk=selling.hall.pk)) == []
    assert faults() == {}


@pytest.mark.rule(36)
def test_issue_is_sold_out_to_its_last_card_by_all_at_once(selling: Evening) -> None:
    tills = [selling.shift, second_till(selling)]
    size = selling.game.issue.series.size

    def sell(at: int) -> int:
        """Buy four cards again and again, then what is left; return how many that was."""
        shift, quantity, bought = tills[at % 2], 4, 0
        game = Game.objects.select_related("session__hall", "issue").get(pk=selling.game.pk)
        while quantity:
            try:
                sales_services.sell(
                    game=game, shift=shift, quantity=quantity, by=shift.cashier, at=timezone.now(),
                    key=uuid4(),
                )  # fmt: skip
                bought += quantity
            except Refusal as refusal:
                # All are sold when nothing is said to be left.
                quantity = int(str(refusal.values.get("left", 0)))
        return bought

    def seller(at: int) -> Any:
        return lambda: sell(at)

    bought = at_once([seller(at) for at in range(SELLERS)])
    assert sum(bought) == size
    assert selling.game.cards == size
    assert faults() == {}


@pytest.mark.rule(36)
def test_last_card_goes_to_one_of_two_tills(selling: Evening) -> None:
    tills = [selling.shift, second_till(selling)]
    game, size = selling.game, selling.game.issue.series.size
    sales_services.sell(
        game=game, shift=tills[0], quantity=size - 1, by=tills[0].cashier, at=timezone.now()
    )

    def sell(shift: Shift) -> Any:
        return lambda: sales_services.sell(
            game=game, shift=shift, quantity=1, by=shift.cashier, at=timezone.now(), key=uuid4()
        )

    results = at_once([sell(shift) for shift in tills])
    assert {type(result) for result in results} == {Refusal, list}
    assert Refusal("sold_out") in results
    assert Sale.objects.get(last=size).first == size
    assert faults() == {}


@pytest.mark.rule(36)
def test_last_cards_go_to_whoever_comes_first(selling: Evening) -> None:
    game, shift = selling.game, selling.shift
    size = game.issue.series.size

    def sell() -> list[Sale]:
        return sales_services.sell(
            game=game,
            shift=shift,
            quantity=size - 1,
            by=shift.cashier,
            at=timezone.now(),
            key=uuid4(),
        )

    results = at_once([sell, sell])
    assert {type(result) for result in results} == {Refusal, list}
    assert Refusal("only_left", left=1) in results


def test_same_key_five_times_at_once_sells_once(selling: Evening) -> None:
    game, shift, key = selling.game, selling.shift, uuid4()

    def sell() -> list[Sale]:
        return sales_services.sell(
            game=game, shift=shift, quantity=3, by=shift.cashier, at=timezone.now(), key=key
        )

    results = at_once([sell] * 5)
    assert {sale.pk for result in results for sale in result} == {Sale.objects.get().pk}
    assert (
        sum(shift.movements.filter(kind="sale").values_list("amount", flat=True)) == 3 * game.face
    )
