"""The page of requirements holds each once, and names tests that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from halls.management.commands import asvs

ROOT = Path(__file__).resolve().parents[2]


def test_page_and_tests_agree() -> None:
    assert list(asvs.faults(ROOT)) == []


def test_levels_one_and_two_are_as_many_as_the_standard_has() -> None:
    levels = list(asvs.requirements().values())
    assert (levels.count("1"), levels.count("2")) == (70, 183)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A copy of the page, in a project of one test."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_one.py").write_text("def test_it() -> None: ...\n")
    copy = tmp_path / asvs.PAGE
    copy.write_text((ROOT / asvs.PAGE).read_text(encoding="utf-8"), encoding="utf-8")
    return copy


ROW = "| 7.2.1 | 1 | x | met | y | `test_one.py::test_it` |"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("", "7.2.1 has no row"),
        (f"{ROW}\n{ROW}", "7.2.1 has 2 rows"),
        (ROW.replace("test_it", "test_gone"), "7.2.1: no test test_one.py::test_gone"),
        (ROW.replace("`test_one.py::test_it`", "`docs/gone.md`"), "7.2.1: no file docs/gone.md"),
        (ROW.replace("`test_one.py::test_it`", ""), "7.2.1 is met, and nothing proves it"),
        (ROW.replace(" met ", " fine "), "7.2.1: no status: fine"),
        (ROW.replace("| 1 |", "| 2 |"), "7.2.1 is no requirement of level 2"),
        (ROW.replace("7.2.1", "7.2.99"), "7.2.99 is no requirement of level 1"),
        (ROW.replace("| y ", ""), "1 rows are not of six columns"),
    ],
)
def test_what_does_not_agree_is_named(page: Path, row: str, told: str) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    changed = [row if line.startswith("| 7.2.1 |") else line for line in lines]
    page.write_text("\n".join(changed), encoding="utf-8")
    assert any(told in one for one in asvs.faults(page.parents[1]))


def test_right_row_is_no_fault(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    page.write_text("\n".join(ROW if line.startswith("| 7.2.1 |") else line for line in lines))
    assert not any(one.startswith("7.2.1") for one in asvs.faults(page.parents[1]))
