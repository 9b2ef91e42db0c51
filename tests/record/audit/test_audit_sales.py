"""What the database's owner plants among cards taken, sold and refunded, the audit finds."""

from collections.abc import Iterator
from unittest import mock

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from bingo.rules import session_opening
from draws.games import services as games_services
from draws.models import Taking
from draws.prizes import services as prizes_services
from draws.sales import floor
from halls.models import Hall, JournalEntry, Role
from tests.support import database, planting
from tests.support.evening import FACE, Evening, authorise
from tests.support.planting import found, plant
from tests.support.service_commands.games import (
    OTHER_FACE,
    add_issue,
    double_cards,
    several_prices,
    void,
)
from tests.support.service_commands.sales import sell, seller, write_off
from tests.support.service_commands.second_issues import exhausted

CASHIER, CALLER, CHIEF = Role.CASHIER, Role.CALLER, Role.TABLE_CHIEF


@pytest.fixture(scope="module")
def sold_evening(template_database: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Evening]:
    """A void game with a second issue, partly refunded; its owner is connected."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
    ):
        evening = Evening("sala").reach("sold")
        exhausted(evening)
        game, issue = evening.game, evening.issue(2)
        games_services.open_second_issue(game=game, issue=issue, **evening.who(CHIEF))
        sell(evening, evening.who(CASHIER), quantity=2)
        void(evening, evening.who(CHIEF))
        prizes_services.refund(
            game=game, issue=issue, first=1, last=2, shift=evening.shift, **evening.who(CASHIER)
        )
        _on_the_floor(Evening("feira"))
        with planting.as_owner_of(fresh):
            yield evening


def _on_the_floor(evening: Evening) -> None:
    """Have cards of two prices on sale, some with sellers, some back, some written off.

    Of the first issue 1 to 8 are sold, 9 is back, 10 and 11 the first seller has, 12 and 14 to 16
    the second, 13 is written off.
    """
    several_prices(evening)
    add_issue(evening, evening.who(CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))
    cashier = evening.who(CASHIER)
    sell(evening, cashier, quantity=6, face=FACE)
    for number in (1, 2):
        floor.hand_out(
            game=evening.game, shift=evening.shift, seller=seller(evening, number), quantity=5,
            face=FACE, **cashier,
        )  # fmt: skip
    floor.settle(
        game=evening.game, shift=evening.shift, seller=seller(evening), issue=evening.issue(),
        first=7, last=9, returned=[(9, 9)], **cashier,
    )  # fmt: skip
    write_off(evening, cashier, first=13, last=13)
    sell(evening, cashier, quantity=2, face=OTHER_FACE)


@pytest.fixture
def halls(sold_evening: Evening) -> Iterator[tuple[Hall, Hall]]:
    """The hall with the void game and the one whose cards are on the floor; all is rolled back."""
    with transaction.atomic():
        yield Hall.objects.get(code="sala"), Hall.objects.get(code="feira")
        transaction.set_rollback(True)


def codes(hall: Hall) -> set[str]:
    """Return the codes of what the audit finds."""
    return {code.removesuffix("_differs") for _number, code in found(hall)}


def unchain() -> None:
    """Take away, as the owner can, what keeps takings in a chain and under their sales."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(
            "ALTER TABLE draws_sale DROP CONSTRAINT sale_of_what_was_taken_r36; "
            "ALTER TABLE draws_taking DROP CONSTRAINT taking_follows_a_taking_r36"
        )


FLOOR = "issue_id = (SELECT id FROM draws_issue WHERE identification = 'feira-1')"
TAKEN = "draws_taking"


@pytest.mark.slow
def test_audit_of_cards_on_the_floor_finds_nothing(halls: tuple[Hall, Hall]) -> None:
    assert [found(hall) for hall in halls] == [[], []]
    rows = Taking.objects.filter(issue__identification="feira-1").order_by("first")
    assert list(rows.values_list("first", "last", "seller__username", "passed")) == [
        (1, 6, None, False),
        (7, 8, None, False),
        (9, 9, None, False),
        (10, 11, "feira-seller-1", False),
        (12, 12, "feira-seller-2", False),
        (13, 13, None, True),
        (14, 16, "feira-seller-2", False),
    ]


@pytest.mark.rule(36)
@pytest.mark.parametrize(
    "change",
    [
        "seller_id = NULL WHERE first = 10",
        "seller_id = (SELECT max(id) FROM halls_person) WHERE first = 10",
        "seller_id = (SELECT seller_id FROM draws_taking WHERE first = 10) WHERE first = 9",
        "seller_id = (SELECT seller_id FROM draws_taking WHERE first = 10) WHERE first = 12",
        "passed = true WHERE first = 9",
        "passed = false WHERE first = 13",
        "last = 17 WHERE first = 14",
        "game_id = (SELECT min(id) FROM draws_game) WHERE first = 9",
    ],
)
@pytest.mark.slow
def test_audit_finds_a_changed_taking(halls: tuple[Hall, Hall], change: str) -> None:
    untouched, hall = halls
    assert plant(TAKEN, f"UPDATE {TAKEN} SET {change} AND {FLOOR}") == 1
    assert codes(hall) == {"taking"}
    assert codes(untouched) == set()


@pytest.mark.slow
@pytest.mark.rule(36)
@pytest.mark.parametrize("first", [1, 7, 9, 10, 13, 14])
def test_audit_finds_a_removed_taking(halls: tuple[Hall, Hall], first: int) -> None:
    unchain()
    assert plant(TAKEN, f"DELETE FROM {TAKEN} WHERE first = {first} AND {FLOOR}") == 1
    assert codes(halls[1]) == {"taking"}


@pytest.mark.slow
@pytest.mark.rule(36)
@pytest.mark.parametrize(("first", "last", "previous"), [(16, 17, 15), (17, 18, 16), (30, 31, 29)])
def test_audit_finds_an_added_taking(
    halls: tuple[Hall, Hall], first: int, last: int, previous: int
) -> None:
    unchain()
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE draws_taking DROP CONSTRAINT card_taken_once_r36; "
            "ALTER TABLE draws_taking DROP CONSTRAINT taking_predecessor_once_r36"
        )
    plant(
        TAKEN,
        f"INSERT INTO {TAKEN} (issue_id, game_id, first, last, previous, passed) "
        f"SELECT issue_id, game_id, %s, %s, %s, false FROM {TAKEN} WHERE first = 9 AND {FLOOR}",
        first, last, previous,
    )  # fmt: skip
    assert codes(halls[1]) == {"taking"}


@pytest.mark.slow
def test_audit_does_not_mind_how_people_parted_what_is_unsold(halls: tuple[Hall, Hall]) -> None:
    unchain()
    insert = (
        f"INSERT INTO {TAKEN} (issue_id, game_id, first, last, previous, seller_id, passed) SELECT "
        "issue_id, game_id, 16, 16, 15, seller_id, passed "
        f"FROM {TAKEN} WHERE first = 14 AND {FLOOR}"
    )
    plant(TAKEN, f"UPDATE {TAKEN} SET last = 15 WHERE first = 14 AND {FLOOR}")
    assert codes(halls[1]) == {"taking"}
    plant(TAKEN, insert)
    assert codes(halls[1]) == set()


SECOND = "(SELECT id FROM draws_issue WHERE identification = 'sala-2')"
OTHER = "(SELECT id FROM draws_issue WHERE identification = 'feira-2')"
VOIDED = f"game_id = (SELECT game_id FROM draws_game_further WHERE issue_id = {SECOND})"


@pytest.mark.slow
@pytest.mark.rule(38)
@pytest.mark.parametrize(
    "statement",
    [
        f"DELETE FROM draws_game_further WHERE issue_id = {SECOND}",
        f"UPDATE draws_game_further SET issue_id = {OTHER} WHERE issue_id = {SECOND}",
        (
            f"INSERT INTO draws_game_further (game_id, issue_id) SELECT game_id, {OTHER} "
            f"FROM draws_game_further WHERE issue_id = {SECOND}"
        ),
    ],
)
def test_audit_finds_that_the_further_issues_of_a_game_were_changed(
    halls: tuple[Hall, Hall], statement: str
) -> None:
    assert plant("draws_game_further", statement) == 1
    assert codes(halls[0]) == {"further"}


@pytest.mark.rule(57)
@pytest.mark.parametrize(
    "change",
    [
        "first = 2",
        "last = 1",
        "first = 5, last = 6",
        f"issue_id = {OTHER}",
        "game_id = (SELECT min(id) FROM draws_game)",
        "amount = amount - 1",
        "amount = amount * 2",
    ],
)
def test_audit_finds_a_changed_refund(halls: tuple[Hall, Hall], change: str) -> None:
    refund = f"{VOIDED} AND issue_id = {SECOND}"
    assert plant("draws_refund", f"UPDATE draws_refund SET {change} WHERE {refund}") == 1
    assert codes(halls[0]) == {"refund"}


@pytest.mark.slow
@pytest.mark.rule(57)
def test_audit_finds_a_refund_that_no_entry_made(halls: tuple[Hall, Hall]) -> None:
    plant(
        "draws_refund",
        "INSERT INTO draws_refund (game_id, issue_id, first, last, shift_id, amount, at, entry_id) "
        "SELECT game_id, issue_id, 90, 90, shift_id, 1, at, entry_id - 1 FROM draws_refund "
        f"WHERE {VOIDED} AND issue_id = {SECOND}",
    )
    assert codes(halls[0]) == {"refund"}


@pytest.mark.slow
@pytest.mark.rule(35)
@pytest.mark.parametrize(
    ("table", "change", "name"),
    [
        ("draws_sale", "player = '7'", "sale"),
        ("draws_sale", f"issue_id = {OTHER}", "sale"),
        ("draws_game", "gross = gross + 1", "game"),
        ("draws_game", "first_half_id = (SELECT min(id) FROM draws_game)", "game"),
    ],
)
def test_audit_finds_changed_figures_of_a_sale(
    halls: tuple[Hall, Hall], table: str, change: str, name: str
) -> None:
    unchain()
    which = {"draws_sale": f"{FLOOR} AND first = 1", "draws_game": FLOOR}[table]
    assert plant(table, f"UPDATE {table} SET {change} WHERE {which}") == 1
    assert codes(halls[1]) == {name}


@pytest.mark.slow
def test_audit_finds_a_sale_gone_though_its_cards_stay_taken(halls: tuple[Hall, Hall]) -> None:
    plant("draws_sale", f"DELETE FROM draws_sale WHERE {FLOOR} AND first = 7")
    assert codes(halls[1]) == {"sale"}


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.rule(15)
@pytest.mark.parametrize(
    ("duties", "granted", "guilty"), [(4, False, True), (3, False, False), (4, True, False)]
)
def test_double_cards_of_a_session_that_grants_none_are_found_where_that_is_its_duty(
    monkeypatch: pytest.MonkeyPatch, duties: int, granted: bool, guilty: bool
) -> None:
    evening = Evening()
    issue = double_cards(evening)
    if not granted:
        authorise(evening.hall, reference="2/2026", double_cards=False)
    with monkeypatch.context() as older:
        older.setattr(session_opening, "DUTIES", duties)
        evening.reach("session")
    authorise(evening.hall, reference="3/2026", double_cards=not granted)
    assert found(evening.hall) == []
    monkeypatch.setattr(games_services, "authorisations", mock.Mock())
    games_services.open_game(session=evening.session, issue=issue, **evening.who(CHIEF))
    opened = JournalEntry.objects.latest("number")
    assert found(evening.hall) == ([(opened.number, "rules_refuse")] if guilty else [])
