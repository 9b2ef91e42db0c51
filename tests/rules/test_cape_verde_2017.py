"""The values of Portaria n.º 1/2017, each against its rule."""

from datetime import date

import pytest

from bingo.rules.formats import EIGHTY, FORMATS, NINETY, SEVENTY_FIVE, THIRTY
from bingo.rules.prize_shares import Shares
from bingo.rules.prizes import check
from bingo.rules.rulebooks.cape_verde_2017 import CAPE_VERDE_2017 as CV


def test_cape_verde_is_dated_and_portuguese() -> None:
    assert (CV.code, CV.dated, CV.language) == ("cape-verde-2017", date(2017, 1, 9), "pt")


@pytest.mark.rule(14)
def test_cape_verde_columns_hold_one_or_two() -> None:
    assert CV.column_count(NINETY) == (1, 2)


@pytest.mark.rule(65)
@pytest.mark.rule(71)
@pytest.mark.rule(82)
def test_cape_verde_variants_fill_their_columns() -> None:
    assert CV.column_count(EIGHTY) == (4, 4)
    assert CV.column_count(SEVENTY_FIVE) == (5, 5)
    assert CV.column_count(THIRTY) == (3, 3)


@pytest.mark.rule(62)
@pytest.mark.rule(68)
@pytest.mark.rule(78)
def test_cape_verde_names_the_rule_of_each_format() -> None:
    told = [(CV.card_rule(format), CV.series_rule(format)) for format in FORMATS.values()]

    assert told == [
        ("R14", "R14"),
        ("R64-R65", "R14, R62"),
        ("R70-R71", "R14, R68"),
        ("R81-R82", "R14, R78"),
    ]
    assert CV.size_rule == "R16"


@pytest.mark.rule(16)
def test_cape_verde_series_are_the_eleven_of_the_table_in_whole_strips() -> None:
    assert "".join(CV.series_sizes) == "ABCDEFGHIJK"
    assert list(CV.series_sizes.values()) == [
        90, 120, 150, 180, 240, 300, 360, 420, 660, 840, 1680
    ]  # fmt: skip
    assert {size % NINETY.strip for size in CV.series_sizes.values()} == {0}


@pytest.mark.rule(7)
@pytest.mark.rule(10)
def test_cape_verde_shares_are_lawful_by_its_own_floor() -> None:
    assert CV.shares == Shares(line=2000, bingo=6000)
    assert CV.fund == CV.shares.fund == 8000
    assert (CV.bingo_floor, CV.jackpot_rate) == (5500, 300)
    check(CV.shares, jackpot_rate=0, rulebook=CV)
    check(CV.shares, jackpot_rate=300, rulebook=CV)


@pytest.mark.rule(25)
@pytest.mark.rule(38)
@pytest.mark.rule(52)
def test_cape_verde_limits() -> None:
    assert CV.ball_set_games == 2000
    assert CV.second_issue
    assert CV.winning_card_days == 8


@pytest.mark.rule(40)
def test_cape_verde_formula_is_the_law_s() -> None:
    assert CV.announcements.formula == (
        "Venderam-se... (indicar o número) cartões da série... (letra), do n.º... "
        "(número de identificação), e da série (se for o caso)..., do n.º... ao n.º..."
    )


@pytest.mark.rule(40)
def test_cape_verde_sale_closed_gives_each_issue_its_range() -> None:
    issue = {"total": 130, "letter": "K", "identification": "0041", "first": 1600, "last": 1680}
    second = {"second_identification": "0042", "second_first": 1, "second_last": 49}

    assert CV.announcements.sale_closed.format(**issue) == (
        "Venderam-se 130 cartões da série K, do n.º 0041, do n.º 1600 ao n.º 1680"
    )
    assert CV.announcements.sale_closed_two.format(**issue, **second, second_letter="K") == (
        "Venderam-se 130 cartões da série K, do n.º 0041, do n.º 1600 ao n.º 1680, "
        "e da série K, do n.º 0042, do n.º 1 ao n.º 49"
    )


@pytest.mark.rule(33)
def test_cape_verde_sale_opening_tells_series_cards_and_price() -> None:
    said = CV.announcements.sale_opening.format(
        letter="K", identification="0041", size=1680, price="2,00"
    )

    assert said == (
        "Vai iniciar-se a venda de cartões da série K, do n.º 0041: "
        "1680 cartões, ao preço de 2,00 cada cartão."
    )


@pytest.mark.rule(46)
def test_cape_verde_asks_in_the_law_s_words() -> None:
    assert CV.announcements.more["line"] == "Mais alguma linha?"
    assert CV.announcements.more["bingo"] == "Mais algum bingo?"
