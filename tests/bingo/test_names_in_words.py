"""What docstrings, comments and docs name is there: files, and names in modules and classes.

Words alone are not looked at: they may be columns, keys and fields. Decisions and the changelog name
what was there on their day.
"""

from __future__ import annotations

import builtins
import pkgutil
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = ("bingo", "halls", "draws", "tests")
FOLDERS = (*CODE, "docs", "templates", "static")
MODULES = [path for app in CODE for path in (ROOT / app).rglob("*.py")]
PAGES = [path for folder in (".", "docs") for path in (ROOT / folder).glob("*.md")]
SCRIPTS = list((ROOT / "static").rglob("*.js"))
HISTORY = "CHANGELOG.md"

DOTTED = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)(?:\([^`\n]*\))?`")
DATA = re.compile(r"\.(csv|json|jsonl|log|ogg|pem|p12|crl|sig|txt|vkey|zip)$")
END = r"\.(?:py|js|md|html|toml|sql)\b"
FILES = (
    re.compile(rf"`([\w./-]+{END})"),
    re.compile(rf"((?:{'|'.join(FOLDERS)})/[\w./-]+{END})"),
)
CLASS = re.compile(r"^class (\w+)", re.MULTILINE)
ELSEWHERE = {
    "docs/dependency-audit.toml",  # `make audit` writes it
    "draws.make_export",  # a name of the queue
    "psycopg.sql",  # a module
    "docs/gone.md", "test_one.py", "tests/draws/test_some.py",  # in tests of the like
}  # fmt: skip


@cache
def files() -> set[str]:
    """Return the paths of the tree, and their ends from each folder on."""
    paths = [path for path in ROOT.iterdir() if path.is_file()]
    paths += [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")]
    parts = [path.relative_to(ROOT).parts for path in paths]
    return {"/".join(one[at:]) for one in parts for at in range(len(one))}


@cache
def holders() -> dict[str, list[tuple[str, str]]]:
    """Return the texts of modules, packages and classes by name, and how far their names stand in."""
    found = defaultdict(list)
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        found[path.parent.name if path.stem == "__init__" else path.stem].append(("", text))
        found[path.parent.name].append(("", f"def {path.stem}"))
        found[path.parent.parent.name].append(("", f"def {path.parent.name}"))
        for name in CLASS.findall(text):
            found[name].append((" {4}", text))
    return found


@cache
def holds(owner: str, name: str) -> bool:
    return any(
        re.search(
            rf"^{indent}((async )?(def|class) {name}\b|{name}\b.*[:=]|.*, {name}\b.* =)",
            text,
            re.MULTILINE,
        )
        for indent, text in holders().get(owner, ())
    )


def is_there(dotted: str, text: str) -> bool:
    """Return whether a name is one of ours, of a value's class in this text, or of a package."""
    *_, owner, name = dotted.split(".")
    if holds(owner, name):
        return True
    if dotted.split(".", maxsplit=1)[0] in CODE:
        return False
    meant = re.findall(rf"\b{owner}: (\w+)", text) + re.findall(rf"\b(\w+) as {owner}\b", text)
    if any(holds(one, name) for one in meant):
        return True
    try:
        pkgutil.resolve_name(dotted)
    except (ImportError, AttributeError):
        return hasattr(getattr(builtins, owner, None), name)
    return True


def missing(text: str) -> set[str]:
    """Return what a text names and is nowhere."""
    told = {one for kind in FILES for one in kind.findall(text) if one not in files()}
    named = {one for one in DOTTED.findall(text) if one not in files() and not DATA.search(one)}
    return (told | {one for one in named if not is_there(one, text)}) - ELSEWHERE


@pytest.mark.slow
def test_every_file_and_name_that_words_name_is_there() -> None:
    texts = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for path in (*MODULES, *PAGES, *SCRIPTS)
        if path != Path(__file__) and path.name != HISTORY
    }
    assert {path: absent for path, text in texts.items() if (absent := missing(text))} == {}


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("as `sale_order.take` gives it", set()),
        ("as `sales.take` gives it", {"sales.take"}),
        (
            "`bingo.rules.sale_order.take`, `bingo.rules.series.digest`",
            {"bingo.rules.series.digest"},
        ),
        (
            "from bingo.rules import sale_order as rules  # `rules.take`, `rules.sold`",
            {"rules.sold"},
        ),
        ("def f(format: Format)  # `format.strip`, `format.sales`", {"format.sales"}),
        ("`random.Random`, `str.format`, `random.unknown`", {"random.unknown"}),
        ("# in draws/tasks.py and draws/works.py", {"draws/works.py"}),
        ("`services.py`, `floor_services.py`, `journal.jsonl`", {"floor_services.py"}),
    ],
)
def test_names_that_are_nowhere_are_found(text: str, absent: set[str]) -> None:
    assert missing(text) == absent
