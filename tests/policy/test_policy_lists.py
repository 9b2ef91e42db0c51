"""What a hall decides is stated once, and wherever else it must be named a gap is found here."""

import re
from pathlib import Path

import pytest

from bingo.rules import policies
from draws.refusals import text
from halls.models import Policy

ROOT = Path(__file__).resolve().parents[2]
OFFICE = (ROOT / "draws" / "office" / "policy.py").read_text(encoding="utf-8")
JOURNAL = next(
    line
    for line in (ROOT / "docs" / "journal.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| `policy_set`")
)
NUMBERS = tuple(name for name in policies.NAMES if type(getattr(policies.DEFAULT, name)) is int)


def test_every_decision_has_its_column_and_every_column_its_decision() -> None:
    columns = {field.name for field in Policy._meta.fields}
    assert columns == {"id", "hall", "entry", *policies.NAMES}


@pytest.mark.parametrize("name", policies.NAMES)
def test_every_decision_is_set_on_the_page_and_described_in_the_journal(name: str) -> None:
    assert re.search(rf"^        {name}=", OFFICE, re.MULTILINE)
    assert f"`{name}`" in JOURNAL


@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_has_a_name_in_refusals(name: str) -> None:
    assert name in text.FIELDS


def test_what_is_told_seldom_and_what_training_copies_leave_nothing_out() -> None:
    assert {*policies.ALWAYS, *policies.SELDOM} == set(policies.NAMES)
    assert set(policies.NOT_FOR_TRAINING) < set(policies.NAMES)
