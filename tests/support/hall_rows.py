"""The hall that most tests begin with, built once a run by the services and put back as rows.

Its rows stand beside the tables, in a schema of their own, in the one database whose tests roll
back. Sequences do not roll back, so that nothing made later has a number that these rows have.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from django.db import connection, transaction
from django.utils import timezone

from halls.models import Hall
from tests.support import database

# Every table that building a hall writes to, in an order that their triggers accept.
TABLES = (
    "halls_hall", "halls_person", "halls_journalentry", "halls_authorisation", "halls_till",
    "draws_series", "draws_card", "draws_issue",
)  # fmt: skip
SCHEMA = "built_hall"
# A test that has moved the clock builds a hall of its own.
SAME_TIME = timedelta(hours=1)

_hall_keys: dict[str, int] = {}  # the hall's key, by the name of the database that has its rows


def save_rows(build: Callable[[], Hall]) -> None:
    """Build the hall in the present database, keep its rows, and undo it."""
    before = _counted()
    with transaction.atomic():
        hall = build()
        rows = {table: _rows(table) for table in TABLES}
        written = {table for table, count in _counted().items() if count != before[table]}
        transaction.set_rollback(True)
    assert written == set(TABLES), written ^ set(TABLES)
    name = str(connection.settings_dict["NAME"])
    with database.as_owner(name) as owner:
        owner.execute(f"CREATE SCHEMA {SCHEMA}")
        for table, found in rows.items():
            owner.execute(
                f"CREATE TABLE {SCHEMA}.{table} AS"
                f" SELECT * FROM json_populate_recordset(NULL::public.{table}, %s)",
                [found],
            )
        owner.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO PUBLIC")
        owner.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {SCHEMA} TO PUBLIC")
    _hall_keys[name] = hall.pk


def _counted() -> dict[str, int]:
    with connection.cursor() as cursor:
        counts = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            counts[table] = cursor.fetchone()[0]
    return counts


def _rows(table: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT json_agg(one)::text FROM {table} one")
        return str(cursor.fetchone()[0])


def restore_hall() -> Hall | None:
    """Return the hall from its rows; None where they are not kept, or the clock was moved."""
    key = _hall_keys.get(str(connection.settings_dict["NAME"]))
    if key is None or abs(timezone.now().timestamp() - time.time()) > SAME_TIME.total_seconds():
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            ";".join(f"INSERT INTO {one} SELECT * FROM {SCHEMA}.{one}" for one in TABLES)
        )
    return Hall.objects.get(pk=key)
