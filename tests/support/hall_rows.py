"""The hall and the open session that most tests begin with, built once a run and put back as rows.

The services build them. The hall's rows stand beside the tables, in a schema of their own, in the
one database whose tests roll back; what the session adds is kept as text. Sequences do not roll back,
so that nothing made later has a number that these rows have. A game is opened anew in every test: by
its entry the process that draws numbers tells it from others.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from halls.models import Hall
from tests.support import database

# Every table that building a hall writes to, in an order that their triggers accept.
TABLES = (
    "halls_hall", "halls_person", "halls_journalentry", "halls_authorisation", "halls_till",
    "draws_series", "draws_card", "draws_issue",
)  # fmt: skip
# And what opening a session and a till writes to besides.
SESSION_TABLES = ("halls_session", "halls_shift", "halls_cashmovement")
# What a login leaves changes nothing of an evening.
LOGIN_TABLES = {"django_session", "halls_signin", "halls_factor"}
SCHEMA = "built_hall"
# A test that has moved the clock builds a hall of its own.
SAME_TIME = timedelta(hours=1)

Rows = dict[str, dict[int, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a database has the rows of.

    `as_built` is the query whether it holds the hall as it was built and no more, `session` the SQL
    that adds the session.
    """

    hall: int
    as_built: str
    session: str


_kept: dict[str, Kept] = {}  # by the name of the database


def save_rows(build: Callable[[], Hall], begin: Callable[[Hall], object]) -> None:
    """Build the hall in the present database, begin its session, keep the rows of both, undo it."""
    before = _counted()
    with transaction.atomic():
        hall = build()
        built = {table: _rows(table) for table in TABLES}
        assert _written(before) == set(TABLES)
        begin(hall)
        assert _written(before) == {*TABLES, *SESSION_TABLES}
        session = _difference(built, {table: _rows(table) for table in (*TABLES, *SESSION_TABLES)})
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
    empty = {table for table, count in before.items() if not count}
    _kept[name] = Kept(hall.pk, _as_built(empty - LOGIN_TABLES), session)


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
        cursor.execute(f"SELECT json_agg(one ORDER BY id)::text FROM {table} one")
        rows = json.loads(cursor.fetchone()[0])
    return {row["id"]: row for row in rows}


def _difference(before: Rows, after: Rows) -> str:
    """Return the SQL that adds the rows that came, and sets the columns that changed."""
    sql = []
    with connection.cursor() as cursor:
        for table, rows in after.items():
            had = before.get(table, {})
            source = f"json_populate_recordset(NULL::{table}, %s)"
            if new := [row for key, row in rows.items() if key not in had]:
                insert = f"INSERT INTO {table} SELECT * FROM {source}"
                sql.append(cursor.mogrify(insert, [json.dumps(new)]))
            changed = [row for key, row in rows.items() if key in had and row != had[key]]
            names = {name for row in changed for name in row if row[name] != had[row["id"]][name]}
            if names:
                values = ", ".join(f"{name} = new.{name}" for name in sorted(names))
                update = f"UPDATE {table} SET {values} FROM {source} new WHERE {table}.id = new.id"
                sql.append(cursor.mogrify(update, [json.dumps(changed)]))
    return ";".join(sql)


def _as_built(empty: set[str]) -> str:
    rows = "SELECT array_agg(one::text ORDER BY id) FROM"
    same = [f"({rows} {one} one) = ({rows} {SCHEMA}.{one} one)" for one in TABLES]
    none = [f"NOT EXISTS (SELECT FROM {one})" for one in sorted(empty - set(TABLES))]
    return f"SELECT {' AND '.join(same + none)}"


def restore_hall() -> Hall | None:
    """Return the hall from its rows; None where they are not kept, or the clock was moved."""
    kept = _kept_now()
    if kept is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            ";".join(f"INSERT INTO {one} SELECT * FROM {SCHEMA}.{one}" for one in TABLES)
        )
    return Hall.objects.get(pk=kept.hall)


def restore_session(hall: Hall) -> bool:
    """Put back the session and its shift; False where that hall, or what is beside it, was changed."""
    kept = _kept_now()
    if kept is None or kept.hall != hall.pk:
        return False
    with connection.cursor() as cursor:
        cursor.execute(kept.as_built)
        if not cursor.fetchone()[0]:
            return False
        cursor.execute(kept.session)
    hall.refresh_from_db()
    return True


def _kept_now() -> Kept | None:
    moved = abs(timezone.now().timestamp() - time.time()) > SAME_TIME.total_seconds()
    return None if moved else _kept.get(str(connection.settings_dict["NAME"]))
