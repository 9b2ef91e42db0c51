"""What the caller reads aloud, word for word (R33, R40, R46; BOE IV)."""

from dataclasses import replace
from typing import Any

import pytest

from bingo.rules import game as rules
from bingo.rules.state import Claim, GameState
from draws.documents import announcements

JACKPOT = {"rate": 300, "limit": 40, "base": 50_000_00, "balance": 50_000_00}


def an_issue(issue: int, identification: str, *, last_sold: int = 0) -> dict[str, Any]:
    """An issue of series H, 420 cards."""
    return {
        "issue": issue,
        "letter": "H",
        "identification": identification,
        "size": 420,
        "last_sold": last_sold,
    }


def opened(
    *, last_sold: int = 0, jackpot: bool = True, rulebook: str = "cape-verde-2017"
) -> GameState:
    """A game on sale at 200.00 a card."""
    game = rules.open_game(
        number=1, format=90, rulebook=rulebook, face=200_00, shares={"line": 2000, "bingo": 6000},
        jackpot=JACKPOT if jackpot else None, tax={"rate": 0, "threshold": 0},
        issue=an_issue(1, "2001", last_sold=last_sold),
    )  # fmt: skip
    return after(game, "sale_announced")


def after(game: GameState, kind: str, **inputs: Any) -> GameState:
    """The game after one command."""
    return rules.apply(game, rules.decide(game, kind, **inputs))


def sold(game: GameState, quantity: int) -> GameState:
    """The game after a sale."""
    return after(game, "cards_sold", quantity=quantity, first=None, till="1", seller=None)


def two_issues(**terms: Any) -> GameState:
    """Cards 301 to 420 of the first issue and 1 to 30 of the second."""
    game = sold(opened(last_sold=300, **terms), 120)
    game = after(game, "second_issue_opened", issue=an_issue(2, "2002"), face=200_00)
    return sold(game, 30)


def said(sentences: tuple[str, ...] | str) -> list[str]:
    """Sentences with the blanks that keep money together made plain."""
    listed = (sentences,) if isinstance(sentences, str) else sentences
    return [text.replace("\xa0", " ").replace("\u202f", " ") for text in listed]


@pytest.mark.rule(33)
def test_sale_of_one_issue_is_opened_word_for_word() -> None:
    assert said(announcements.sale_opening(opened(), currency="CVE")) == [
        (
            "Vai iniciar-se a venda de cartões da série H, do n.º 2001: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        )
    ]


@pytest.mark.rule(33)
@pytest.mark.rule(38)
def test_sale_of_two_issues_is_opened_word_for_word() -> None:
    assert said(announcements.sale_opening(two_issues(), currency="CVE")) == [
        (
            "Vai iniciar-se a venda de cartões da série H, do n.º 2001: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão. "
            "Prossegue a venda com cartões da série H, do n.º 2002: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        )
    ]


@pytest.mark.rule(40)
@pytest.mark.rule(31)
def test_sale_of_one_issue_is_closed_word_for_word() -> None:
    game = after(sold(opened(jackpot=False), 99), "sale_closed")
    assert said(announcements.sale_closing(game, currency="CVE")) == [
        "Venderam-se 99 cartões da série H, do n.º 2001, do n.º 1 ao n.º 99",
        "Prémio de linha: 3 960,00 CVE. Prémio de bingo: 11 880,00 CVE.",
        "Inicia-se a extração das bolas.",
    ]


@pytest.mark.rule(40)
@pytest.mark.rule(10)
def test_sale_with_a_jackpot_is_closed_word_for_word() -> None:
    game = after(sold(opened(), 99), "sale_closed")
    assert said(announcements.sale_closing(game, currency="CVE"))[1] == (
        "Prémio de linha: 3 841,20 CVE. Prémio de bingo: 11 523,60 CVE. "
        "Prémio acumulado: 50 475,20 CVE."
    )


@pytest.mark.rule(40)
@pytest.mark.rule(38)
def test_sale_of_two_issues_is_closed_word_for_word() -> None:
    game = after(two_issues(jackpot=False), "sale_closed")
    assert said(announcements.sale_closing(game, currency="CVE"))[0] == (
        "Venderam-se 150 cartões da série H, do n.º 2001, do n.º 301 ao n.º 420, "
        "e da série H, do n.º 2002, do n.º 1 ao n.º 30"
    )


@pytest.mark.rule(38)
def test_second_issue_that_sold_nothing_is_not_announced_as_sold() -> None:
    game = sold(opened(last_sold=300), 120)
    game = after(game, "second_issue_opened", issue=an_issue(2, "2002"), face=200_00)
    game = after(game, "sale_closed")
    assert said(announcements.sale_closing(game, currency="CVE"))[0] == (
        "Venderam-se 120 cartões da série H, do n.º 2001, do n.º 301 ao n.º 420"
    )


@pytest.mark.rule("BOE IV")
def test_spanish_sale_is_announced_word_for_word() -> None:
    game = opened(rulebook="spain-1979", jackpot=False)
    assert said(announcements.sale_opening(game, currency="EUR")) == [
        (
            "Va a iniciarse la venta de cartones de la serie H 2001: 420 cartones, "
            "al precio de 200,00 € cada uno."
        )
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert said(announcements.sale_closing(closed, currency="EUR")) == [
        "Cartones vendidos 99, de la serie H 2001 del número 1 al 99",
        "Premio de línea: 3.960,00 €. Premio de bingo: 11.880,00 €.",
        "Comienza la partida.",
    ]


@pytest.mark.rule("BOE IV")
def test_spanish_sale_of_two_issues_is_closed_word_for_word() -> None:
    game = after(two_issues(rulebook="spain-1979"), "sale_closed")
    assert said(announcements.sale_closing(game, currency="EUR"))[:2] == [
        (
            "Cartones vendidos 150, de la serie H 2001 del número 301 al 420 "
            "y de la serie H 2002 del número 1 al 30"
        ),
        "Premio de línea: 5.820,00 €. Premio de bingo: 17.460,00 €. Acumulado: 50.720,00 €.",
    ]


def test_nothing_is_announced_as_sold_before_anything_is() -> None:
    assert announcements.sale_closing(opened(), currency="CVE")[:2] == ("", "")


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


@pytest.mark.rule(47)
def test_prize_already_closed_is_not_asked_for_again() -> None:
    claims = (Claim("line", 1, 7), Claim("bingo", 1, 7))
    game = replace(opened(), claims=claims, closed=("line",))
    assert announcements.any_more(game) == "Mais algum bingo?"
