"""Write dataclasses as JSON, and make their JSON Schema (2020-12) from the same fields.

A field has its type and what limits it (`Keywords`). One without a default is required; one that was
added later has a default, so that older data are valid still. A class is described by its docstring.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Sequence
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from datetime import date, datetime
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LINE = 100  # signs of a line of the published schema


@dataclass(frozen=True, slots=True)
class Keywords:
    """What limits a value besides its type, in the words of JSON Schema; `required` are keys."""

    minimum: int | None = None
    pattern: str | None = None
    enum: tuple[str, ...] | None = None
    const: bool | None = None
    required: tuple[str, ...] | None = None
    description: str | None = None


LEFT_OUT = "left out of the data where it is empty"
OPEN = "a reader takes others than those listed"

Count = Annotated[int, Keywords(minimum=0)]  # also of minor units, basis points, microseconds
Number = Annotated[int, Keywords(minimum=1)]
DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
HOUR = "[0-9:]{8}([.][0-9]+)?[+-][0-9]{2}:[0-9]{2}"
Day = Annotated[date, Keywords(pattern=f"^{DAY}$")]
Instant = Annotated[datetime, Keywords(pattern=f"^{DAY}T{HOUR}$")]
Digest = Annotated[str, Keywords(pattern="^[0-9a-f]{64}$")]

TYPES: dict[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    str: {"type": "string"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
}


def to_data(value: Any) -> Any:
    """Return a value as JSON has it: classes as objects, instants and days as ISO 8601."""
    if is_dataclass(value) and not isinstance(value, type):
        named = ((field.name, getattr(value, field.name)) for field in fields(value))
        rarely = _left_out(type(value))
        return {name: to_data(inner) for name, inner in named if inner or name not in rarely}
    if isinstance(value, dict):
        return {name: to_data(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [to_data(inner) for inner in value]
    return value.isoformat() if isinstance(value, date) else value


@cache
def _left_out(owner: type) -> frozenset[str]:
    hints = get_type_hints(owner, include_extras=True)
    return frozenset(name for name, hint in hints.items() if LEFT_OUT in get_args(hint)[1:])


def generate(root: type, *, name: str, title: str, version: Schema) -> Schema:
    """Return the schema of a class by its URN and title; `version` are properties of the layout."""
    parts: dict[str, Schema] = {}
    described = _object(root, parts)
    described["properties"] = version | described["properties"]
    described["required"] = [*version, *described["required"]]
    head = {"$schema": DIALECT, "$id": name, "title": title}
    return {**head, **described, "$defs": dict(sorted(parts.items()))}


def write(value: Any, margin: str = "") -> str:
    """Write JSON, what fits on one line in one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(margin) + len(flat) <= LINE or not isinstance(value, dict | list):
        return flat
    inner = f"{margin} "
    if isinstance(value, dict):
        lines = [f"{json.dumps(name)}: {write(part, inner)}" for name, part in value.items()]
    else:
        lines = [write(part, inner) for part in value]
    joined = f",\n{inner}".join(lines)
    return f"{flat[0]}\n{inner}{joined}\n{margin}{flat[-1]}"


def _object(owner: type, parts: dict[str, Schema]) -> Schema:
    """Describe a class; what it is made of is put into `parts` by name."""
    hints = get_type_hints(owner, include_extras=True)
    required = [one.name for one in fields(owner) if MISSING is one.default is one.default_factory]
    return {
        "type": "object",
        "description": " ".join((inspect.getdoc(owner) or "").replace("`", "").split()),
        "required": required,
        "properties": {name: _value(hint, parts) for name, hint in hints.items()},
    }


def _value(hint: Any, parts: dict[str, Schema]) -> Schema:
    """Describe a value of a type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(inner[0], inner[1:], parts)
    if origin in (Union, UnionType):
        return _nullable(_value(inner[0], parts))
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if origin is tuple:
        return {"type": "array", "items": _value(inner[0], parts)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _value(inner[1], parts)}
    if isinstance(hint, type) and is_dataclass(hint):
        name = _name(hint)
        parts[name] = parts.get(name) or _object(hint, parts)
        return {"$ref": f"#/$defs/{name}"}
    return dict(TYPES[hint])


def _annotated(hint: Any, said: Sequence[Any], parts: dict[str, Schema]) -> Schema:
    """Describe a value that is limited; what is left out where it is empty is never null."""
    described = _value(get_args(hint)[0] if LEFT_OUT in said and get_args(hint) else hint, parts)
    for keywords in said:
        if isinstance(keywords, Keywords):
            described |= {name: told for name, told in asdict(keywords).items() if told is not None}
    if OPEN in said:
        described["examples"] = described.pop("enum")
    if keys := described.get("required"):
        described["properties"] = dict.fromkeys(keys, described.pop("additionalProperties"))
    return described


def _nullable(described: Schema) -> Schema:
    """Return the schema of a value that may be null."""
    if "$ref" in described:
        return {"anyOf": [described, {"type": "null"}]}
    return described | {"type": [described["type"], "null"]}


def _name(owner: type) -> str:
    """Return the name of a class in the schema: ball_set of BallSetValues."""
    return re.sub(r"(?<=.)(?=[A-Z])", "_", owner.__name__.removesuffix("Values")).lower()
