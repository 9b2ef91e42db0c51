"""What each file of an archive holds, as JSON Schema: beside it under schema/."""

from __future__ import annotations

import json
from typing import Any

from django.db import models
from django.db.models import Field, Model

from draws.queries.archive import rows
from draws.queries.archive.sheets import INSTANT, MONEY, NUMBER, Sheet

DIALECT = "https://json-schema.org/draft/2020-12/schema"
INTEGERS = (models.IntegerField, models.ForeignKey, models.BigAutoField)
MINOR = "whole minor units of the hall's currency"


def of_sheet(sheet: Sheet) -> bytes:
    """Describe a line of a CSV table."""
    described: dict[str, Any] = {}
    for name, type in sheet.columns:
        if type == MONEY:
            described[f"{name}_minor"] = {"type": "integer", "description": MINOR}
        described[name] = _cell(type)
    return _written(sheet.name, described)


def of_table(model: type[Model]) -> bytes:
    """Describe a line of a table's rows."""
    described = {rows.label(field): _value(field) for field in rows.fields(model)}
    return _written(model._meta.db_table, described)


def of_journal() -> bytes:
    """Describe a line of the journal (docs/journal.md)."""
    text, number = {"type": "string"}, {"type": "integer"}
    perhaps = {"type": ["integer", "null"]}
    return _written(
        "journal",
        {
            "hall": text, "number": number, "session": perhaps, "game": perhaps, "kind": text,
            "data": {"type": "object"}, "at": {"type": "string", "format": "date-time"},
            "by": {"type": ["string", "null"]},
            "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        },
    )  # fmt: skip


def _cell(type: str) -> dict[str, Any]:
    if type == INSTANT:
        return {"type": "string", "format": "date-time"}
    return {"type": "number"} if type in (NUMBER, MONEY) else {"type": "string"}


def _value(field: Field[Any, Any]) -> dict[str, Any]:
    if isinstance(field, models.JSONField):
        return {}
    if rows.is_entry(field):
        kind = {"type": "integer", "description": "number of an entry of the journal"}
    elif isinstance(field, models.BooleanField):
        kind = {"type": "boolean"}
    elif isinstance(field, INTEGERS):
        kind = {"type": "integer"}
    elif field.get_internal_type() == "ArrayField":
        kind = {"type": "array"}
    else:
        kind = {"type": "string"}
    return {**kind, "type": [kind["type"], "null"]} if field.null else kind


def _written(title: str, described: dict[str, Any]) -> bytes:
    value = {
        "$schema": DIALECT,
        "title": title,
        "type": "object",
        "properties": described,
        "required": list(described),
        "additionalProperties": False,
    }
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()
