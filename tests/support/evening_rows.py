"""An evening's stages as rows: played once by each process of tests, then put back.

Only a test that will be rolled back, and has written nothing beside, gets them put back; all
others play the stage.
"""

from __future__ import annotations

import json
from datetime import date, datetime
from functools import cache
from itertools import chain
from zoneinfo import ZoneInfo

from django.apps import apps
from django.db import connection
from django.db.models import Model
from psycopg import sql

Stage = tuple[str, str, int, date, int]
"""What an evening is made of (code, language, format, day), and how far it was played."""
Table = dict[str, str]
"""Rows in JSON by their key, in JSON too."""

WRITTEN = """
SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) FROM pg_stat_xact_user_tables
"""
_played: dict[Stage, dict[str, Table]] = {}


class StageRows:
    """The rows of one evening, as long as nobody but its stages writes any."""

    def __init__(self, code: str, language: str, format: int) -> None:
        self._made_of = code, language, format, datetime.now(ZoneInfo("Atlantic/Cape_Verde")).date()
        self._stage: Stage | None = None
        self._written = count_written()

    def put_back(self, number: int) -> bool:
        """Put back the rows of a stage; return whether they are known and nothing else was written."""
        if self._written is None or count_written() != self._written:
            self._written = None
            return False
        stage = *self._made_of, number
        if stage not in _played:
            if _all_rows() != (_played[self._stage] if self._stage else {}):
                self._written = None
            return False
        with connection.cursor() as cursor:
            cursor.execute(_changes(self._stage, stage))
        self._stage, self._written = stage, count_written()
        return True

    def keep(self, number: int) -> None:
        """Keep the rows there are as those of a stage that was just played, unless others wrote."""
        if self._written is not None:
            self._stage = *self._made_of, number
            _played[self._stage] = _all_rows()
            self._written = count_written()


def count_written() -> int | None:
    """Return how many rows this test's transaction has written; None outside of any."""
    if not connection.in_atomic_block:
        return None
    with connection.cursor() as cursor:
        cursor.execute(WRITTEN)
        return int(cursor.fetchone()[0])


def _all_rows() -> dict[str, Table]:
    part = sql.SQL("SELECT {}, to_json({})::text, row_to_json(r)::text FROM {} r")
    every = sql.SQL(" UNION ALL ").join(
        part.format(sql.Literal(table), sql.Identifier("r", columns[0]), sql.Identifier(table))
        for table, columns in _tables().items()
    )
    kept: dict[str, Table] = {}
    with connection.cursor() as cursor:
        cursor.execute(every.as_string(cursor.connection))
        for table, key, row in cursor.fetchall():
            kept.setdefault(table, {})[key] = row
    return kept


@cache
def _tables() -> dict[str, list[str]]:
    """Return the columns of each table that are written, its key first, by the table's name."""
    models = chain(*(apps.get_app_config(name).get_models() for name in ("halls", "draws")))
    return {model._meta.db_table: _columns(model) for model in models}


def _columns(model: type[Model]) -> list[str]:
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    fields.sort(key=lambda field: not field.primary_key)
    return [str(field.column) for field in fields]


@cache
def _changes(before: Stage | None, stage: Stage) -> str:
    """Return the statements that make the rows of one stage those of another."""
    statements = [
        statement
        for table, rows in _played[stage].items()
        for statement in _changes_of(table, _played[before].get(table, {}) if before else {}, rows)
    ]
    return sql.SQL(";").join(statements).as_string()


def _changes_of(table: str, before: Table, rows: Table) -> list[sql.Composed]:
    columns = _tables()[table]
    every = sql.SQL(",").join(map(sql.Identifier, columns))
    names = {"table": sql.Identifier(table), "key": sql.Identifier(columns[0]), "columns": every}
    insert = sql.SQL(
        "INSERT INTO {table} ({columns})"
        " SELECT {columns} FROM json_populate_recordset(NULL::{table}, {rows})"
    )
    update = sql.SQL(
        "UPDATE {table} t SET {changed} FROM json_populate_record(NULL::{table}, {row}) r"
        " WHERE t.{key} = r.{key}"
    )
    delete = sql.SQL("DELETE FROM {table} WHERE to_json({key})::text = {row}")
    found = [delete.format(**names, row=sql.Literal(key)) for key in before.keys() - rows.keys()]
    if new := [row for key, row in rows.items() if key not in before]:
        found.append(insert.format(**names, rows=sql.Literal(f"[{','.join(new)}]")))
    for key in before.keys() & rows.keys():
        was, now = json.loads(before[key]), json.loads(rows[key])
        if different := [sql.Identifier(name) for name in columns if now[name] != was[name]]:
            changed = sql.SQL(",").join(sql.SQL("{0} = r.{0}").format(name) for name in different)
            found.append(update.format(**names, changed=changed, row=sql.Literal(rows[key])))
    return found
