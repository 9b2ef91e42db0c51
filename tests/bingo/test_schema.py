"""Data and their schema are made from the dataclasses that state the fields."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

import jsonschema
import pytest

from bingo import schema
from bingo.schema import LEFT_OUT, OPEN, Count, Day, Number


@dataclass(frozen=True, slots=True)
class DoorValues:
    """Who came: `most` at once."""

    most: Count


@dataclass(frozen=True, slots=True)
class EveningValues:
    """An evening."""

    number: Number
    kind: Literal["day", "night"]
    said: Annotated[Literal["full", "other"], OPEN]
    on: Day | None
    doors: tuple[DoorValues, ...]
    sums: Annotated[dict[str, Count], schema.Keywords(required=("cards",))]
    door: DoorValues | None = None
    late: Annotated[DoorValues | None, LEFT_OUT] = None


EVENING = EveningValues(7, "day", "full", date(2026, 11, 20), (DoorValues(3),), {"cards": 9})
PLAIN = {
    "number": 7, "kind": "day", "said": "full", "on": "2026-11-20", "doors": [{"most": 3}],
    "sums": {"cards": 9}, "door": None,
}  # fmt: skip
SCHEMA = schema.generate(EveningValues, name="urn:x", title="x", version={"x": {"const": 1}})


def is_valid(**changed: Any) -> bool:
    told = {name: each for name, each in ({"x": 1} | PLAIN | changed).items() if each is not ...}
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(told))


def test_data_are_the_fields_and_those_left_out_only_where_there_is_something() -> None:
    assert schema.to_data(EVENING) == PLAIN
    late = EveningValues(7, "day", "full", None, (), {}, late=DoorValues(1))
    assert schema.to_data(late)["late"] == {"most": 1}


def test_schema_says_what_the_classes_say() -> None:
    assert (SCHEMA["description"], SCHEMA["$id"]) == ("An evening.", "urn:x")
    assert SCHEMA["required"] == ["x", "number", "kind", "said", "on", "doors", "sums"]
    assert SCHEMA["$defs"]["door"]["description"] == "Who came: most at once."
    assert json.loads(schema.write(SCHEMA)) == json.loads(json.dumps(SCHEMA))


@pytest.mark.parametrize(
    "changed",
    [
        {}, {"on": None}, {"said": "whatever"}, {"door": {"most": 1}}, {"late": {"most": 1}},
        {"door": ...}, {"weather": "rain"}, {"sums": {"cards": 1, "more": -1}},
    ],
)  # fmt: skip
def test_schema_takes_what_may_be(changed: dict[str, Any]) -> None:
    assert is_valid(**changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"x": 2}, {"number": 0}, {"number": "7"}, {"kind": "noon"}, {"on": "soon"}, {"on": ...},
        {"doors": {}}, {"doors": [{"most": -1}]}, {"sums": {}}, {"late": None}, {"door": 1},
    ],
)  # fmt: skip
def test_schema_refuses_what_may_not(changed: dict[str, Any]) -> None:
    assert not is_valid(**changed)
