"""What the journal's table refuses where its triggers are out of the way, as only its owner can put them."""

import psycopg
import pytest

from halls.models import Role
from tests.support import database
from tests.support.database import FreshDatabase
from tests.support.evening import Evening

COPY = """
ALTER TABLE halls_journalentry DISABLE TRIGGER USER;
CREATE TEMPORARY TABLE copied AS SELECT * FROM halls_journalentry ORDER BY id DESC LIMIT 1;
UPDATE copied SET id = id + 1, key = NULL, number = {number};
INSERT INTO halls_journalentry SELECT * FROM copied;
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "constraint"),
    [("0", "journal_number_from_one"), ("1", "journal_number_once")],
)
def test_number_is_there_once_and_from_one(
    fresh_database: FreshDatabase, number: str, constraint: str
) -> None:
    Evening().person(Role.CASHIER)
    with (
        database.as_owner(fresh_database.name) as owner,
        pytest.raises(psycopg.IntegrityError, match=constraint),
        owner.transaction(),
    ):
        owner.execute(COPY.format(number=number))


@pytest.mark.slow
def test_number_that_is_free_is_let_in(fresh_database: FreshDatabase) -> None:
    """The negative control: it is the number that is refused."""
    Evening().person(Role.CASHIER)
    with database.as_owner(fresh_database.name) as owner, owner.transaction(force_rollback=True):
        owner.execute(COPY.format(number="number + 1"))
