"""The map of rooms in docs/architecture.md is the tree, and the files it names are there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
APPS = ("bingo", "halls", "draws")
NO_ROOMS = {"__init__", "__pycache__", "apps", "migrations"}
LONGEST = 600  # lines of a file that one can still take in


def rooms() -> set[str]:
    """Every folder and file of an app, as the map writes them."""
    return {
        f"{app}/{path.name}"
        for app in APPS
        for path in (ROOT / app).iterdir()
        if path.stem not in NO_ROOMS and (path.suffix == ".py" or (path / "__init__.py").is_file())
    }


def mapped() -> set[str]:
    """The first column of the tables of rooms."""
    return set(
        re.findall(r"^\| `((?:halls|draws|bingo(?!/rules/steps/))/[\w/.]+)` \|", TEXT, re.MULTILINE)
    )


def test_every_fact_of_a_game_is_beside_the_file_of_its_step() -> None:
    steps = re.findall(r"^\| `bingo/rules/steps/(\w+)\.py` \|.*\| (.+) \|$", TEXT, re.MULTILINE)
    told = {name: re.findall(r"`(\w+)`", facts) for name, facts in steps}
    modules = sorted(path.stem for path in (ROOT / "bingo/rules/steps").glob("[a-z]*.py"))
    assert sorted(told) == modules
    for name in modules:
        assert told[name] == list(import_module(f"bingo.rules.steps.{name}").STEPS), name


def test_every_room_is_on_the_map_and_the_map_names_no_other() -> None:
    assert mapped() == rooms()


@pytest.mark.parametrize(
    ("page", "least"), [("docs/architecture.md", 60), ("docs/ways.md", 30), ("CONTRIBUTING.md", 30)]
)
def test_every_file_and_folder_that_a_page_names_is_there(page: str, least: int) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:bingo|halls|draws|templates|tests|docs|\.ci)/[\w/.-]+)`", text))
    assert {name for name in named if not (ROOT / name).exists()} == set()
    assert len(named) >= least, "the pattern finds next to none"


def test_no_module_is_longer_than_one_can_take_in() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if "migrations" not in path.parts
        and (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert long == {}


def test_no_test_imports_another() -> None:
    importing = re.compile(
        r"^from tests[\w.]*\.test_|^from tests[\w.]* import .*\btest_", re.MULTILINE
    )
    found = [
        path.name for path in (ROOT / "tests").rglob("*.py") if importing.search(path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/ways.md", "CONTRIBUTING.md"])
def test_every_function_that_a_page_names_is_in_its_file(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.py)` `(\w+)`", text)
    missing = [
        (file, name)
        for file, name in named
        if not re.search(
            rf"^ *(def|class) {name}\b|^{name}\b.*=", (ROOT / file).read_text(), re.MULTILINE
        )
    ]
    assert missing == []
    assert named
