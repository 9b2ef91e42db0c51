"""Packages are pinned to one version and to their digests, and who never asked about them is told."""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from halls.management.commands import dependencies

ROOT = Path(__file__).resolve().parents[2]
HASH = "--hash=sha256:" + "ab" * 32


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copies of the project's own files."""
    for name in (*dependencies.PINS, dependencies.SBOM, "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "docs").mkdir()
    return tmp_path


@pytest.mark.slow
def test_the_projects_own_files_are_in_order() -> None:
    assert list(dependencies.faults(ROOT)) == []


def change(folder: Path, name: str, old: str, new: str) -> list[str]:
    """Change a file, and return what is wrong then."""
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    return list(dependencies.faults(folder))


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("requirements.txt", "django==5.2.19", "django>=5.2.19", "not one version with digests"),
        ("requirements-dev.txt", "django==5.2.19", "django==5.2.18", "django 5.2.19 of requirements.txt is another"),
        ("requirements-dev.txt", "pytest==", "pytest==0", "is installed: make setup"),
        ("pyproject.toml", '"django-csp==4.0"', '"django-csq==4.0"', "django-csq is not pinned"),
        ("sbom.cdx.json", '"version": "5.2.19"', '"version": "5.2.18"', "sbom.cdx.json is out of date"),
    ],
)  # fmt: skip
def test_what_is_not_as_it_is_pinned_is_told(
    folder: Path, name: str, old: str, new: str, told: str
) -> None:
    assert any(told in one for one in change(folder, name, old, new))


def test_pin_without_a_digest_is_none() -> None:
    assert dependencies.pins(f"Foo_Bar[x]==1.0 \\\n    {HASH}\n") == {"foo-bar": "1.0"}
    for text in ("foo==1.0\n", f"foo>=1.0 {HASH}\n", "foo==1.0 --hash=sha256:ab\n", "-e .\n"):
        with pytest.raises(ValueError, match=r"foo|-e"):
            dependencies.pins(text)


def test_packages_that_nobody_asked_about_are_told(folder: Path) -> None:
    today, file = date(2026, 11, 27), folder / dependencies.AUDIT
    [told] = dependencies.overdue(folder, today=today)
    assert "never asked" in told
    file.write_text(f"day = {today - timedelta(days=31)}\n")
    [told] = dependencies.overdue(folder, today=today)
    assert "31 days ago" in told
    file.write_text(f"day = {today - timedelta(days=30)}\n")
    assert dependencies.overdue(folder, today=today) == []


def test_audit_that_could_not_ask_about_every_package_is_not_noted(folder: Path) -> None:
    answers: list[dict[str, Any]] = [
        {"name": "a", "version": "1", "vulns": []},
        {"name": "b", "skip_reason": "not found"},
    ]
    with pytest.raises(CommandError, match="1 of 2 packages"):
        dependencies.Command()._note(folder, answers)
    with pytest.raises(CommandError, match="0 of 0"):
        dependencies.Command()._note(folder, [])
    assert not (folder / dependencies.AUDIT).exists()


def test_audit_that_found_something_is_told_and_not_noted(folder: Path) -> None:
    answers: list[dict[str, Any]] = [{"name": "a", "version": "1", "vulns": [{"id": "CVE-1"}]}]
    with pytest.raises(SystemExit):
        dependencies.Command()._note(folder, answers)
    assert not (folder / dependencies.AUDIT).exists()


def test_whole_audit_is_noted_with_its_day(folder: Path) -> None:
    dependencies.Command()._note(folder, [{"name": "a", "version": "1", "vulns": []}])
    assert "packages = 1" in (folder / dependencies.AUDIT).read_text()
