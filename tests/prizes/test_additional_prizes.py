"""Pages of a game with additional prizes: what may be called, by which key, and what may be checked."""

import re

import pytest

from bingo.rules import patterns
from bingo.rules.patterns import LINES
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from draws.balls import draw
from draws.boards.queries import board
from halls.models import Role
from tests.support.additional_prizes import FIGURE, PLAYED, X, drawing, granted
from tests.support.evening import Evening
from tests.support.formats import win

pytestmark = pytest.mark.django_db


BONUS = Distribution(75, Shares(1500, 6000, (Extra("prima", 500, limit=20),)), LINES)
PAGES = {"caller": "/caller/", "table": "/table/", "inspector": "/watch/"}


def prizes(page: str) -> dict[str, str]:
    """What a page says that the bonus and the bingo are worth."""
    told = re.sub(r"<[^>]+>|[\s\xa0\u202f]+", " ", page)
    found = re.findall(r"(Bingo|Prémio suplementar) +(\d[\d ]*,\d\d)", told)
    return {name: amount.replace(" ", "") for name, amount in found}


def called(evening: Evening, balls: int) -> None:
    """Call the balls of card 1 last, as many as that in all."""
    mine = evening.numbers()
    others = [number for number in range(1, 76) if number not in mine]
    evening.announce_balls(*others[: balls - len(mine)], *mine)


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


@pytest.mark.rule(7)
@pytest.mark.rule(29)
def test_bonus_that_came_too_late_is_shown_as_the_bingos_wherever_prizes_stand() -> None:
    evening = granted(BONUS)
    drawing(evening)
    before = board(evening.hall.code)[1]
    assert (before["bonus_limit"], before["prizes"]["prima"][:5]) == (20, "58,20")
    called(evening, 25)
    told = board(evening.hall.code)[1]
    assert (told["bonus_limit"], told["prizes"]["prima"]) == (None, None)
    worth = told["prizes"]["bingo"]
    for desk, address in PAGES.items():
        page = evening.at(desk).get(address).content.decode()
        assert prizes(page) == {"Bingo": re.sub(r"[\s\xa0\u202f]|CVE", "", worth)}, desk
    win(evening, "bingo", [1])
    won = {one["label"]: one["amount"] for one in board(evening.hall.code)[1]["winners"]}
    assert won["Bingo"] == worth


@pytest.mark.rule(7)
def test_bonus_that_a_bingo_wins_in_time_stays_beside_it() -> None:
    evening = granted(Distribution(75, Shares(1500, 6000, (Extra("prima", 500, limit=25),)), LINES))
    drawing(evening)
    called(evening, 25)
    told = board(evening.hall.code)[1]
    assert told["bonus_limit"] == 25
    win(evening, "bingo", [1])
    after = board(evening.hall.code)[1]
    won = {one["label"]: one["amount"] for one in after["winners"]}
    shown = (told["prizes"]["bingo"], told["prizes"]["prima"])
    assert (after["prizes"]["bingo"], after["prizes"]["prima"]) == shown
    assert (won["Bingo"], won["Prémio suplementar"]) == shown
