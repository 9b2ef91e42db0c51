"""What the tests of fingerprint share with others."""

from __future__ import annotations

from typing import Any

import psycopg

# One card made like another, two cards changed round, every card under the next number.
CHANGES = (
    "UPDATE draws_card SET rows = (SELECT rows FROM draws_card WHERE number = 2) WHERE number = 1",
    "UPDATE draws_card SET number = 91 - number WHERE number IN (1, 90)",
    "UPDATE draws_card SET number = number + 1",
)


def plant(owner: psycopg.Connection[Any], change: str) -> None:
    """Change stored cards as only the tables' owner can."""
    with owner.transaction():
        owner.execute("ALTER TABLE draws_card DISABLE TRIGGER USER")
        owner.execute("ALTER TABLE draws_card DROP CONSTRAINT card_number_once_a_series")
        owner.execute(change.encode())
        owner.execute("ALTER TABLE draws_card ENABLE TRIGGER USER")
