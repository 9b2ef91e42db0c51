"""Pages of a game with additional prizes: what may be called, by which key, and what may be checked."""

import re

import pytest

from bingo.rules import patterns
from draws.balls import draw
from draws.boards.queries import board
from halls.models import Role
from tests.support.additional_prizes import FIGURE, PLAYED, X, drawing, granted

pytestmark = pytest.mark.django_db


def calls(page: str) -> dict[str, str]:
    """What stops the draw, and by which key."""
    forms = re.findall(r'data-call="(\w+)".*?data-key="(\w)"', page, re.DOTALL)
    return dict(forms)


@pytest.mark.rule(74)
def test_caller_stops_for_each_prize_by_a_key_of_its_own() -> None:
    evening = granted(PLAYED)
    drawing(evening)
    page = evening.at("caller").get("/caller/").content.decode()
    assert calls(page) == {"line": "L", "corners": "C", "bingo": "B"}


@pytest.mark.rule(73)
def test_game_of_a_figure_is_stopped_for_its_bingo_only() -> None:
    evening = granted(PLAYED, FIGURE)
    drawing(evening, pattern=patterns.draw(X.cells))
    page = evening.at("caller").get("/caller/").content.decode()
    assert calls(page) == {"bingo": "B"}


@pytest.mark.rule(74)
def test_table_chief_checks_a_card_for_what_the_game_has() -> None:
    evening = granted(PLAYED)
    drawing(evening)
    draw.call_claim(game=evening.game, combination="corners", **evening.who(Role.CALLER))
    page = evening.at("table").get("/table/").content.decode()
    offered = re.findall(r'<option value="(\w+)"[^>]*>\s*([^<]+?)\s*</option>', page)
    assert [one for one in offered if one[0] in ("line", "corners", "bingo")] == [
        ("line", "Linha"), ("corners", "Quatro cantos"), ("bingo", "Bingo"),
    ]  # fmt: skip


@pytest.mark.rule(29)
def test_board_shows_every_prize_that_the_game_has_and_no_other() -> None:
    evening = granted(PLAYED, FIGURE)
    drawing(evening)
    shown = board(evening.hall.code)[1]["prizes"]
    assert {name for name, amount in shown.items() if amount} == {
        "line", "corners", "bingo", "jackpot",
    }  # fmt: skip
    assert shown["corners"].startswith("58,20")  # 5 % of 1 200,00, less 3 %
