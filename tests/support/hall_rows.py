"""The evening that most tests begin with, built once a run by the services and put back as rows.

The hall's rows stand beside the tables, in a schema of their own, in the one database whose tests
roll back; what its evening adds up to a stage is kept as text. Sequences do not roll back, so that
nothing made later has a number that these rows have.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.utils import timezone

from halls.models import Hall
from tests.support import database

if TYPE_CHECKING:
    from tests.support.evening import Evening

# Every table that building a hall writes to, in an order that their triggers accept.
TABLES = (
    "halls_hall", "halls_person", "halls_journalentry", "halls_authorisation", "halls_till",
    "draws_series", "draws_card", "draws_issue",
)  # fmt: skip
# And what its evening writes to besides, up to the stages that are kept.
EVENING_TABLES = (
    "halls_session", "halls_shift", "halls_cashmovement", "draws_game", "draws_taking", "draws_sale",
)  # fmt: skip
# What a login leaves changes nothing of an evening.
LOGIN_TABLES = {"django_session", "halls_signin", "halls_factor"}
SCHEMA = "built_hall"
# A test that has moved the clock builds a hall of its own.
SAME_TIME = timedelta(hours=1)

Rows = dict[str, dict[int, dict[str, Any]]]

_hall_keys: dict[str, int] = {}  # the hall's key, by the name of the database that has its rows
_as_built: dict[str, str] = {}  # likewise the query whether it holds what was built and no more
_steps: dict[str, str] = {}  # what brings the hall to a stage, as SQL


def save_rows(begin: Callable[[], Evening], stages: Sequence[str]) -> None:
    """Begin an evening in the present database, play it to each stage, keep the rows, undo it."""
    before = _counted()
    with transaction.atomic():
        evening = begin()
        built = {table: _rows(table) for table in TABLES}
        assert _written(before) == set(TABLES)
        for stage in stages:
            evening.reach(stage)
            _steps[stage] = _difference(built, {one: _rows(one) for one in TABLES + EVENING_TABLES})
        assert _written(before) == {*TABLES, *EVENING_TABLES}
        transaction.set_rollback(True)
    name = str(connection.settings_dict["NAME"])
    with database.as_owner(name) as owner:
        owner.execute(f"CREATE SCHEMA {SCHEMA}")
        for table, rows in built.items():
            owner.execute(
                f"CREATE TABLE {SCHEMA}.{table} AS"
                f" SELECT * FROM json_populate_recordset(NULL::public.{table}, %s)",
                [json.dumps(list(rows.values()))],
            )
        owner.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO PUBLIC")
        owner.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {SCHEMA} TO PUBLIC")
    _hall_keys[name] = evening.hall.pk
    _as_built[name] = "SELECT " + " AND ".join(
        f"(SELECT array_agg(x::text ORDER BY id) FROM {one} x)"
        f" = (SELECT array_agg(x::text ORDER BY id) FROM {SCHEMA}.{one} x)"
        if one in TABLES
        else f"NOT EXISTS (SELECT FROM {one})"
        for one, count in before.items()
        if one not in LOGIN_TABLES and not count
    )


def _counted() -> dict[str, int]:
    with connection.cursor() as cursor:
        counts = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            counts[table] = cursor.fetchone()[0]
    return counts


def _written(before: dict[str, int]) -> set[str]:
    return {table for table, count in _counted().items() if count != before[table]}


def _rows(table: str) -> dict[int, dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attgenerated > ''",
            [table],
        )
        generated = [name for (name,) in cursor.fetchall()]
        cursor.execute(f"SELECT (to_jsonb(one) - %s::text[])::text FROM {table} one", [generated])
        rows = [json.loads(row) for (row,) in cursor.fetchall()]
    return {row["id"]: row for row in sorted(rows, key=lambda row: row["id"])}


def _difference(before: Rows, after: Rows) -> str:
    """Return the SQL that adds the rows of an evening, and sets the columns that it changed."""
    sql = []
    with connection.cursor() as cursor:
        for table, rows in after.items():
            had = before.get(table, {})
            source = f"json_populate_recordset(NULL::{table}, %s)"
            if new := [row for key, row in rows.items() if key not in had]:
                names = ", ".join(new[0])
                insert = f"INSERT INTO {table} ({names}) SELECT {names} FROM {source}"
                sql.append(cursor.mogrify(insert, [json.dumps(new)]))
            changed = [row for key, row in rows.items() if key in had and row != had[key]]
            if columns := sorted(
                {name for row in changed for name in row if row[name] != had[row["id"]][name]}
            ):
                values = ", ".join(f"{name} = new.{name}" for name in columns)
                sql.append(
                    cursor.mogrify(
                        f"UPDATE {table} SET {values} FROM {source} new WHERE {table}.id = new.id",
                        [json.dumps(changed)],
                    )
                )
    return ";".join(sql)


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


def restore_stage(hall: Hall, stage: str) -> bool:
    """Bring the hall to a stage by its rows; False where that stage or hall is not as it was kept."""
    if stage not in _steps or _hall_keys.get(str(connection.settings_dict["NAME"])) != hall.pk:
        return False
    if abs(timezone.now().timestamp() - time.time()) > SAME_TIME.total_seconds():
        return False
    with connection.cursor() as cursor:
        cursor.execute(_as_built[str(connection.settings_dict["NAME"])])
        if not cursor.fetchone()[0]:
            return False
        cursor.execute(_steps[stage])
    hall.refresh_from_db()
    return True
