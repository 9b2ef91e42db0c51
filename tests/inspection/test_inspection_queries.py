"""Reading as an inspector outside any transaction, as pages do: nothing can be written at all."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import InternalError, connection

from halls import inspection
from halls.inspection import reading
from halls.models import Hall
from tests.support.database import FreshDatabase
from tests.support.evening import Evening


def asked(statement: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


@pytest.mark.parametrize("role", ["inspector", "application"])
def test_not_even_everybodys_functions_write(
    fresh_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    evening = Evening()
    if role == "application":
        monkeypatch.setattr(inspection, "ROLE", "nobody_made_it")
    with pytest.raises(InternalError, match="read-only transaction"), reading(evening.hall):
        asked("SELECT lo_unlink(0)")
    with reading(evening.hall):
        assert Hall.objects.get() == evening.hall
    assert asked("SELECT count(*) FROM pg_largeobject_metadata") == [(0,)]
    evening.reach("session")
