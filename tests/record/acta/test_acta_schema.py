"""What an acta carries is what its schema says: no field without it, none lost, no value of a wrong kind."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from io import BytesIO, StringIO
from typing import Any, get_args, get_type_hints

import jsonschema
import pypdf
import pytest
from django.core.management import call_command

from bingo.pdf import pdfa
from draws.record.acta import document, session_values
from draws.record.acta import values as acta_values
from draws.record.acta.values import ActaValues
from tests.support import acta_values as support_acta_values
from tests.support import whole_evening
from tests.support.acta_schema import FILE, SCHEMA, faults

Change = Callable[[dict[str, Any]], object]


def carried(values: ActaValues) -> dict[str, Any]:
    """The data as it stands in the file."""
    told: dict[str, Any] = json.loads(pdfa.canonical(acta_values.data(values)))
    return told


@pytest.mark.slow
def test_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_schema_that_is_published_is_the_one_that_actas_carry() -> None:
    published = FILE.read_text(encoding="utf-8")
    printed = StringIO()
    call_command("acta_schema", stdout=printed)
    assert printed.getvalue() == published, "manage.py acta_schema > docs/acta.schema.json"
    reader = pypdf.PdfReader(BytesIO(document.draw(support_acta_values.acta(1))))
    assert reader.attachments["acta.schema.json"] == [published.encode()]


@pytest.mark.rule(59)
@pytest.mark.parametrize("games", [0, 1, 7])
def test_acta_is_valid_under_its_schema(games: int) -> None:
    assert faults(carried(support_acta_values.acta(games))) == []
    assert faults(carried(whole_evening.acta(games))) == []
    assert faults(carried(support_acta_values.desk())) == []


def test_acta_of_before_is_valid_still() -> None:
    told = carried(support_acta_values.acta())
    later = set(told) - set(SCHEMA["required"])
    assert {"template", "staff", "jackpot", "custody", "clock"} <= later
    for name in later:
        del told[name]
    assert faults(told) == []


def test_acta_of_the_form_before_is_valid_still() -> None:
    told = carried(whole_evening.acta(3))
    for note in told["notes"]:
        for name in ("number", "ball", "decided_at", "decided_by", "witness"):
            del note[name]
    for game in told["games"]:
        del game["jackpot_reversed"]
    told["template"]["version"] = 2
    assert faults(told) == []


def test_schema_has_every_field_of_the_values_and_no_other() -> None:
    assert set(SCHEMA["properties"]) == {"acta", *_names(ActaValues)}
    known = {"acta"}
    for module in (acta_values, session_values):
        for name, value in vars(module).items():
            if is_dataclass(value) and isinstance(value, type) and value is not ActaValues:
                code = _code(name)
                known.add(code)
                assert set(SCHEMA["$defs"][code]["properties"]) == _names(value), code
    assert set(SCHEMA["$defs"]) == known - {"acta"}


def _names(values: type) -> set[str]:
    return {field.name for field in fields(values)}


def _code(name: str) -> str:
    plain = name.removesuffix("Values")
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in plain)[1:]


def test_every_list_of_values_is_named_in_the_schema() -> None:
    hints = get_type_hints(ActaValues)
    for name, hint in hints.items():
        [inner, *_rest] = get_args(hint) or (hint,)
        if is_dataclass(inner):
            assert "#/$defs/" in json.dumps(SCHEMA["properties"][name]), name


@pytest.mark.parametrize("name", SCHEMA["required"])
def test_acta_without_a_field_it_always_had_is_not_valid(name: str) -> None:
    told = carried(support_acta_values.acta(1))
    del told[name]
    assert faults(told)


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(acta=2),
        lambda told: told.update(games={}),
        lambda told: told.update(journal_head="9F" * 32),
        lambda told: told.update(opened_at="2026-11-20 20:00"),
        lambda told: told["games"][0].update(gross=-1),
        lambda told: told["games"][0].update(gross=840.5),
        lambda told: told["games"][0].pop("check"),
        lambda told: told["games"][0]["balls"][0].update(source="heard"),
        lambda told: told["games"][0]["winners"][0].update(card=0),
        lambda told: told["jackpot"][0]["movements"][0].update(amount="12"),
        lambda told: told["custody"]["kept"][0].update(free="soon"),
    ],
)
def test_acta_with_a_wrong_value_is_not_valid(change: Change) -> None:
    told = carried(whole_evening.acta(2))
    assert faults(told) == []
    changed = copy.deepcopy(told)
    change(changed)
    assert len(faults(changed)) == 1


def test_readers_pass_over_what_is_added_later() -> None:
    told = carried(support_acta_values.acta(1))
    told["games"][0]["weather"] = "rain"
    assert faults(told) == []
