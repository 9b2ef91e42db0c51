"""The values of the Catálogo de Juegos of 1979, each against its section."""

from datetime import date

import pytest

from bingo.rules.formats import NINETY, THIRTY
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks.spain_1979 import SPAIN_1979 as BOE


def test_spain_is_dated_and_spanish() -> None:
    assert (BOE.code, BOE.dated, BOE.language) == ("spain-1979", date(1979, 10, 9), "es")


@pytest.mark.rule("BOE I")
def test_spain_columns_hold_one_to_three() -> None:
    assert BOE.column_count(NINETY) == (1, 3)


@pytest.mark.rule("BOE I")
def test_spain_knows_only_the_card_of_ninety() -> None:
    assert list(BOE.column_counts) == [90]
    assert (BOE.card_rule(NINETY), BOE.series_rule(NINETY)) == ("BOE I", "own")
    for ask in (BOE.column_count, BOE.card_rule, BOE.series_rule):
        with pytest.raises(Refusal) as refused:
            ask(THIRTY)
        assert refused.value == Refusal("format_not_in_rulebook", format=30, rulebook="spain-1979")


@pytest.mark.rule("BOE II")
def test_spain_changes_balls_after_a_thousand_games() -> None:
    assert BOE.ball_set_games == 1000


def test_spain_leaves_sizes_and_shares_to_the_authorisation() -> None:
    assert dict(BOE.series_sizes) == {}
    assert (BOE.fund, BOE.shares, BOE.bingo_floor, BOE.jackpot_rate) == (None, None, 0, None)
    assert BOE.winning_card_days is None


@pytest.mark.rule("BOE IV")
def test_spain_formula_is_the_law_s() -> None:
    assert BOE.announcements.formula == (
        "Cartones vendidos ....., de la serie ..... (letra) ..... (número de identificación) "
        "del número .....al ..... y de la serie (en su caso) ..... del número ..... al ....."
    )


@pytest.mark.rule("BOE IV")
def test_spain_sale_closed_names_two_issues() -> None:
    assert BOE.second_issue
    assert BOE.announcements.sale_closed_two.format(
        total=130,
        letter="K",
        identification="0041",
        first=1600,
        last=1680,
        second_letter="K",
        second_identification="0042",
        second_first=1,
        second_last=49,
    ) == (
        "Cartones vendidos 130, de la serie K 0041 del número 1600 al 1680 "
        "y de la serie K 0042 del número 1 al 49"
    )


@pytest.mark.rule("BOE IV")
@pytest.mark.rule(15)
def test_spain_formula_of_double_cards_is_the_law_s() -> None:
    double = BOE.speeches["es"].double
    assert double.formula == (
        "Cartones dobles vendidos ....., de la serie ..... (letra) ..... "
        "(número de identificación) del número ..... al ..... y de la serie (en su caso) ..... "
        "del número ..... al ....."
    )
    assert double.sale_closed.format(
        total=9, letter="K", identification="0041", first=1, last=9
    ) == ("Cartones dobles vendidos 9, de la serie K 0041 del número 1 al 9")


@pytest.mark.rule("BOE IV")
def test_spain_asks_in_the_law_s_words() -> None:
    assert BOE.announcements.more["line"] == "¿Alguna línea más?"
    assert BOE.announcements.more["bingo"] == "¿Algún bingo más?"
