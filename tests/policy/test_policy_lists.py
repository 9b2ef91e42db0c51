"""What a hall decides is stated once, and wherever else it must be named a gap is found here."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from bingo.rules import policies
from bingo.rules.refusal import Refusal
from draws.refusals import text
from halls.models import Hall, Policy
from halls.policy import queries as policy_queries

LANGUAGES = [code for code, _name in settings.LANGUAGES]
ROOT = Path(__file__).resolve().parents[2]
OFFICE = (ROOT / "draws" / "office" / "policy.py").read_text(encoding="utf-8")
JOURNAL = next(
    line
    for line in (ROOT / "docs" / "journal.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| `policy_set`")
)
INTEGERS = {name for name in policies.NAMES if type(getattr(policies.DEFAULT, name)) is int}


def test_every_decision_has_its_column_and_every_column_its_decision() -> None:
    columns = {field.name for field in Policy._meta.fields}
    assert columns == {"id", "hall", "entry", "later", *policies.NAMES}


@pytest.mark.parametrize("name", policies.NAMES)
def test_every_decision_is_set_on_the_page_and_described_in_the_journal(name: str) -> None:
    assert name in policy_queries.NUMBERS or re.search(rf"^        {name}=", OFFICE, re.MULTILINE)
    assert f"`{name}`" in JOURNAL


def test_every_number_has_its_bounds() -> None:
    assert set(policies.NUMBERS) == INTEGERS
    assert set(policy_queries.NUMBERS) <= INTEGERS


@pytest.mark.parametrize("name", sorted(policies.NUMBERS))
def test_a_number_stays_within_its_bounds(name: str) -> None:
    bounds, known = policies.NUMBERS[name], getattr(policies.DEFAULT, name)
    assert bounds.least <= known <= bounds.most
    for value in (bounds.least, bounds.most, *([0] if bounds.off else [])):
        assert policies.record(tills=(), **{name: value}).get(name, known) == value
    for value in (bounds.least - 1 or -1, bounds.most + 1):
        with pytest.raises(Refusal) as refused:
            policies.record(tills=(), **{name: value})
        with translation.override("en"):
            assert text.refusal(refused.value).startswith(str(text.FIELDS[name]))


@pytest.mark.parametrize("name", sorted(policy_queries.NUMBERS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_is_said_in_every_language(name: str, language: str) -> None:
    hall = Hall(currency="EUR")
    with translation.override(language):
        said = {policy_queries.says(name, value, hall) for value in (0, 7)}
        brief = {policy_queries.NUMBERS[name].brief(value) for value in (0, 7)}
    assert all(said)
    assert all(brief)
    assert any("7" in one for one in said)


@pytest.mark.parametrize("name", sorted(INTEGERS))
def test_every_number_has_a_name_in_refusals(name: str) -> None:
    assert name in text.FIELDS


def test_what_is_told_seldom_and_what_training_copies_leave_nothing_out() -> None:
    assert {*policies.ALWAYS, *policies.SELDOM} == set(policies.NAMES)
    assert set(policies.NOT_FOR_TRAINING) < set(policies.NAMES)
