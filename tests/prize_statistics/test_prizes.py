"""The statistics of the prizes: money to the unit, alarms where they belong and only there."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from bingo.rules import patterns
from bingo.rules.prizes import Prizes
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Game
from draws.prize_statistics import queries as prize_statistics_queries
from draws.prize_statistics import winning_sales
from halls import tills
from halls.models import Hall, JournalEntry, Person, Role
from tests.support.additional_prizes import FIGURE, PLAYED, X, draw_until, drawing, granted
from tests.support.additional_prizes import end as finish_all
from tests.support.cash_step import coined, without_jackpot
from tests.support.cash_step import end as close_all
from tests.support.evening import FACE, FLOAT, Evening, browser_of, day_of
from tests.support.formats import win
from tests.support.planting_rows import plant
from tests.support.played_games import both_halves
from tests.support.prize_games import prized
from tests.support.service_commands.prizes import paid
from tests.support.till_hall import double_cards

pytestmark = pytest.mark.django_db
PATH = "/inspector/prizes/"


@pytest.fixture(autouse=True)
def own_keys(settings: LazySettings, tmp_path: Path) -> None:
    """Keep the keys of halls that close an evening here from the halls of other tests."""
    settings.KEYS_DIR = tmp_path / "keys"


def page(client: Client, **query: str) -> str:
    """Read the page."""
    answer: Any = client.get(PATH, query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def lines(client: Client, name: str, **query: str) -> list[dict[str, str]]:
    """Read one of the page's files."""
    answer: Any = client.get(f"{PATH}{name}", query)
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def over() -> Evening:
    """A hall in which a game has been played to its end by the services."""
    evening = Evening().reach("paying")
    paid(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    return evening


def two_tills() -> Evening:
    """A hall with two cashiers at their tills."""
    evening = Evening().reach("shift")
    second = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("-username")[0]
    till = evening.hall.tills.order_by("pk")[1]
    tills.open_shift(session=evening.session, till=till, float=FLOAT, by=second, at=timezone.now())
    return evening


def told(hall: Hall) -> list[prize_statistics_queries.GameMoney]:
    """Today's games."""
    today = day_of(hall)
    return prize_statistics_queries.between(hall, today, today, format=90)


@pytest.mark.rule("BOE III")
@pytest.mark.slow
def test_statistics_are_for_inspector_and_hall_manager_alone() -> None:
    evening = over()
    for role in Role:
        client = browser_of(evening.person(role))
        may = role in (Role.INSPECTOR, Role.HALL_MANAGER)
        for name in ("", "prizes.csv", "curves.csv"):
            assert client.get(f"{PATH}{name}").status_code == (200 if may else 403), (role, name)
    assert Client().get(PATH).status_code == 302


@pytest.mark.rule(7)
@pytest.mark.slow
def test_money_is_told_to_the_unit() -> None:
    evening = over()
    [one] = told(evening.hall)
    sums = prize_statistics_queries.prize_money_of([one])
    entry = JournalEntry.objects.get(kind="sale_closed").data["prizes"]
    assert (sums.gross, sums.fund, sums.due) == (entry["gross"], entry["fund"], entry["fund"])
    assert (sums.line, sums.bingo) == (entry["line"], entry["bingo"])
    assert sums.accrued == entry["jackpot"]
    assert (sums.left, sums.hits, sums.wrong) == (0, 1, [])
    done = JournalEntry.objects.get(kind="entry_completed").data["paid"]
    assert sums.returned == sum(done.values())
    assert sums.share(sums.due) == 8_000
    shown = page(evening.at("inspector"))
    assert 'id="money-right"' in shown
    assert 'id="money-wrong"' not in shown
    for step in prize_statistics_queries.STEPS:
        assert 'id="money-right"' in page(evening.at("manager"), step=step)


def cash_step() -> Evening:
    """A hall without a jackpot that pays in multiples of a coin: its next game has the rest."""
    evening = without_jackpot(7_00).reach("paying")
    close_all(evening)
    return evening


def double() -> Evening:
    """The first game of double cards, over with its prizes unpaid (R45)."""
    evening = Evening()
    double_cards(evening)
    evening.reach("paying")
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    games_services.open_second_half(session=evening.session, **evening.who(Role.TABLE_CHIEF))
    return evening


def into_the_jackpot() -> Evening:
    """The same with one."""
    evening = coined(5_00).reach("paying")
    close_all(evening)
    return evening


def corners() -> Evening:
    """A game of 75 with corners and lines of all kinds."""
    evening = granted(PLAYED)
    sold = drawing(evening)
    for combination in ("corners", "line", "bingo"):
        win(evening, combination, draw_until(evening, sold, combination))
        if combination != "bingo":
            claims_services.resume(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    finish_all(evening)
    return evening


def figure() -> Evening:
    """A game of 75 for a figure, with a bonus."""
    evening = granted(PLAYED, FIGURE)
    sold = drawing(evening, pattern=patterns.draw(X.cells))
    win(evening, "bingo", draw_until(evening, sold, "bingo"))
    finish_all(evening)
    return evening


@pytest.mark.rule(7)
@pytest.mark.parametrize("play", [cash_step, into_the_jackpot, double, corners, figure])
@pytest.mark.slow
def test_money_of_every_kind_of_game_adds_up(
    play: Callable[[], Evening], settings: LazySettings, tmp_path: Path
) -> None:
    settings.KEYS_DIR = tmp_path
    evening = play()
    today = evening.today
    format = 75 if play in (corners, figure) else 90
    found = prize_statistics_queries.between(evening.hall, today, today, format=format)
    sums = prize_statistics_queries.prize_money_of(found)
    assert sums.games == len(found) > 0
    assert (sums.wrong, sums.due) == ([], sums.fund)
    assert sums.accrued + sums.left + sums.returned - sums.jackpot == sums.fund
    if play in (cash_step, into_the_jackpot):
        assert sums.left > 0
    falls_found = [
        fall for one in found for fall in prize_statistics_queries.prize_ball_of_game(one.drawn)
    ]
    expected = {"bingo"} if play is figure else {"line", "bingo"}
    assert {fall.prize for fall in falls_found} == expected
    if format == 75:
        assert all(fall.ball for fall in falls_found)
        last = [fall.ball for fall in falls_found if fall.prize == "bingo"]
        assert last == [one.game.balls.count() for one in found]
    assert 'id="money-right"' in page(evening.at("inspector"), format=str(format))


@pytest.mark.slow
@pytest.mark.rule(7)
def test_fund_that_is_a_unit_off_is_named() -> None:
    [one] = told(over().hall)
    fixed = one.fixed
    wrong = Prizes(fixed.gross, fixed.fund - 1, fixed.line, fixed.bingo - 1, fixed.jackpot)
    sums = prize_statistics_queries.prize_money_of(
        [prize_statistics_queries.GameMoney(one.drawn, one.due, wrong, one.paid)]
    )
    assert sums.wrong == [(1, 1)]
    short = Prizes(fixed.gross, fixed.fund, fixed.line, fixed.bingo - 1, fixed.jackpot)
    assert prize_statistics_queries.prize_money_of(
        [prize_statistics_queries.GameMoney(one.drawn, one.due, short, one.paid)]
    ).wrong


@pytest.mark.slow
@pytest.mark.rule(55)
def test_void_games_are_counted_by_themselves() -> None:
    evening = Evening().reach("drawing")
    games_services.void(
        game=evening.game, cause="other", reason="Falha",
        witness=evening.person(Role.HALL_MANAGER), **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    Game.objects.update(phase="complete", ended_at=timezone.now())
    sums = prize_statistics_queries.prize_money_of(told(evening.hall))
    assert (sums.games, sums.void, sums.gross, sums.returned) == (0, 1, 0, 0)
    shown = page(evening.at("inspector"))
    assert 'id="fell-few"' in shown
    assert 'id="won-few"' in shown


@pytest.mark.slow
def test_fair_games_fall_as_by_chance_and_rigged_ones_do_not() -> None:
    evening = two_tills()
    prized(evening, 40)
    curves = prize_statistics_queries.curves([one.drawn for one in told(evening.hall)], format=90)
    assert [one.prize for one in curves] == ["line", "bingo"]
    assert not any(one.alarm for one in curves)
    shown = page(evening.at("inspector"))
    assert ('id="fell-fair"' in shown, 'id="fell-alarm"' in shown) == (True, False)
    assert shown.count("<svg") == 2
    assert 'id="won-even"' in shown


@pytest.mark.slow
def test_rigged_games_give_the_alarm() -> None:
    evening = two_tills()
    prized(evening, 40, rigged=True)
    shown = page(evening.at("inspector"))
    assert ('id="fell-fair"' in shown, 'id="fell-alarm"' in shown) == (False, True)
    curves = lines(evening.at("inspector"), "curves.csv")
    assert {line["prize"] for line in curves} == {"line", "bingo"}
    assert len(curves) == 180
    assert any(line["outside"] == "True" for line in curves)


@pytest.mark.slow
def test_too_few_games_are_not_judged() -> None:
    evening = two_tills()
    prized(evening, prize_statistics_queries.LEAST_GAMES - 1, rigged=True)
    shown = page(evening.at("inspector"))
    assert ('id="fell-few"' in shown, "<svg" in shown) == (True, False)
    assert ('id="won-few"' in shown, 'id="won-even"' in shown) == (True, False)
    assert lines(evening.at("inspector"), "curves.csv") == []


def test_ball_of_each_game_is_the_one_that_completed_a_card() -> None:
    evening = two_tills()
    made = prized(evening, 5)
    told_lines = lines(evening.at("inspector"), "prizes.csv")
    assert [int(line["bingo_ball"]) for line in told_lines] == [one.balls.count() for one in made]
    assert all(int(line["line_ball"]) <= int(line["bingo_ball"]) for line in told_lines)


@pytest.mark.slow
def test_cashier_who_sells_every_winner_is_a_hint() -> None:
    evening = two_tills()
    prized(evening, 40, seller="second")
    rows = winning_sales.rows(told(evening.hall), evening.hall)
    odd = [(one.kind, one.name) for one in rows if one.outside]
    second = Person.objects.filter(roles__contains=[Role.CASHIER]).order_by("-username")[0]
    assert (winning_sales.PERSON, second.name) in odd
    assert all(kind != winning_sales.HOUR for kind, _name in odd)
    for prize in winning_sales.PRIZES:
        for kind in (winning_sales.TILL, winning_sales.PERSON):
            of_kind = [one.won[prize] for one in rows if one.kind == kind]
            assert sum(one.came for one in of_kind) == pytest.approx(
                sum(one.expected for one in of_kind)
            )
    shown = page(evening.at("inspector"))
    assert ('id="won-odd"' in shown, 'id="won-even"' in shown) == (True, False)


def test_two_cashiers_of_one_name_are_two_sellers() -> None:
    evening = two_tills()
    cashiers = evening.hall.people.filter(roles__contains=[Role.CASHIER])
    plant(cashiers, name="Ana Lima")
    prized(evening, 4)
    rows = winning_sales.rows(told(evening.hall), evening.hall)
    assert [one.name for one in rows if one.kind == winning_sales.PERSON] == sorted(
        f"Ana Lima ({cashier.username})" for cashier in cashiers
    )


@pytest.mark.slow
def test_hall_sees_its_own_games_alone() -> None:
    over()
    other = Evening("vizinha").at("inspector")
    assert "<table" not in page(other)
    assert lines(other, "prizes.csv") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        {"from": "x", "to": "2026-99-99", "format": "91", "step": "year"},
        {"from": "0001-01-01", "to": "9999-12-31"},
        {"from": "9999-12-31", "to": "0001-01-01"},
        {"to": "0001-01-01"},
        {"from": "2026-11-30", "to": "2026-11-01", "format": "\x00"},
        {"format": "75", "step": "month"},
    ],
    ids=str,
)
def test_strange_questions_have_an_answer(query: dict[str, str]) -> None:
    inspector = over().at("inspector")
    page(inspector, **query)
    lines(inspector, "prizes.csv", **query)


@pytest.mark.django_db
def test_today_is_the_halls_own_day(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening()
    late = datetime.combine(timezone.now().date(), time(23, 30), tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: late)
    inspector = evening.at("inspector")
    for zone, days in (("Europe/Madrid", 1), ("Atlantic/Cape_Verde", 0)):
        plant(Hall.objects.all(), time_zone=zone)
        today = late.date() + timedelta(days=days)
        for path in (PATH, "/inspector/exports/"):
            assert f'value="{today}"' in inspector.get(path).content.decode(), (zone, path)


@pytest.mark.slow
def test_more_than_a_year_is_cut_and_said_to_be() -> None:
    inspector = over().at("inspector")
    assert 'id="cut"' in page(inspector, **{"from": "2020-01-01"})
    assert 'id="cut"' not in page(inspector)


def test_hall_without_a_jackpot_has_given_none_away() -> None:
    evening = without_jackpot(7_00).reach("paying")
    close_all(evening)
    today = day_of(evening.hall)
    games = prize_statistics_queries.between(evening.hall, today, today, format=90)
    assert prize_statistics_queries.prize_money_of(games).hits == 0


@pytest.mark.rule(61)
@pytest.mark.slow
def test_double_cards_are_counted_once_as_sold() -> None:
    evening = both_halves()
    money = prize_statistics_queries.prize_money_of(told(evening.hall))
    assert (money.games, money.cards, money.gross) == (2, 6, 2 * 6 * FACE)
    written = lines(evening.at("inspector"), "prizes.csv")
    assert [(one["game"], one["cards"], one["sold_in_game"]) for one in written] == [
        ("1", "6", "1"),
        ("2", "6", "1"),
    ]
