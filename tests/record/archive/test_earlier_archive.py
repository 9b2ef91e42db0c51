"""An archive that an earlier version wrote, restored by this one.

`earlier.zip` is of a hall that sold, paid, voided and refunded, kept a register of its door and
excluded somebody. It was written before the migrations were made anew, and is never written again.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from draws.record.archive import contents, reading
from draws.record.audit import audit
from halls.journal import queries as journal_queries
from halls.models import Hall
from tests.support.database import FreshDatabase

EARLIER = Path(__file__).with_name("earlier.zip")
HEAD = "7b4ce045e33fd90d1c190938c095634bfccc69c8b8aeb5a889284ec761d20ec5"


def parsed(lines: Iterable[str]) -> list[dict[str, Any]]:
    """Return rows as an archive tells them."""
    return [json.loads(line) for line in lines]


def earlier_lines(name: str) -> list[str]:
    """Return the lines of a file of the archive; of a table that came later there is none."""
    with zipfile.ZipFile(EARLIER) as archive:
        if name in reading.LATER_TABLES:
            assert name not in archive.namelist()
            return []
        return archive.read(name).decode().splitlines(keepends=True)


@pytest.mark.slow
@pytest.mark.rule(61)
def test_hall_of_an_earlier_version_is_restored_whole(fresh_database: FreshDatabase) -> None:
    [done] = reading.restore_archive([EARLIER])
    hall = Hall.objects.get()
    assert (done.entries, done.head) == (50, HEAD)
    assert audit(hall) == []
    assert list(journal_queries.export_lines(hall)) == earlier_lines("journal.jsonl")
    for model in contents.models():
        before = parsed(earlier_lines(contents.row_name(model)))
        now = parsed(contents.row_lines(model, hall))
        # A column that came later is no part of what the archive tells.
        assert [row | told for row, told in zip(now, before, strict=True)] == now


def test_every_column_and_table_that_came_later_has_what_was_so_before() -> None:
    later_tables: set[str] = set()
    later: dict[str, Any] = {}
    with zipfile.ZipFile(EARLIER) as archive:
        for model in contents.models():
            schema = f"schema/rows-{model._meta.db_table}.json"
            if schema not in archive.namelist():
                later_tables.add(contents.row_name(model))
                continue
            had = json.loads(archive.read(schema))["properties"]
            told = {contents.row_label(field): field for field in contents.row_fields(model)}
            later |= {label: field for label, field in told.items() if label not in had}
    assert later_tables <= set(reading.LATER_TABLES)
    assert "escudo_sign" in later
    for label, field in later.items():
        assert label in reading.LATER
        assert field.null or field.has_default()
        assert reading._field_value(field, {}) == field.get_default()
