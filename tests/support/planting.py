"""Doing as the database's owner what the application never could, to see the audit find it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from psycopg.conninfo import conninfo_to_dict

from bingo.rules.journal_json_and_chain import chain_digest
from draws.record.audit import audit
from halls.journal.head import as_value
from halls.models import Hall, JournalEntry
from tests.support import database


@contextmanager
def as_owner_of(fresh: database.FreshDatabase) -> Iterator[None]:
    """Let the default connection be the owner's."""
    owner = conninfo_to_dict(fresh.owner_url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(connection.settings_dict, "USER", owner["user"])
        patch.setitem(connection.settings_dict, "PASSWORD", owner["password"])
        database.point_at(fresh.name)
        yield


def plant(table: str, statement: str, *values: Any) -> int:
    """Do as the owner what the triggers of a table forbid, and return how many rows it touched."""
    with connection.cursor() as cursor:
        # Checks that still wait would keep the table from being altered.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(statement, values or None)
        return int(cursor.rowcount)


def found(hall: Hall) -> list[tuple[int, str]]:
    """Return what the audit finds: entry and code."""
    return [(finding.number, finding.code) for finding in audit(Hall.objects.get(pk=hall.pk))]


def rewrite(last: JournalEntry, data: dict[str, Any]) -> None:
    """Write the last entry anew, with its digest and the head, as only the owner can."""
    before = JournalEntry.objects.filter(hall=last.hall, number=last.number - 1)
    last.data = data
    head = chain_digest(before.get().digest, as_value(last))
    statement = "UPDATE halls_journalentry SET data = %s, digest = %s WHERE id = %s"
    plant("halls_journalentry", statement, json.dumps(data), head, last.pk)
    statement = "UPDATE halls_hall SET head_digest = %s WHERE id = %s"
    plant("halls_hall", statement, head, last.hall_id)
