"""The list of the rules that tests prove is read from the tests' own source."""

from pathlib import Path

import pytest

from halls.management.commands.rules import proofs

FILE = """
import pytest
{marks}

@pytest.mark.rule(36, "BOE IV")
def test_one(): ...

def an_evening(): ...

class TestSale:
    @pytest.mark.rule(37)
    def test_two(self): ...
"""


def written(folder: Path, marks: str = "") -> dict[str, list[str]]:
    """Return what a folder with one file of tests proves."""
    place = folder / "tests" / "draws"
    place.mkdir(parents=True)
    (place / "test_some.py").write_text(FILE.format(marks=marks))
    return {rule: tests for rule, tests in proofs(folder / "tests").items() if tests}


def test_rules_are_those_that_tests_are_marked_with(tmp_path: Path) -> None:
    one, two = "tests/draws/test_some.py::test_one", "tests/draws/test_some.py::TestSale::test_two"
    assert written(tmp_path) == {"R36": [one], "BOE IV": [one], "R37": [two]}


@pytest.mark.parametrize("marks", ["{}", "[pytest.mark.django_db, {}]"])
def test_rule_of_a_whole_file_is_proved_by_each_of_its_tests(tmp_path: Path, marks: str) -> None:
    found = written(tmp_path, f"pytestmark = {marks.format('pytest.mark.rule(53)')}")
    assert found["R53"] == ["tests/draws/test_some.py::test_one"]


def test_rule_that_nothing_proves_has_no_tests() -> None:
    assert proofs(Path("nowhere"))["R36"] == []
