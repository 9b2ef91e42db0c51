"""Each plain question in SQL is silent over a true evening, and finds the fault it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from draws.games import services as games_services
from draws.prizes import services as prizes_services
from draws.sales import floor
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.floor_hall import (
    CASHIER,
    CHIEF,
    DOUBLE,
    begin,
    box,
    hand_out,
    second_till,
    settle,
    stocked,
)
from tests.support.planting import as_owner_of
from tests.support.sql_audit import QUERIES, asked, faults

GUARDED = (
    "draws_taking", "draws_sale", "draws_refund", "draws_retirement", "halls_cashmovement",
    "halls_journalentry",
)  # fmt: skip
# One sale of the open game: cards 15 and 16 of the double ones.
SALE = "id = (SELECT max(id) FROM draws_sale)"
GAME = "(SELECT max(id) FROM draws_game)"
TILL = "(SELECT max(id) FROM halls_shift)"
# As if the issue of the game before had been the second one of this, and of the same series.
SAME_GAME = f"""
    UPDATE draws_issue SET series_id = (SELECT max(series_id) FROM draws_issue);
    UPDATE draws_sale SET game_id = {GAME}"""
PRIZE_OF_NOBODY = f"""
    INSERT INTO halls_cashmovement (shift_id, kind, amount, entry_id)
    SELECT {TILL}, 'prize', -5, max(id) FROM halls_journalentry"""

FAULTS: dict[str, list[str]] = {
    "gap_in_takings": [
        "DELETE FROM draws_taking WHERE passed",
        "UPDATE draws_taking SET first = 2 WHERE first = 1",
    ],
    "overlap_of_takings": ["UPDATE draws_taking SET last = last + 1 WHERE passed"],
    "wrong_predecessor": [
        "UPDATE draws_taking SET previous = previous - 1 WHERE passed",
        "UPDATE draws_taking SET previous = NULL WHERE passed",
        "UPDATE draws_taking SET previous = 0 WHERE previous IS NULL",
    ],
    "takings_end_elsewhere": [
        "UPDATE draws_issue SET last_sold = last_sold + 1 WHERE last_sold > 0"
    ],
    "overlap_of_sales": [f"UPDATE draws_sale SET first = 1 WHERE {SALE}"],
    "sale_without_taking": [
        f"UPDATE draws_sale SET last = last + 1 WHERE {SALE}",
        f"UPDATE draws_taking SET seller_id = (SELECT min(id) FROM halls_person) WHERE game_id = {GAME}",
        "UPDATE draws_taking SET passed = true",
        f"UPDATE draws_sale SET game_id = (SELECT min(id) FROM draws_game) WHERE {SALE}",
    ],
    "sold_and_retired": ["UPDATE draws_retirement SET last = 40"],
    "unsold_after_the_sale": [f"UPDATE draws_game SET phase = 'closed' WHERE id = {GAME}"],
    "equal_cards_in_a_game": [SAME_GAME],
    "sale_at_another_price": [f"UPDATE draws_sale SET amount = amount - 1 WHERE {SALE}"],
    "cash_is_not_the_cards": [
        f"UPDATE draws_sale SET amount = amount - 1 WHERE {SALE}",
        "DELETE FROM halls_cashmovement WHERE kind = 'sale'",
        f"DELETE FROM draws_sale WHERE {SALE}",
    ],
    "cash_at_another_till": [f"UPDATE draws_sale SET shift_id = {TILL}"],
    "cash_is_not_the_prizes": [PRIZE_OF_NOBODY],
    "cash_is_not_the_refunds": [
        "UPDATE draws_refund SET amount = amount + 1",
        "DELETE FROM draws_refund",
        f"UPDATE draws_refund SET shift_id = {TILL}",
    ],
    "drawer_is_not_its_movements": [
        "UPDATE halls_cashmovement SET amount = amount + 1 WHERE kind = 'float'",
        "DELETE FROM halls_cashmovement WHERE kind = 'sale'",
    ],
    "drawer_below_nothing": ["UPDATE halls_cashmovement SET amount = -1 WHERE kind = 'float'"],
    "game_is_not_its_sales": [
        f"UPDATE draws_game SET cards = cards + 1 WHERE id = {GAME}",
        f"UPDATE draws_game SET gross = gross * 2 WHERE id = {GAME}",
        f"DELETE FROM draws_sale WHERE {SALE}",
    ],
    "refund_of_what_was_not_sold": [
        "UPDATE draws_refund SET last = last + 20",
        f"UPDATE draws_refund SET game_id = {GAME}",
    ],
    "void_not_refunded": ["DELETE FROM draws_refund"],
    "prizes_above_the_fund": [f"UPDATE draws_game SET bingo = gross + 1 WHERE id = {GAME}"],
    "journal_with_a_gap": [
        "UPDATE halls_journalentry SET number = number + 1 WHERE kind = 'shift_opened'"
    ],
}


def played() -> Evening:
    """One game voided and refunded, with a card written off; one of double cards, some of them out."""
    evening = stocked().reach("selling")
    cashier, chief = evening.who(CASHIER), evening.who(CHIEF)
    hand_out(evening, 6)
    floor.write_off(
        game=evening.game, issue=evening.issue(), first=3, last=3, reason="molhado", **cashier
    )
    settle(evening, 1, 6)
    games_services.void(game=evening.game, cause="other", reason="luz", **chief)
    for first, last in ((1, 2), (4, 6)):
        prizes_services.refund(
            game=evening.game, issue=evening.issue(), first=first, last=last, shift=evening.shift,
            **cashier,
        )  # fmt: skip
    games_services.complete(game=evening.game, **chief)
    begin(evening, DOUBLE)
    hand_out(evening, 14)
    settle(evening, 1, 6, issue=box(evening, DOUBLE))
    hand_out(evening, 2, seller=1)
    settle(evening, 15, 16, issue=box(evening, DOUBLE), seller=1)
    second_till(evening)
    return evening


@contextmanager
def planted(statement: str) -> Iterator[None]:
    """Do as the owner what every guard forbids, look, and leave nothing of it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in GUARDED:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            _drop_constraints(table)
        cursor.execute(statement)
        assert cursor.rowcount > 0
        yield
        transaction.set_rollback(True)


def _drop_constraints(table: str) -> None:
    """Drop what keeps a table right: checks, exclusions, what must be once, references."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND contype IN ('c', 'f', 'u', 'x')",
            [table],
        )
        for (name,) in cursor.fetchall():
            # With what once must be go the references to it, which come later in the list.
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT IF EXISTS "{name}" CASCADE')


def test_every_question_has_a_fault_that_it_finds() -> None:
    assert set(FAULTS) == set(QUERIES)


@pytest.mark.slow
@pytest.mark.rule(36)
@pytest.mark.rule(39)
def test_each_question_finds_its_fault_and_is_silent_without(
    fresh_database: FreshDatabase, subtests: pytest.Subtests
) -> None:
    played()
    assert faults() == {}
    with as_owner_of(fresh_database):
        for name, statements in FAULTS.items():
            for statement in statements:
                with subtests.test(question=name, fault=statement), planted(statement):
                    assert asked(name) != []
    assert faults() == {}
