"""Which tests say that they prove which rule: read from the tests' own source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from bingo.rules.rulebooks.contents import CONTENTS


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
    """Give the marks that all tests of a file carry: its `pytestmark`, one or a list."""
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
