"""Which hall a row belongs to: the way from a model to its hall, read from its foreign keys."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.apps import apps
from django.db.models import ForeignKey, Model

from halls.models import Hall, Link, Person

OURS = ("halls", "draws")
HALL = "hall"


def ours() -> list[type[Model]]:
    """Give every model of this project that has a table, in the order of their names."""
    found = (model for model in apps.get_models(include_auto_created=True) if _is_ours(model))
    return sorted(found, key=lambda model: model._meta.db_table)


@cache
def path(model: type[Model]) -> str:
    """Give the lookup from a model's rows to their hall's key; `pk` for halls themselves.

    Raises LookupError for a model that belongs to no hall.
    """
    found = _path(model, frozenset())
    if found is None:
        raise LookupError(model._meta.label)
    return found


def parents(model: type[Model]) -> list[ForeignKey[Any, Any]]:
    """Give the foreign keys by which rows belong to another of our rows, those that must be first.

    People stand for nothing: who did something may have gone to another hall since.
    """
    found = [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey) and _belongs_to(field, model)
    ]
    return sorted(found, key=lambda field: field.null)


def _path(model: type[Model], seen: frozenset[type[Model]]) -> str | None:
    if model is Hall:
        return "pk"
    if model is Link:
        return "members__hall"  # of several halls: each sees what it takes part in
    ways = [_way(field, seen | {model}) for field in parents(model)]
    known = [way for way in ways if way is not None]
    return min(known, key=lambda way: way.count("__")) if known else None


def _way(field: ForeignKey[Any, Any], seen: frozenset[type[Model]]) -> str | None:
    parent = field.related_model
    if parent is Hall:
        return field.name
    if parent in seen:
        return None
    further = _path(parent, seen)
    return None if further is None else f"{field.name}__{further}"


def _belongs_to(field: ForeignKey[Any, Any], model: type[Model]) -> bool:
    parent = field.related_model
    if parent is Hall:
        return field.name == HALL
    return _is_ours(parent) and parent not in (Person, model)


def _is_ours(model: Any) -> bool:
    return model._meta.app_label in OURS and model._meta.managed and not model._meta.proxy
