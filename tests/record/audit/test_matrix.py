"""Cards changed in the middle of a draw: no claim is judged by them."""

from typing import Any

import psycopg
import pytest

from bingo.rules.refusal import Refusal
from draws.claims import services as claims_services
from draws.models import ClaimCheck
from halls.models import JournalEntry, Role
from tests.support.database import FreshDatabase
from tests.support.evening import Evening, order

COPY = (
    "UPDATE draws_card SET rows = (SELECT rows FROM draws_card WHERE number = {}) WHERE number = {}"
)
# The called card, a card that nobody called, and every card moved to the next number.
CHANGES = [
    (1, COPY.format(2, 1)),
    (1, COPY.format(8, 9)),
    (
        2,
        "UPDATE draws_card SET number = number + 1000; UPDATE draws_card SET number = number - 999",
    ),
]


@pytest.mark.rule(14)
@pytest.mark.parametrize(("card", "change"), CHANGES)
@pytest.mark.slow
def test_claim_is_not_judged_by_cards_that_were_changed(
    fresh_database: FreshDatabase, owner_connection: psycopg.Connection[Any], card: int, change: str
) -> None:
    evening = Evening().reach("stopped")
    _plant(owner_connection, change)
    with pytest.raises(Refusal) as refused:
        claims_services.check(
            game=evening.game, combination="bingo", issue=evening.issue(), card=card, sound=True,
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
    assert refused.value.code == "matrix_changed"
    fields = {"combination": "bingo", "issue": evening.issue().pk, "card": card, "sound": "on"}
    answer = order(evening.at("table"), "table", "check", game=evening.game.number, **fields)
    assert answer.status_code in (409, 422)
    last = JournalEntry.objects.latest("number")
    assert (last.kind, last.data["code"]) == ("command_refused", "matrix_changed")
    assert not ClaimCheck.objects.exists()


def test_claim_is_judged_by_the_published_cards(db: None) -> None:
    evening = Evening().reach("checked")
    assert ClaimCheck.objects.get(game=evening.game).valid


def _plant(owner: psycopg.Connection[Any], change: str) -> None:
    with owner.transaction():
        owner.execute("ALTER TABLE draws_card DISABLE TRIGGER USER")
        owner.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for statement in change.split("; "):
            owner.execute(statement.encode())
        owner.execute("ALTER TABLE draws_card ENABLE TRIGGER USER")
