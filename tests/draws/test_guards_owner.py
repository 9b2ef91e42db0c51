"""The triggers refuse even the owner of the tables, who may do everything else."""

from typing import Any

import psycopg
import pytest

from draws.models import Card, ClaimCheck, Sale, Series
from halls.models import Authorisation, CashMovement, JournalEntry
from tests.database import FreshDatabase
from tests.draws.views.evening import Evening

GUARDED = (JournalEntry, CashMovement, Authorisation, Series, Card, Sale, ClaimCheck)
STATEMENTS = ("UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE")


@pytest.mark.rule(58)
def test_triggers_refuse_even_the_owner(
    fresh_database: FreshDatabase, owner_connection: psycopg.Connection[Any]
) -> None:
    Evening().reach("paying")
    for model in GUARDED:
        for statement in STATEMENTS:
            with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
                owner_connection.execute(statement.format(model._meta.db_table).encode())
