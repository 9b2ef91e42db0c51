"""Sixteen sellers at one issue: the race without the lock, and its absence with it."""

import time
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.models import Game, Issue, Sale
from draws.queries.audit import audit
from draws.services import sales
from halls.models import Hall, JournalEntry, Shift
from tests.concurrency.threads import at_once
from tests.database import FreshDatabase
from tests.draws.views.evening import Evening

SELLERS = 16


@pytest.fixture
def selling(fresh_database: FreshDatabase) -> Evening:
    """A game on sale, nothing sold yet."""
    return Evening().reach("selling")


def sell_without_lock(game: Game, shift: Shift, entry: JournalEntry) -> None:
    """Read the last card sold, decide, write: what the service would be without its lock."""
    with transaction.atomic():
        last = Issue.objects.get(pk=game.issue_id).last_sold
        time.sleep(0.02)
        Sale.objects.create(
            game=game, issue_id=game.issue_id, first=last + 1, last=last + 2,
            amount=1, shift=shift, at=timezone.now(), entry=entry,
        )  # fmt: skip
        Issue.objects.filter(pk=game.issue_id).update(last_sold=last + 2)


@pytest.mark.rule(36)
def test_without_the_lock_sellers_collide(selling: Evening) -> None:
    game, shift = selling.game, selling.shift
    entry = JournalEntry.objects.latest("number")
    results = at_once([lambda: sell_without_lock(game, shift, entry)] * SELLERS)
    # Only PostgreSQL's constraints keep a card from being sold twice here.
    assert any(isinstance(result, IntegrityError) for result in results)


@pytest.mark.rule(36)
def test_sellers_at_once_leave_no_gap_and_no_overlap(selling: Evening) -> None:
    game, shift = selling.game, selling.shift

    def sell() -> list[Sale]:
        return sales.sell(
            game=game, shift=shift, quantity=5, by=shift.cashier, at=timezone.now(), key=uuid4()
        )

    results = at_once([sell] * SELLERS)
    assert all(isinstance(result, list) for result in results), results
    sold = sorted((sale.first, sale.last) for sale in Sale.objects.all())
    assert sold == [(first, first + 4) for first in range(1, SELLERS * 5, 5)]
    assert audit(Hall.objects.get(pk=selling.hall.pk)) == []


@pytest.mark.rule(36)
def test_last_cards_go_to_whoever_comes_first(selling: Evening) -> None:
    game, shift = selling.game, selling.shift
    size = game.issue.series.size

    def sell() -> list[Sale]:
        return sales.sell(
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
        return sales.sell(
            game=game, shift=shift, quantity=3, by=shift.cashier, at=timezone.now(), key=key
        )

    results = at_once([sell] * 5)
    assert {sale.pk for result in results for sale in result} == {Sale.objects.get().pk}
    assert (
        sum(shift.movements.filter(kind="sale").values_list("amount", flat=True)) == 3 * game.face
    )
