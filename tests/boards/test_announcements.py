"""What the caller reads aloud, word for word (R33, R40, R46; BOE IV)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bingo.rules.session_state import Claim
from draws.boards import announcements
from draws.boards.announcements import Voice, voices
from tests.support.announcements import (
    LINE_TOLD,
    SPANISH,
    after,
    an_issue,
    announced_texts,
    beside,
    opened,
    prepared,
    sold,
    two_issues,
    two_prices,
    written_off,
)

# With a session's first sale (R9).
JACKPOT_TOLD = "Prémio acumulado, com 40 bolas no máximo: 50 000,00 CVE."


@pytest.mark.rule(9)
def test_balls_of_the_jackpot_are_announced_with_the_first_sale_of_a_session() -> None:
    every = announced_texts(announcements.sale_opening, opened())
    assert JACKPOT_TOLD not in every
    first = announced_texts(announcements.first_sale_opening, opened())
    assert first == [*every, JACKPOT_TOLD]
    none = announced_texts(announcements.first_sale_opening, opened(jackpot=False))
    assert none == every


@pytest.mark.rule(9)
def test_balls_of_other_kinds_of_bingo_are_announced_where_they_differ() -> None:
    cross = ("..X..", "..X..", "XXXXX", "..X..", "..X..")
    limits = [
        {"format": 80, "balls": 40},
        {"format": 75, "balls": 50},
        {"format": 75, "balls": 30, "figure": cross},
    ]
    game = opened(limits=limits)
    assert announced_texts(announcements.first_sale_opening, game)[-3:] == [
        "Prémio acumulado, em Bingo 80, com 40 bolas no máximo.",
        "Prémio acumulado, em Bingo 75, com 50 bolas no máximo.",
        "Prémio acumulado, em Bingo 75, Cruz, com 30 bolas no máximo.",
    ]
    limits.append({"format": 90, "balls": 40})
    game = opened(limits=limits)
    assert announced_texts(announcements.first_sale_opening, game, SPANISH)[-3:] == [
        "Acumulado, con 40 bolas como máximo: 50.000,00 €.",
        "Acumulado, en Bingo 75, con 50 bolas como máximo.",
        "Acumulado, en Bingo 75, Cruz, con 30 bolas como máximo.",
    ]


@pytest.mark.rule(33)
def test_sale_of_one_issue_is_opened_word_for_word() -> None:
    assert announced_texts(announcements.first_sale_opening, opened()) == [
        (
            "Vai iniciar-se a venda de cartões da série H, do n.º 2001: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        ),
        LINE_TOLD["pt"],
        JACKPOT_TOLD,
    ]


@pytest.mark.rule(33)
@pytest.mark.rule(38)
def test_sale_of_two_issues_is_opened_word_for_word() -> None:
    assert announced_texts(announcements.first_sale_opening, two_issues()) == [
        (
            "Vai iniciar-se a venda de cartões da série H, do n.º 2001: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        ),
        (
            "Prossegue a venda com cartões da série H, do n.º 2002: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        ),
        LINE_TOLD["pt"],
        JACKPOT_TOLD,
    ]


@pytest.mark.rule(40)
@pytest.mark.rule(31)
def test_sale_of_one_issue_is_closed_word_for_word() -> None:
    game = after(sold(opened(jackpot=False), 99), "sale_closed")
    assert announced_texts(announcements.sale_closing, game) == [
        "Venderam-se 99 cartões da série H, do n.º 2001, do n.º 1 ao n.º 99",
        "Prémio de linha: 3 960,00 CVE. Prémio de bingo: 11 880,00 CVE.",
        "Inicia-se a extracção das bolas.",
    ]


@pytest.mark.rule(40)
@pytest.mark.parametrize(
    ("language", "closed"),
    [
        ("pt", "Vendeu-se 1 cartão da série H, do n.º 2001: o n.º 1"),
        ("es", "Se ha vendido 1 cartón de la serie H, n.º 2001: el n.º 1"),
        ("gl", "Vendeuse 1 cartón da serie H, n.º 2001: o n.º 1"),
        ("ca", "S’ha venut 1 cartró de la sèrie H, núm. 2001: el núm. 1"),
        ("en", "Cards sold: 1, of series H, number 2001, from number 1 to number 1"),
    ],
)
def test_sale_of_one_card_is_closed_in_the_singular(language: str, closed: str) -> None:
    game = after(sold(opened(jackpot=False), 1), "sale_closed")
    assert announced_texts(announcements.sale_closing, game, Voice(language, "CVE"))[0] == closed


@pytest.mark.rule(40)
@pytest.mark.rule(10)
def test_sale_with_a_jackpot_is_closed_word_for_word() -> None:
    game = after(sold(opened(), 99), "sale_closed")
    assert announced_texts(announcements.sale_closing, game)[1] == (
        "Prémio de linha: 3 841,20 CVE. Prémio de bingo: 11 523,60 CVE. "
        "Prémio acumulado, com 40 bolas no máximo: 50 475,20 CVE."
    )


@pytest.mark.rule(40)
@pytest.mark.rule(38)
def test_sale_of_two_issues_is_closed_word_for_word() -> None:
    game = after(two_issues(jackpot=False), "sale_closed")
    assert announced_texts(announcements.sale_closing, game)[0] == (
        "Venderam-se 150 cartões da série H, do n.º 2001, do n.º 301 ao n.º 420, "
        "e da série H, do n.º 2002, do n.º 1 ao n.º 30"
    )


@pytest.mark.rule(38)
def test_second_issue_that_sold_nothing_is_not_announced_as_sold() -> None:
    game = sold(opened(last_sold=300), 120)
    game = after(game, "second_issue_opened", issue=an_issue(2, "2002"), face=200_00)
    game = after(game, "sale_closed")
    assert announced_texts(announcements.sale_closing, game)[0] == (
        "Venderam-se 120 cartões da série H, do n.º 2001, do n.º 301 ao n.º 420"
    )


@pytest.mark.rule("BOE IV")
def test_spanish_sale_is_announced_word_for_word() -> None:
    game = opened(rulebook="spain-1979", jackpot=False)
    assert announced_texts(announcements.sale_opening, game, SPANISH) == [
        (
            "Va a iniciarse la venta de cartones de la serie H 2001: 420 cartones, "
            "al precio de 200,00 € cada uno."
        ),
        LINE_TOLD["es"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert announced_texts(announcements.sale_closing, closed, SPANISH) == [
        "Cartones vendidos 99, de la serie H 2001 del número 1 al 99",
        "Premio de línea: 3.960,00 €. Premio de bingo: 11.880,00 €.",
        "Comienza la partida.",
    ]


@pytest.mark.rule("BOE IV")
def test_spanish_sale_of_two_issues_is_closed_word_for_word() -> None:
    game = after(two_issues(rulebook="spain-1979"), "sale_closed")
    assert announced_texts(announcements.sale_closing, game, SPANISH)[:2] == [
        (
            "Cartones vendidos 150, de la serie H 2001 del número 301 al 420 "
            "y de la serie H 2002 del número 1 al 30"
        ),
        (
            "Premio de línea: 5.820,00 €. Premio de bingo: 17.460,00 €. "
            "Acumulado, con 40 bolas como máximo: 50.720,00 €."
        ),
    ]


def test_nothing_is_announced_as_sold_before_anything_is() -> None:
    assert announced_texts(announcements.sale_closing, opened()) == [
        "Inicia-se a extracção das bolas."
    ]


@pytest.mark.rule(33)
def test_several_prices_are_opened_each_issue_with_its_price() -> None:
    assert announced_texts(announcements.first_sale_opening, two_prices()) == [
        (
            "Vai iniciar-se a venda de cartões da série H, do n.º 2001: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        ),
        (
            "Vendem-se também cartões da série K, do n.º 3001: 420 cartões, "
            "ao preço de 500,00 CVE cada cartão."
        ),
        LINE_TOLD["pt"],
        JACKPOT_TOLD,
    ]


@pytest.mark.rule(40)
def test_several_prices_are_closed_each_with_its_range_and_all_together() -> None:
    game = after(two_prices(jackpot=False), "sale_closed")
    assert announced_texts(announcements.sale_closing, game) == [
        "Venderam-se 99 cartões da série H, do n.º 2001, do n.º 1 ao n.º 99",
        "Venderam-se 40 cartões da série K, do n.º 3001, do n.º 1 ao n.º 40",
        "Ao todo, venderam-se 139 cartões.",
        "Prémio de linha: 7 960,00 CVE. Prémio de bingo: 23 880,00 CVE.",
        "Inicia-se a extracção das bolas.",
    ]


@pytest.mark.rule(40)
def test_price_of_which_nothing_was_sold_is_not_announced_as_sold() -> None:
    game = beside(prepared())
    game = after(sold(after(game, "sale_announced"), 9, face=200_00), "sale_closed")
    assert announced_texts(announcements.sale_closing, game)[:2] == [
        "Venderam-se 9 cartões da série H, do n.º 2001, do n.º 1 ao n.º 9",
        (
            "Prémio de linha: 349,20 CVE. Prémio de bingo: 1 047,60 CVE. "
            "Prémio acumulado, com 40 bolas no máximo: 50 043,20 CVE."
        ),
    ]


@pytest.mark.rule(33)
@pytest.mark.rule(38)
def test_second_issue_of_one_of_two_prices_is_named_beside_its_first() -> None:
    game = beside(prepared(last_sold=300))
    game = sold(after(game, "sale_announced"), 120, face=200_00)
    game = after(game, "second_issue_opened", issue=an_issue(2, "2002"), face=200_00)
    game = sold(sold(game, 30, face=200_00), 7, face=500_00)
    told = announced_texts(announcements.first_sale_opening, game)
    begun = [sentence.split(":")[0] for sentence in told]
    assert begun == [
        "Vai iniciar-se a venda de cartões da série H, do n.º 2001",
        "Prossegue a venda com cartões da série H, do n.º 2002",
        "Vendem-se também cartões da série K, do n.º 3001",
        LINE_TOLD["pt"],
        JACKPOT_TOLD.split(": ", maxsplit=1)[0],
    ]
    assert announced_texts(announcements.sale_closing, after(game, "sale_closed"))[:3] == [
        (
            "Venderam-se 150 cartões da série H, do n.º 2001, do n.º 301 ao n.º 420, "
            "e da série H, do n.º 2002, do n.º 1 ao n.º 30"
        ),
        "Venderam-se 7 cartões da série K, do n.º 3001, do n.º 1 ao n.º 7",
        "Ao todo, venderam-se 157 cartões.",
    ]


@pytest.mark.rule(40)
def test_cards_written_off_between_sold_ones_are_named() -> None:
    game = written_off(sold(opened(jackpot=False), 11), 12, 14)
    game = written_off(sold(game, 1), 16, 16)
    assert announced_texts(announcements.sale_closing, after(sold(game, 83), "sale_closed"))[
        :2
    ] == [
        "Venderam-se 95 cartões da série H, do n.º 2001, do n.º 1 ao n.º 99",
        "Não estão em jogo, da série H, do n.º 2001: do n.º 12 ao n.º 14 e o n.º 16.",
    ]


@pytest.mark.rule("BOE IV")
def test_cards_written_off_between_sold_ones_are_named_in_spain() -> None:
    game = written_off(sold(opened(rulebook="spain-1979"), 11), 12, 12)
    assert announced_texts(
        announcements.sale_closing, after(sold(game, 5), "sale_closed"), SPANISH
    )[1] == ("No están en juego, de la serie H 2001: el número 12.")


@pytest.mark.rule(40)
def test_cards_written_off_before_or_after_the_sold_ones_are_not_named() -> None:
    game = written_off(written_off(prepared(), 1, 3), 20, 22)
    game = after(sold(after(game, "sale_announced"), 16), "sale_closed")
    told = announced_texts(announcements.sale_closing, game)
    assert told[0] == "Venderam-se 16 cartões da série H, do n.º 2001, do n.º 4 ao n.º 19"
    assert not any("Não estão" in sentence for sentence in told)


@pytest.mark.rule(46)
@pytest.mark.parametrize(
    ("rulebook", "claimed", "asked"),
    [
        ("cape-verde-2017", ["line"], "Mais alguma linha?"),
        ("cape-verde-2017", ["bingo"], "Mais algum bingo?"),
        ("cape-verde-2017", ["line", "bingo"], "Mais alguma linha? Mais algum bingo?"),
        ("cape-verde-2017", [], ""),
        ("spain-1979", ["line"], "¿Alguna línea más?"),
        ("spain-1979", ["bingo"], "¿Algún bingo más?"),
        ("spain-1979", ["line", "bingo"], "¿Alguna línea más? ¿Algún bingo más?"),
    ],
)
def test_hall_is_asked_for_more_word_for_word(
    rulebook: str, claimed: list[str], asked: str
) -> None:
    claims = tuple(Claim(name, 1, 7) for name in claimed)
    game = replace(opened(rulebook=rulebook), claims=claims)
    assert announcements.any_more(game) == asked
    voice = voices(rulebook, currency="CVE")[0]
    assert announcements.more_asked(game, voice) == ((asked,) if asked else ())


@pytest.mark.rule(47)
def test_prize_already_closed_is_not_asked_for_again() -> None:
    claims = (Claim("line", 1, 7), Claim("bingo", 1, 7))
    game = replace(opened(), claims=claims, closed=("line",))
    assert announcements.any_more(game) == "Mais algum bingo?"
