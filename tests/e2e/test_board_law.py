"""What the law wants players to see on the wall, seen on the page that hangs there (R13, R28)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from draws.balls import draw
from draws.games import services as games_services
from halls.models import Role
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening, authorise
from tests.support.people import board
from tests.support.pictures import sure

pytestmark = pytest.mark.browser

BALLS = (90, 7, 41)


def lit(page: Page) -> set[int]:
    """Return the numbers that stand lit on the wall."""
    cells = page.locator("#numbers li")
    assert cells.count() == 90
    names = cells.evaluate_all("cells => cells.map(cell => cell.className)")
    return {number for number, name in enumerate(names, start=1) if "is-called" in name.split()}


@pytest.fixture
def drawing(running_hall: RunningHall) -> Evening:
    """A game whose draw has been announced, no ball out."""
    evening = Evening(hall=running_hall.hall).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return evening


@pytest.mark.slow
@pytest.mark.rule(28)
def test_each_number_is_posted_as_it_is_announced_and_taken_down_as_it_is_recalled(
    browser: Browser, running_hall: RunningHall, drawing: Evening
) -> None:
    wall = board(browser, running_hall).page
    walls = (wall, board(browser, running_hall).page)
    assert all(lit(sure(one)) == set() for one in walls)
    for place, number in enumerate(BALLS, start=1):
        draw.announce_ball(game=drawing.game, number=number, **drawing.who(Role.CALLER))
        for one in walls:
            expect(one.locator("#last-ball")).to_have_text(str(number))
            assert lit(one) == set(BALLS[:place])
            expect(one.locator("#numbers li.is-last")).to_have_text(str(number))
    draw.recall_ball(game=drawing.game, number=BALLS[-1], **drawing.who(Role.CALLER))
    expect(wall.locator("#last-ball")).to_have_text(str(BALLS[-2]))
    assert lit(wall) == set(BALLS[:-1])


@pytest.mark.slow
@pytest.mark.rule(13)
@pytest.mark.rule(29)
def test_players_see_how_many_balls_are_out_of_those_for_the_jackpot(
    browser: Browser, running_hall: RunningHall, drawing: Evening
) -> None:
    wall = sure(board(browser, running_hall).page)
    count, limit = wall.locator("[data-put=count]"), wall.locator("[data-put=jackpot_limit]")
    expect(count).to_have_text("0")
    for place, number in enumerate(BALLS, start=1):
        draw.announce_ball(game=drawing.game, number=number, **drawing.who(Role.CALLER))
        expect(count).to_have_text(str(place))
    for shown in (count, limit, wall.locator("[data-put='prizes.jackpot']")):
        expect(shown).to_be_visible()
    expect(limit).to_have_text("40")


@pytest.mark.slow
@pytest.mark.rule(7)
@pytest.mark.rule(29)
def test_players_see_within_how_many_balls_the_bonus_is_won_until_the_bingo_has_it(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall)
    own = Distribution(90, Shares(1500, 6000, (Extra("prima", 500, limit=15),)))
    authorise(evening.hall, reference="2/2026", valid_from=evening.today, distributions=[own])
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    wall = sure(board(browser, running_hall).page)
    bonus = wall.locator("[data-show='prizes.prima']")
    expect(bonus.locator("dt")).to_have_text(re.compile(r"Prémio suplementar\s+até 15 bolas"))
    evening.announce_balls(*range(1, 17))
    expect(bonus).to_be_hidden()
