"""Counts of four digits or more are written in groups of three wherever Python says them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from bingo.money_and_dates import Whole
from bingo.rules.refusal import Refusal
from draws.boards import announcements
from draws.cards import labels as cards_labels
from draws.record.journal_text import JOURNAL_TEXT_TELLERS, days
from draws.refusals import text
from halls.templatetags import hall

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = {
    "pt": "1\N{NO-BREAK SPACE}680",
    "es": "1.680",
    "gl": "1.680",
    "ca": "1.680",
    "en": "1,680",
}
ISSUE = {"letter": "L", "identification": "L-1"}
TOLD = {
    "issue_counted": {**ISSUE, "counted": 1680, "difference": -1680, "comment": ""},
    "issue_sent": {**ISSUE, "to": "Mindelo", "cards": 1680, "reason": "stock"},
    "print_finished": {"job": 1, "pages": 1680, "digest": ""},
    "sale_closed": {"cards": 1680, "prizes": {"line": 0, "bingo": 0}},
    "series_published": {"letter": "L", "size": 1680, "digest": ""},
}


def raw_counts(source: str) -> Iterator[str]:
    """Yield each plural text of a module that is given the very number it is chosen by."""
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        inside = list(ast.walk(function))
        plurals = [
            one
            for one in inside
            if isinstance(one, ast.Call)
            and isinstance(one.func, ast.Name)
            and one.func.id == "ngettext"
        ]
        given = {
            ast.dump(value)
            for one in inside
            if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mod)
            for part in ast.walk(one.right)
            if isinstance(part, ast.Dict)
            for value in part.values
        }
        yield from (ast.unparse(one) for one in plurals if ast.dump(one.args[2]) in given)


@pytest.mark.slow
def test_no_plural_of_python_is_given_its_number_as_it_is() -> None:
    files = [path for app in ("bingo", "halls", "draws") for path in (ROOT / app).rglob("*.py")]
    sources = {path: path.read_text(encoding="utf-8") for path in files}
    found = [
        f"{path.name}: {one}" for path, source in sources.items() for one in raw_counts(source)
    ]
    assert not found, "\n".join(found)
    assert sum("ngettext(" in source for source in sources.values()) > 10


def test_plural_that_is_given_its_number_as_it_is_is_found() -> None:
    said = "def f(n):\n    return ngettext('%(n)s card', '%(n)s cards', n) % {'n': NUMBER}\n"
    assert list(raw_counts(said.replace("NUMBER", "n")))
    assert not list(raw_counts(said.replace("NUMBER", "Whole(n)")))


@pytest.mark.parametrize(("language", "written"), WRITTEN.items())
def test_count_is_grouped_in_the_journal_in_refusals_and_in_words(
    language: str, written: str
) -> None:
    with translation.override(language):
        said = {
            kind: JOURNAL_TEXT_TELLERS[kind](data, lambda amount: f"({amount})")
            for kind, data in TOLD.items()
        }
        said["refusal"] = text.refusal(Refusal("print_too_long", limit=1680, cards=1680))
        said["words"] = cards_labels.miscounted("L-1", 1680, 3360)
        said["days"] = days(1680)
    assert {kind for kind, one in said.items() if written not in one or "1680" in one} == set()


@pytest.mark.parametrize(("language", "written"), WRITTEN.items())
def test_cards_on_sale_are_said_and_shown_in_groups(language: str, written: str) -> None:
    voice = announcements.Voice(language, "CVE")
    assert voice.whole(1680) == written


@pytest.mark.parametrize(
    ("language", "written"),
    [("pt", "20\N{NO-BREAK SPACE}%"), ("es", "20\N{NO-BREAK SPACE}%"), ("en", "20%")],
)
def test_share_has_its_space_before_its_sign_as_every_other(language: str, written: str) -> None:
    with translation.override(language):
        assert hall.percent(2000) == written


def test_count_is_a_number_still() -> None:
    with translation.override("pt"):
        assert f"{Whole(1680)}" == str(Whole(1680)) == WRITTEN["pt"]
        assert str(Whole(168)) == "168"
        assert Whole(1680) + 1 == 1681
