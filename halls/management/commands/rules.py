"""Print rule by rule which tests prove it, and which rules no test proves.

The rules are read from the tests' own source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from bingo.rules.rulebooks.rule_titles import CONTENTS
from halls.management.reporting import Report


def proofs(tests: Path) -> dict[str, list[str]]:
    """Give, rule by rule, the tests that carry its mark, as path::name from the tests' folder."""
    found: dict[str, list[str]] = {rule: [] for rule in CONTENTS}
    for path in sorted(tests.rglob("test_*.py")):
        place = path.relative_to(tests.parent).as_posix()
        for rule, name in _marked(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(rule, []).append(f"{place}::{name}")
    return found


def _marked(module: ast.Module) -> Iterator[tuple[str, str]]:
    of_all = [rule for mark in _marks_of_all(module) for rule in _rules([mark])]
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test"
        ):
            yield from ((rule, node.name) for rule in of_all)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = node.body if isinstance(node, ast.ClassDef) else []
            for rule in _rules(node.decorator_list):
                yield rule, node.name
            for method in inside:
                if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                    for rule in _rules(method.decorator_list):
                        yield rule, f"{node.name}::{method.name}"


def _marks_of_all(module: ast.Module) -> list[ast.expr]:
    """Return the marks that all tests of a file carry: its `pytestmark`, one or a list."""
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            return node.value.elts if isinstance(node.value, ast.List) else [node.value]
    return []


def _rules(decorators: list[ast.expr]) -> Iterator[str]:
    for decorator in decorators:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
            for argument in decorator.args:
                value = ast.literal_eval(argument)
                yield f"R{value}" if isinstance(value, int) else str(value)


PAGE = "docs/rules.md"
PLAYED = tuple(f"R{number}" for number in range(1, 85))  # the game in a hall; R85 on is online


class Command(Report):
    """Exit code 0: printed or written. 1: --check found a fault.

    Faults are docs/rules.md out of date, an unknown rule, and a rule of play without a test.
    """

    help = "Show which tests prove which rule of the law."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --write and --check."""
        super().add_arguments(parser)
        parser.add_argument("--write", action="store_true", help=f"make {PAGE} anew")
        parser.add_argument(
            "--check",
            action="store_true",
            help=f"exit 1 unless {PAGE} is up to date and every rule proven",
        )

    def handle(self, *, json: bool, write: bool, check: bool, **_options: Any) -> None:
        """Print, write or check."""
        root = Path(settings.BASE_DIR)
        found = proofs(root / "tests")
        unknown = sorted(found.keys() - CONTENTS.keys())
        page = _page(found)
        if write:
            (root / PAGE).write_text(page, encoding="utf-8")
        if check:
            stale = not (root / PAGE).exists() or (root / PAGE).read_text(encoding="utf-8") != page
            faults = [f"unknown rule: {rule}" for rule in unknown]
            faults += [f"no test proves {rule}" for rule in PLAYED if not found[rule]]
            faults += [f"{PAGE} is out of date: manage.py rules --write"] if stale else []
            self.report(faults, faults, as_json=json)
            if faults:
                raise SystemExit(1)
            return
        value = {
            rule: {"about": CONTENTS.get(rule, ""), "tests": tests} for rule, tests in found.items()
        }
        self.report(value, _lines(found), as_json=json)


def _lines(found: dict[str, list[str]]) -> list[str]:
    lines = []
    for rule, tests in found.items():
        lines.append(f"{rule:<8} {len(tests):>3}  {CONTENTS.get(rule, 'UNKNOWN')}")
        lines += [f"{'':14}{test}" for test in tests]
    proved = sum(bool(tests) for tests in found.values())
    bare = ", ".join(rule for rule, tests in found.items() if not tests)
    return [*lines, "", f"{proved} of {len(found)} rules have a test; bare: {bare or 'none'}"]


def _page(found: dict[str, list[str]]) -> str:
    proved = sum(bool(tests) for tests in found.values())
    lines = [
        "# Rules and the tests that prove them",
        "",
        "Made by `manage.py rules --write`. R1 to R103: Cape Verde, Portaria 1/2017.",
        "BOE I to V: Spain, Catálogo de Juegos of 1979, heading 10.",
        "",
        f"{proved} of {len(found)} rules have at least one test.",
        "",
        "| rule | about | tests |",
        "|---|---|---|",
    ]
    for rule, tests in found.items():
        names = "<br>".join(f"`{test.removeprefix('tests/')}`" for test in tests) or "none yet"
        lines.append(f"| {rule} | {CONTENTS.get(rule, '')} | {names} |")
    return "\n".join(lines) + "\n"
