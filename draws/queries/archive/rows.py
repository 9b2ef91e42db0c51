"""The rows of a hall as JSON Lines, a table a file: what an empty database is filled from again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db.models import F, Field, ForeignKey, Model

from draws.models import Acta, Camera, Export, RectifiedActa
from draws.queries.whereabouts import bare
from halls.models import Hall, JoinedDesk, JournalEntry, Person, WallPicture, WallScreen
from halls.queries import belonging

Row = dict[str, Any]

# What nobody is told, or what has a file of its own; a camera's address is told without them.
KEPT_BACK: Mapping[type[Model], frozenset[str]] = MappingProxyType(
    {
        Person: frozenset(["password", "password_given", "last_login"]),
        Camera: frozenset(["salt"]),
        Acta: frozenset(["pdf"]),
        RectifiedActa: frozenset(["pdf"]),
    }
)


# The journal is a file by itself; that archives were asked for is no part of what they tell, or
# asking for one would change the next.
# Which television hangs where and what it shows between games is none of it either, and which accounts an inspector has elsewhere
# no hall's business.
LEFT_OUT = (JournalEntry, Export, WallScreen, WallPicture, JoinedDesk)


def models() -> list[type[Model]]:
    """Give the models whose rows an archive holds."""
    return [model for model in belonging.ours() if model not in LEFT_OUT]


def name(model: type[Model]) -> str:
    """Give the name of a table's file in an archive."""
    return f"rows/{model._meta.db_table}.jsonl"


def fields(model: type[Model]) -> list[Field[Any, Any]]:
    """Give the fields of a table that an archive tells."""
    hidden = KEPT_BACK.get(model, frozenset())
    return [field for field in model._meta.concrete_fields if field.name not in hidden]


def label(field: Field[Any, Any]) -> str:
    """Give a field's name in an archive: a journal entry is told by its number, not by its key."""
    return field.name if is_entry(field) else field.attname


def is_entry(field: Field[Any, Any]) -> bool:
    """Tell whether a field names an entry of the journal."""
    return isinstance(field, ForeignKey) and field.related_model is JournalEntry


def lines(model: type[Model], hall: Hall) -> Iterator[str]:
    """Give a hall's rows of a table in the order of their keys, a line each."""
    told = {
        f"told_{label(field)}": F(f"{field.name}__number" if is_entry(field) else field.attname)
        for field in fields(model)
    }
    found = model._default_manager.filter(**{belonging.path(model): hall.pk}).order_by("pk")
    for row in found.values(**told).iterator(chunk_size=2_000):
        values = {key.removeprefix("told_"): _plain(value) for key, value in row.items()}
        if model is Camera:
            values["url"] = bare(values["url"])
        yield json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value
