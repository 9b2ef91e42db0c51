"""Hold docs/security.md, a row for each requirement of OWASP ASVS 5.0.0, against the tests it names."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from halls.management.reporting import Report

PAGE = "docs/security.md"
# Of each section of the standard the levels of its requirements, in their order: the second of 1.5 is
# of level 2. Levels 1 and 2 are the project's aim.
SECTIONS = MappingProxyType(
    {
        "1.1": "22", "1.2": "1111122223", "1.3": "112222222223", "1.4": "222", "1.5": "123",
        "2.1": "122", "2.2": "112", "2.3": "12223", "2.4": "23",
        "3.1": "3", "3.2": "113", "3.3": "12223", "3.4": "11222233", "3.5": "11122333", "3.6": "3",
        "3.7": "22333",
        "4.1": "12233", "4.2": "23333", "4.3": "22", "4.4": "1222",
        "5.1": "2", "5.2": "112333", "5.3": "113", "5.4": "222",
        "6.1": "122", "6.2": "111111112222", "6.3": "11223333", "6.4": "112233", "6.5": "22222333",
        "6.6": "2223", "6.7": "33", "6.8": "2222",
        "7.1": "222", "7.2": "1111", "7.3": "22", "7.4": "11222", "7.5": "223", "7.6": "22",
        "8.1": "1233", "8.2": "1123", "8.3": "133", "8.4": "23",
        "9.1": "111", "9.2": "1222",
        "10.1": "22", "10.2": "223", "10.3": "22223", "10.4": "1111122222233333", "10.5": "22222",
        "10.6": "22", "10.7": "222",
        "11.1": "2233", "11.2": "22233", "11.3": "11233", "11.4": "1222", "11.5": "23", "11.6": "23",
        "11.7": "33",
        "12.1": "12233", "12.2": "11", "12.3": "22223",
        "13.1": "2333", "13.2": "222223", "13.3": "2233", "13.4": "1222233",
        "14.1": "22", "14.2": "12223333", "14.3": "122",
        "15.1": "12233", "15.2": "12233", "15.3": "1222222", "15.4": "3333",
        "16.1": "2", "16.2": "22222", "16.3": "2222", "16.4": "222", "16.5": "2223",
        "17.1": "23", "17.2": "22223333", "17.3": "22",
    }
)  # fmt: skip
AIM = "12"
STATUSES = ("met", "partly", "not met", "open", "does not apply")
PROVEN = ("met", "partly")  # these name a test, or the page or file where it is to be read
ROW = re.compile(r"\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]*)\|")
NAMED = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement by its number, as the page tells of it."""

    number: str
    level: str
    about: str
    status: str
    how: str
    proofs: tuple[str, ...]


def requirements() -> dict[str, str]:
    """Return the requirements that are the aim, by number, with their level."""
    return {
        f"{section}.{place}": level
        for section, levels in SECTIONS.items()
        for place, level in enumerate(levels, start=1)
        if level in AIM
    }


def rows(page: str) -> list[Requirement]:
    """Read the rows of the page."""
    found = []
    for line in page.splitlines():
        if told := ROW.fullmatch(line.strip()):
            number, level, about, status, how, proofs = (part.strip() for part in told.groups())
            found.append(
                Requirement(number, level, about, status, how, tuple(NAMED.findall(proofs)))
            )
    return found


def test_names(tests: Path) -> set[str]:
    """Return every test, as path::name from the folder of tests."""
    found = set()
    for path in tests.rglob("test_*.py"):
        place = path.relative_to(tests).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(f"{place}::{node.name}")
    return found


def faults(root: Path) -> Iterator[str]:
    """Return what is wrong with the page."""
    page = (root / PAGE).read_text(encoding="utf-8")
    found, wanted = rows(page), requirements()
    begun = [line for line in page.splitlines() if re.match(r"\| \d+\.\d+\.\d+", line.strip())]
    if len(begun) != len(found):
        yield f"{PAGE}: {len(begun) - len(found)} rows are not of six columns"
    counted = Counter(row.number for row in found)
    yield from (f"{number} has no row" for number in wanted if not counted[number])
    yield from (f"{number} has {count} rows" for number, count in counted.items() if count > 1)
    known = test_names(root / "tests")
    for row in found:
        yield from _faults(row, wanted, known, root)
    if _counts(found) not in page:
        yield f"{PAGE} counts otherwise than its rows: {_counts(found)}"


def _faults(row: Requirement, wanted: dict[str, str], known: set[str], root: Path) -> Iterator[str]:
    if wanted.get(row.number) != row.level:
        yield f"{row.number} is no requirement of level {row.level}"
    if row.status not in STATUSES:
        yield f"{row.number}: no status: {row.status}"
    if row.status in PROVEN and not row.proofs:
        yield f"{row.number} is {row.status}, and nothing proves it"
    for proof in row.proofs:
        if "::" in proof and proof not in known:
            yield f"{row.number}: no test {proof}"
        if "::" not in proof and not (root / proof).is_file():
            yield f"{row.number}: no file {proof}"


def _counts(found: list[Requirement]) -> str:
    counted = Counter(row.status for row in found)
    return ", ".join(f"{counted[status]} {status}" for status in STATUSES)


class Command(Report):
    """Exit code 0: printed. 1: --check found a fault.

    Faults are a requirement of levels 1 and 2 without a row or with two, a row that names no
    requirement, no known status, nothing that proves it, or a test or file that is not there.
    """

    help = "Show how each requirement of OWASP ASVS 5.0.0, levels 1 and 2, is met."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --check."""
        super().add_arguments(parser)
        parser.add_argument(
            "--check", action="store_true", help=f"exit 1 unless {PAGE} and the tests agree"
        )

    def handle(self, *, json: bool, check: bool, **_options: Any) -> None:
        """Print or check."""
        root = Path(settings.BASE_DIR)
        if check:
            wrong = list(faults(root))
            self.report(wrong, wrong, as_json=json)
            if wrong:
                raise SystemExit(1)
            return
        found = rows((root / PAGE).read_text(encoding="utf-8"))
        value = [
            {"number": row.number, "level": int(row.level), "about": row.about,
             "status": row.status, "how": row.how, "proofs": list(row.proofs)}
            for row in found
        ]  # fmt: skip
        lines = [f"{row.number:<8} {row.status:<15} {row.about}" for row in found]
        self.report(value, [*lines, "", _counts(found)], as_json=json)
