"""What a test of a service looks at: every row of a hall, and a refusal that leaves all as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models import Model

from bingo.rules.refusal import Refusal


def everything() -> list[tuple[str, str]]:
    """Return every row of every table of the house and the game, as PostgreSQL writes it."""
    with connection.cursor() as cursor:
        cursor.execute(_everything())
        found: list[tuple[str, str]] = cursor.fetchall()
    return found


@cache
def _everything() -> str:
    """Return the one question: it is asked before and after each refusal."""
    tables = [
        model._meta.db_table
        for app in ("halls", "draws")
        for model in apps.get_app_config(app).get_models()
    ]
    of_each = [f'SELECT \'{table}\', "row"::text FROM "{table}" AS "row"' for table in tables]
    return " UNION ALL ".join(of_each) + " ORDER BY 1, 2"


def shown(result: object) -> str:
    """Write what a service gave, field by field and without its row's number, to be compared."""
    if isinstance(result, Model):
        fields = result._meta.concrete_fields
        values = {one.attname: getattr(result, one.attname) for one in fields if one.name != "id"}
        return json.dumps(values, default=str, sort_keys=True)
    if isinstance(result, list):
        return "\n".join(shown(one) for one in result)
    return repr(result)


@contextmanager
def refuses(*expected: Refusal | str) -> Iterator[None]:
    """Expect one of these refusals, whole or by its code, and not a single row changed by it."""
    before = everything()
    with pytest.raises(Refusal) as refused, transaction.atomic():
        yield
    assert refused.value in expected or refused.value.code in expected, repr(refused.value)
    assert everything() == before


def again(row: Model, **changed: Any) -> None:
    """Write a row a second time with something changed, every constraint checked at once."""
    for name, value in {"pk": None, **changed}.items():
        setattr(row, name, value)
    with transaction.atomic():
        row.save(force_insert=True)
        connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")
