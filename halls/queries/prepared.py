"""Statements that PostgreSQL plans once a connection, for the few that stand before every sale.

Django sends values inside the text of a statement, so that each is planned anew; that takes longer
than carrying it out. A pooler that stands between (PgBouncer by transactions) must be one that
knows prepared statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.backends.utils import CursorWrapper

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement and its values; settings.py says from when on a connection prepares it."""

    sql: str
    values: Sequence[Any]


def first(statement: Statement) -> Row | None:
    """Give the first row that a statement finds, None when it finds none."""
    with cursor() as asked:
        asked.execute(statement.sql, statement.values)
        row: Row | None = asked.fetchone()
        return row


def together(*statements: Statement) -> list[list[Row]]:
    """Carry out some statements, one after the other, in one turn to the server; give each one's rows.

    Each sees what others had committed before it began, so that what is read after a lock is as
    whoever held it left it.
    """
    with ExitStack() as stack:
        cursors = [stack.enter_context(cursor()) for _statement in statements]
        with connection.wrap_database_errors, connection.connection.pipeline():
            for asked, statement in zip(cursors, statements, strict=True):
                asked.execute(statement.sql, statement.values)
        return [asked.fetchall() for asked in cursors]


def cursor() -> CursorWrapper:
    """Give a cursor of Django's that sends values apart from the statement."""
    connection.ensure_connection()
    with connection.wrap_database_errors:
        made: CursorWrapper = connection._prepare_cursor(ServerBindingCursor(connection.connection))
        return made
