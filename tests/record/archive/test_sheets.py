"""The tables of an archive, as a spreadsheet program reads them."""

from __future__ import annotations

import csv
import io

import pytest

from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from draws.record.archive.sheets import SHEETS, lines, safe
from halls.models import Hall, JournalEntry, Role, Session
from tests.support.departing_players import complete, not_fetched, pay, quiet, refunds_aside, voided
from tests.support.evening import FACE, Evening, authorise
from tests.support.played_games import both_halves, left_in_the_first
from tests.support.service_commands.games import double_cards, void
from tests.support.session_ends import ended

pytestmark = pytest.mark.django_db


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table, column by column."""
    sheet = next(one for one in SHEETS if one.name == name)
    told = lines(sheet, list(Session.objects.order_by("number")), Hall.objects.get())
    return list(csv.DictReader(io.StringIO("".join(told))))


@pytest.mark.rule(44)
def test_shift_that_paid_unclaimed_money_adds_up() -> None:
    evening = quiet()
    paid = pay(evening, not_fetched(evening))
    ended(evening)
    (row,) = table("tills")
    told = {name: int(value) for name, value in row.items() if name.endswith("_minor")}
    assert told["paid_later_minor"] == paid.amount > 0
    came = told["float_minor"] + told["sales_minor"] + told["moved_minor"]
    went = told["prizes_minor"] + told["refunds_minor"] + told["paid_later_minor"]
    assert came - went == told["expected_minor"]


@pytest.mark.rule(57)
def test_session_tells_what_of_its_refunds_nobody_fetched() -> None:
    evening = voided(quiet())
    refunds_aside(evening)
    complete(evening)
    ended(evening)
    (row,) = table("sessions")
    assert int(row["refunded_minor"]) == int(row["set_aside_minor"]) > 0
    assert row["paid_later_minor"] == "0"


@pytest.mark.rule(15)
@pytest.mark.slow
def test_void_first_game_of_double_cards_has_all_that_was_collected() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("sold")
    void(evening, evening.who(Role.TABLE_CHIEF))
    [game], [session] = table("games"), table("sessions")
    assert game["gross_minor"] == session["collected_minor"] == str(2 * 6 * FACE)


@pytest.mark.rule(45)
@pytest.mark.slow
def test_prizes_of_the_first_game_of_double_cards_have_the_payment_that_paid_them() -> None:
    both_halves()
    first, second = ({row["paid_at"] for row in table("prizes") if row["game"] == n} for n in "12")
    assert first == second != {""}


@pytest.mark.rule(45)
@pytest.mark.slow
def test_prizes_set_aside_in_the_first_game_of_double_cards_have_no_payment() -> None:
    left_in_the_first()
    first, second = ({row["till"] for row in table("prizes") if row["game"] == n} for n in "12")
    assert (first, second) == ({""}, {"Caixa 1"})


@pytest.mark.rule(7)
def test_games_tell_what_their_additional_prizes_were_fixed_at() -> None:
    evening = Evening()
    prima = Distribution(90, Shares(1500, 6000, (Extra("prima", 500, limit=20),)))
    authorise(evening.hall, reference="2/2026", formats=[90], distributions=[prima])
    evening.reach("closed")
    fixed = JournalEntry.objects.get(kind="sale_closed").data["prizes"]
    [game] = table("games")
    assert [["prima", int(game["prima_minor"])]] == fixed["extras"]
    assert int(game["prima_minor"]) > 0 == int(game["column_minor"]) == int(game["corners_minor"])


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx", "\rx", "\nx"])
def test_text_that_a_spreadsheet_would_run_is_marked(text: str) -> None:
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("certo;=1", "certo;'=1"), ("certo;;@x", "certo;;'@x"), ("a\n=1\r\n+1", "a\n'=1\r\n'+1"),
        ("a\t-1", "a\t'-1"), ("a; b, 1-2", "a; b, 1-2"),
    ],
)  # fmt: skip
def test_text_that_a_spreadsheet_parts_at_semicolons_has_no_formula_in_it(
    text: str, marked: str
) -> None:
    """As one does that writes decimals with a comma."""
    assert safe(text) == marked
