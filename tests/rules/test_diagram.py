"""The diagram in docs/game.md: made from the table, so that it cannot lag behind it."""

import runpy
from pathlib import Path

import pytest

from bingo.rules import game_flow
from bingo.rules.game_flow import FOLLOWS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "game.md"


def test_diagram_has_an_arrow_for_every_entry_of_the_table() -> None:
    drawn = set()
    for line in game_flow.mermaid().splitlines()[2:]:
        arrow, _, kinds = line.strip().partition(": ")
        phase, _, target = arrow.partition(" --> ")
        drawn |= {(phase, kind, target) for kind in kinds.split(", ") if kind}

    assert drawn == {
        (str(phase), kind, str(target))
        for phase, facts in FOLLOWS.items()
        for kind, target in facts.items()
    }


def test_diagram_begins_and_ends() -> None:
    lines = game_flow.mermaid().splitlines()

    assert lines[:2] == ["stateDiagram-v2", "    [*] --> prepared"]
    assert lines[-1] == "    complete --> [*]"


def test_document_shows_the_diagram_of_the_table_as_it_is() -> None:
    assert f"```mermaid\n{game_flow.mermaid()}```\n" in DOCUMENT.read_text()


@pytest.mark.filterwarnings("ignore:.*found in sys.modules.*:RuntimeWarning")
def test_diagram_is_printed_by_its_module(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_module("bingo.rules.game_flow", run_name="__main__")

    assert capsys.readouterr().out == game_flow.mermaid()
