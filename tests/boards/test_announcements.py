"""What the caller reads aloud, word for word (R33, R40, R46; BOE IV)."""

from dataclasses import replace
from typing import Any

import pytest

from bingo.rules import game as rules_game
from bingo.rules import patterns
from bingo.rules.game_state import Claim, GameState
from draws.boards import announcements
from draws.boards.announcements import Say, Voice, announce_in_voices, voices

PORTUGUESE, SPANISH = Voice("pt", "CVE"), Voice("es", "EUR")
# What counts as a line is said after what is on sale (R33, BOE I).
LINE_TOLD = {
    "pt": "Vale como linha qualquer das três linhas do cartão.",
    "es": "Vale como línea cualquiera de las tres líneas del cartón.",
    "gl": "Vale como liña calquera das tres liñas do cartón.",
    "ca": "Val com a línia qualsevol de les tres línies del cartró.",
    "en": "The line is any of the three rows of the card.",
}
JACKPOT: dict[str, Any] = {
    "rate": 300, "base": 50_000_00, "balance": 50_000_00, "limits": [{"format": 90, "balls": 40}],
}  # fmt: skip


def an_issue(
    issue: int, identification: str, *, last_sold: int = 0, letter: str = "H"
) -> dict[str, Any]:
    """An issue of 420 cards."""
    return {
        "issue": issue,
        "letter": letter,
        "identification": identification,
        "size": 420,
        "last_sold": last_sold,
    }


def prepared(
    *,
    last_sold: int = 0,
    jackpot: bool = True,
    rulebook: str = "cape-verde-2017",
    double: bool = False,
) -> GameState:
    """A game to be sold at 200.00 a card, a double card at twice that."""
    return rules_game.open_game(
        number=1, format=90, rulebook=rulebook, face=200_00, shares={"line": 2000, "bingo": 6000},
        jackpot=JACKPOT if jackpot else None, tax={"rate": 0, "threshold": 0},
        issue=an_issue(1, "2001", last_sold=last_sold) | ({"double": True} if double else {}),
    )  # fmt: skip


def opened(**terms: Any) -> GameState:
    """The same on sale."""
    return after(prepared(**terms), "sale_announced")


def after(game: GameState, kind: str, **inputs: Any) -> GameState:
    """The game after one command."""
    return rules_game.apply(game, rules_game.decide(game, kind, **inputs))


def sold(game: GameState, quantity: int, *, face: int | None = None) -> GameState:
    """The game after a sale."""
    return after(
        game, "cards_sold", quantity=quantity, first=None, till="1", seller=None, face=face
    )


def two_issues(**terms: Any) -> GameState:
    """Cards 301 to 420 of the first issue and 1 to 30 of the second."""
    game = sold(opened(last_sold=300, **terms), 120)
    game = after(game, "second_issue_opened", issue=an_issue(2, "2002"), face=200_00)
    return sold(game, 30)


def beside(game: GameState) -> GameState:
    """The game with an issue of series K at 500.00 beside the other."""
    issue = an_issue(3, "3001", letter="K")
    return after(game, "issue_added", issue=issue, face=500_00, matrix="0" * 64)


def two_prices(**terms: Any) -> GameState:
    """99 cards of series H at 200.00 and 40 of series K at 500.00."""
    game = beside(prepared(**terms))
    game = sold(after(game, "sale_announced"), 99, face=200_00)
    return sold(game, 40, face=500_00)


def second_half(first: GameState) -> GameState:
    """The second game of double cards, after a first that nobody interrupted."""
    half = rules_game.open_second_half(first, number=2, jackpot=None)
    return replace(half, prizes=first.prizes)


def said(say: Say, game: GameState, voice: Voice = PORTUGUESE) -> list[str]:
    """An announcement's sentences, the blanks that keep money together made plain."""
    return [text.replace("\xa0", " ").replace("\u202f", " ") for text in say(game, voice)]


@pytest.mark.rule(33)
def test_sale_of_one_issue_is_opened_word_for_word() -> None:
    assert said(announcements.sale_opening, opened()) == [
        (
            "Vai iniciar-se a venda de cartões da série H, do n.º 2001: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        ),
        LINE_TOLD["pt"],
    ]


@pytest.mark.rule(33)
@pytest.mark.rule(38)
def test_sale_of_two_issues_is_opened_word_for_word() -> None:
    assert said(announcements.sale_opening, two_issues()) == [
        (
            "Vai iniciar-se a venda de cartões da série H, do n.º 2001: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        ),
        (
            "Prossegue a venda com cartões da série H, do n.º 2002: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        ),
        LINE_TOLD["pt"],
    ]


@pytest.mark.rule(40)
@pytest.mark.rule(31)
def test_sale_of_one_issue_is_closed_word_for_word() -> None:
    game = after(sold(opened(jackpot=False), 99), "sale_closed")
    assert said(announcements.sale_closing, game) == [
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
    assert said(announcements.sale_closing, game, Voice(language, "CVE"))[0] == closed


@pytest.mark.rule(40)
@pytest.mark.rule(10)
def test_sale_with_a_jackpot_is_closed_word_for_word() -> None:
    game = after(sold(opened(), 99), "sale_closed")
    assert said(announcements.sale_closing, game)[1] == (
        "Prémio de linha: 3 841,20 CVE. Prémio de bingo: 11 523,60 CVE. "
        "Prémio acumulado, com 40 bolas no máximo: 50 475,20 CVE."
    )


@pytest.mark.rule(40)
@pytest.mark.rule(38)
def test_sale_of_two_issues_is_closed_word_for_word() -> None:
    game = after(two_issues(jackpot=False), "sale_closed")
    assert said(announcements.sale_closing, game)[0] == (
        "Venderam-se 150 cartões da série H, do n.º 2001, do n.º 301 ao n.º 420, "
        "e da série H, do n.º 2002, do n.º 1 ao n.º 30"
    )


@pytest.mark.rule(38)
def test_second_issue_that_sold_nothing_is_not_announced_as_sold() -> None:
    game = sold(opened(last_sold=300), 120)
    game = after(game, "second_issue_opened", issue=an_issue(2, "2002"), face=200_00)
    game = after(game, "sale_closed")
    assert said(announcements.sale_closing, game)[0] == (
        "Venderam-se 120 cartões da série H, do n.º 2001, do n.º 301 ao n.º 420"
    )


@pytest.mark.rule("BOE IV")
def test_spanish_sale_is_announced_word_for_word() -> None:
    game = opened(rulebook="spain-1979", jackpot=False)
    assert said(announcements.sale_opening, game, SPANISH) == [
        (
            "Va a iniciarse la venta de cartones de la serie H 2001: 420 cartones, "
            "al precio de 200,00 € cada uno."
        ),
        LINE_TOLD["es"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert said(announcements.sale_closing, closed, SPANISH) == [
        "Cartones vendidos 99, de la serie H 2001 del número 1 al 99",
        "Premio de línea: 3.960,00 €. Premio de bingo: 11.880,00 €.",
        "Comienza la partida.",
    ]


@pytest.mark.rule("BOE IV")
def test_spanish_sale_of_two_issues_is_closed_word_for_word() -> None:
    game = after(two_issues(rulebook="spain-1979"), "sale_closed")
    assert said(announcements.sale_closing, game, SPANISH)[:2] == [
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
    assert said(announcements.sale_closing, opened()) == ["Inicia-se a extracção das bolas."]


def written_off(game: GameState, first: int, last: int) -> GameState:
    """The game after cards were written off."""
    return after(game, "cards_written_off", issue=1, first=first, last=last, reason="Rasgados")


@pytest.mark.rule(33)
def test_several_prices_are_opened_each_issue_with_its_price() -> None:
    assert said(announcements.sale_opening, two_prices()) == [
        (
            "Vai iniciar-se a venda de cartões da série H, do n.º 2001: 420 cartões, "
            "ao preço de 200,00 CVE cada cartão."
        ),
        (
            "Vendem-se também cartões da série K, do n.º 3001: 420 cartões, "
            "ao preço de 500,00 CVE cada cartão."
        ),
        LINE_TOLD["pt"],
    ]


@pytest.mark.rule(40)
def test_several_prices_are_closed_each_with_its_range_and_all_together() -> None:
    game = after(two_prices(jackpot=False), "sale_closed")
    assert said(announcements.sale_closing, game) == [
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
    assert said(announcements.sale_closing, game)[:2] == [
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
    begun = [sentence.split(":")[0] for sentence in said(announcements.sale_opening, game)]
    assert begun == [
        "Vai iniciar-se a venda de cartões da série H, do n.º 2001",
        "Prossegue a venda com cartões da série H, do n.º 2002",
        "Vendem-se também cartões da série K, do n.º 3001",
        LINE_TOLD["pt"],
    ]
    assert said(announcements.sale_closing, after(game, "sale_closed"))[:3] == [
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
    assert said(announcements.sale_closing, after(sold(game, 83), "sale_closed"))[:2] == [
        "Venderam-se 95 cartões da série H, do n.º 2001, do n.º 1 ao n.º 99",
        "Não estão em jogo, da série H, do n.º 2001: do n.º 12 ao n.º 14 e o n.º 16.",
    ]


@pytest.mark.rule("BOE IV")
def test_cards_written_off_between_sold_ones_are_named_in_spain() -> None:
    game = written_off(sold(opened(rulebook="spain-1979"), 11), 12, 12)
    assert said(announcements.sale_closing, after(sold(game, 5), "sale_closed"), SPANISH)[1] == (
        "No están en juego, de la serie H 2001: el número 12."
    )


@pytest.mark.rule(40)
def test_cards_written_off_before_or_after_the_sold_ones_are_not_named() -> None:
    game = written_off(written_off(prepared(), 1, 3), 20, 22)
    game = after(sold(after(game, "sale_announced"), 16), "sale_closed")
    told = said(announcements.sale_closing, game)
    assert told[0] == "Venderam-se 16 cartões da série H, do n.º 2001, do n.º 4 ao n.º 19"
    assert not any("Não estão" in sentence for sentence in told)


@pytest.mark.rule("BOE IV")
@pytest.mark.rule(15)
def test_spanish_double_cards_are_announced_by_their_own_formula() -> None:
    game = opened(rulebook="spain-1979", jackpot=False, double=True)
    assert said(announcements.sale_opening, game, SPANISH) == [
        (
            "Va a iniciarse la venta de cartones dobles de la serie H 2001: 420 cartones dobles, "
            "válidos para dos partidas consecutivas, al precio de 400,00 € cada uno, "
            "200,00 € por cada parte."
        ),
        LINE_TOLD["es"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert said(announcements.sale_closing, closed, SPANISH) == [
        "Cartones dobles vendidos 99, de la serie H 2001 del número 1 al 99",
        "Premios de cada parte del cartón doble. Línea: 3.960,00 €. Bingo: 11.880,00 €.",
        "Comienza la partida.",
    ]


@pytest.mark.rule("BOE IV")
@pytest.mark.rule(15)
def test_spanish_second_game_is_announced_as_the_second_card_s() -> None:
    game = opened(rulebook="spain-1979", jackpot=False, double=True)
    half = second_half(after(sold(game, 99), "sale_closed"))
    assert said(announcements.sale_closing, half, SPANISH) == [
        "Se reanuda la partida con el segundo cartón.",
        "Cartones dobles vendidos 99, de la serie H 2001 del número 1 al 99",
        "Premio de línea: 3.960,00 €. Premio de bingo: 11.880,00 €.",
        "Comienza la partida.",
    ]


@pytest.mark.rule(15)
@pytest.mark.rule(33)
@pytest.mark.rule(40)
def test_double_cards_are_announced_with_the_price_and_prizes_of_each_half() -> None:
    game = opened(jackpot=False, double=True)
    assert said(announcements.sale_opening, game) == [
        (
            "Vai iniciar-se a venda de cartões duplos da série H, do n.º 2001: 420 cartões duplos, "
            "válidos para duas jogadas seguidas, ao preço de 400,00 CVE cada cartão duplo, "
            "200,00 CVE por cada metade."
        ),
        LINE_TOLD["pt"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert said(announcements.sale_closing, closed) == [
        "Venderam-se 99 cartões duplos da série H, do n.º 2001, do n.º 1 ao n.º 99",
        "Prémios de cada metade do cartão duplo. Linha: 3 960,00 CVE. Bingo: 11 880,00 CVE.",
        "Inicia-se a extracção das bolas.",
    ]
    assert said(announcements.sale_closing, second_half(closed))[0] == (
        "Segue-se a segunda jogada, com a segunda metade dos cartões duplos."
    )


def test_single_cards_are_never_called_double() -> None:
    game = after(sold(opened(), 9), "sale_closed")
    heard = said(announcements.sale_opening, opened()) + said(announcements.sale_closing, game)
    assert not any("dupl" in sentence or "segunda" in sentence for sentence in heard)


@pytest.mark.rule(54)
def test_announcement_comes_in_the_law_s_language_and_then_in_those_authorised() -> None:
    game = after(sold(opened(jackpot=False), 99), "sale_closed")
    tongues = voices(game.rulebook, currency="CVE", also=["en", "gl", "ca", "es", "eu", "pt"])
    told = announce_in_voices(game, announcements.sale_closing, tongues)
    assert [one.language for one in told] == ["pt", "en", "gl", "ca", "es"]
    assert told[0].sentences == announcements.sale_closing(game, PORTUGUESE)
    assert told[1].sentences[0] == (
        "Cards sold: 99, of series H, number 2001, from number 1 to number 99"
    )
    assert told[2].text.replace("\xa0", " ") == (
        "Vendéronse 99 cartóns da serie H, n.º 2001, do n.º 1 ao n.º 99. "
        "Premio de liña: 3.960,00 CVE. Premio de bingo: 11.880,00 CVE. "
        "Comeza a extracción das bólas."
    )
    assert told[3].text.replace("\xa0", " ") == (
        "S’han venut 99 cartrons de la sèrie H, núm. 2001, del núm. 1 al núm. 99. "
        "Premi de línia: 3.960,00 CVE. Premi de bingo: 11.880,00 CVE. "
        "Comença l’extracció de les boles."
    )
    assert told[4].text.replace("\xa0", " ") == (
        "Se han vendido 99 cartones de la serie H, n.º 2001, del n.º 1 al n.º 99. "
        "Premio de línea: 3.960,00 CVE. Premio de bingo: 11.880,00 CVE. "
        "Comienza la extracción de las bolas."
    )


@pytest.mark.rule(54)
def test_double_cards_of_spain_are_announced_in_galician_too() -> None:
    game = opened(rulebook="spain-1979", jackpot=False, double=True)
    galician = Voice("gl", "EUR")
    assert said(announcements.sale_opening, game, galician) == [
        (
            "Vaise iniciar a venda de cartóns dobres da serie H, n.º 2001: 420 cartóns dobres, "
            "válidos para dúas partidas seguidas, ao prezo de 400,00 € cada cartón dobre, "
            "200,00 € por cada metade."
        ),
        LINE_TOLD["gl"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert said(announcements.sale_closing, closed, galician)[-1] == "Comeza a partida."
    assert said(announcements.sale_closing, second_half(closed), galician)[0] == (
        "Segue a segunda partida, coa segunda metade dos cartóns dobres."
    )


@pytest.mark.rule(54)
def test_double_cards_of_spain_are_announced_in_catalan_too() -> None:
    game = opened(rulebook="spain-1979", jackpot=False, double=True)
    catalan = Voice("ca", "EUR")
    assert said(announcements.sale_opening, game, catalan) == [
        (
            "S’iniciarà la venda de cartrons dobles de la sèrie H, núm. 2001: "
            "420 cartrons dobles, vàlids per a dues partides seguides, "
            "al preu de 400,00 € cada cartró doble, 200,00 € per cada meitat."
        ),
        LINE_TOLD["ca"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert said(announcements.sale_closing, closed, catalan)[-1] == "Comença la partida."
    assert said(announcements.sale_closing, second_half(closed), catalan)[0] == (
        "Segueix la segona partida, amb la segona meitat dels cartrons dobles."
    )


@pytest.mark.rule(54)
def test_double_cards_of_spain_are_announced_in_english_too() -> None:
    game = opened(rulebook="spain-1979", jackpot=False, double=True)
    english = Voice("en", "EUR")
    assert said(announcements.sale_opening, game, english) == [
        (
            "Double cards of series H, number 2001, are now on sale: 420 double cards, "
            "good for two games in a row, at €400.00 each, €200.00 for each half."
        ),
        LINE_TOLD["en"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert said(announcements.sale_closing, closed, english)[-1] == "The game begins."


@pytest.mark.rule(54)
def test_announcement_comes_in_the_law_s_language_alone_where_no_other_is_authorised() -> None:
    tongues = voices("spain-1979", currency="EUR")
    assert tongues == [SPANISH]
    game = opened(rulebook="spain-1979")
    assert [
        one.language for one in announce_in_voices(game, announcements.sale_opening, tongues)
    ] == ["es"]


def test_nothing_to_say_is_nothing_in_any_language() -> None:
    tongues = voices("cape-verde-2017", currency="CVE", also=["es"])
    assert announce_in_voices(opened(), announcements.more_asked, tongues) == []


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


OF_SEVENTY_FIVE = {
    "line": 1500,
    "bingo": 5500,
    "extras": [
        {"prize": "corners", "share": 500, "limit": 0},
        {"prize": "prima", "share": 500, "limit": 40},
    ],
}


def of_seventy_five(**terms: Any) -> GameState:
    """A game of 75 with corners and a bonus, ten cards sold."""
    prepared_game = rules_game.open_game(
        number=1, format=75, rulebook="cape-verde-2017", face=200_00, shares=OF_SEVENTY_FIVE,
        jackpot=None, tax={"rate": 0, "threshold": 0}, issue=an_issue(1, "1001"),
        counts=("rows", "columns"), **terms,
    )  # fmt: skip
    return after(sold(after(prepared_game, "sale_announced"), 10), "sale_closed")


@pytest.mark.rule(40)
@pytest.mark.rule(74)
def test_additional_prizes_are_said_between_line_and_bingo_or_after_it() -> None:
    said = " ".join(announcements.sale_closing(of_seventy_five(), PORTUGUESE))
    assert (
        "Prémio de linha: 300,00 CVE. Prémio de quatro cantos: 100,00 CVE. "
        "Prémio de bingo: 1 100,00 CVE. "
        "Prémio suplementar, com 40 bolas no máximo: 100,00 CVE."
    ) in said.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


@pytest.mark.rule(73)
def test_line_that_nobody_can_win_is_not_said() -> None:
    game = rules_game.open_game(
        number=1, format=75, rulebook="cape-verde-2017", face=200_00,
        shares={"line": 0, "bingo": 8000}, jackpot=None, tax={"rate": 0, "threshold": 0},
        issue=an_issue(1, "1001"), counts=(), pattern=patterns.draw(patterns.get("x").cells),
    )  # fmt: skip
    closed = after(sold(after(game, "sale_announced"), 10), "sale_closed")
    said = " ".join(announcements.sale_closing(closed, PORTUGUESE))
    assert "linha" not in said
    assert "Prémio de bingo" in said


@pytest.mark.rule(46)
def test_hall_is_asked_for_more_corners_in_words_of_ours() -> None:
    pending = (Claim("corners", 1, 7), Claim("line", 1, 7))
    game = replace(of_seventy_five(), claims=pending)
    assert announcements.any_more(game) == "Mais alguma linha? Mais alguém com quatro cantos?"


@pytest.mark.rule(73)
@pytest.mark.parametrize(
    ("language", "named", "shown"),
    [
        (
            "pt",
            "Nesta jogada o bingo é a figura que se vê no painel: Guarda-chuva.",
            "Nesta jogada o bingo é a figura que se vê no painel.",
        ),
        (
            "es",
            "En esta partida el bingo es la figura que se ve en el panel: Guarda-chuva.",
            "En esta partida el bingo es la figura que se ve en el panel.",
        ),
        (
            "en",
            "In this game the bingo is the figure shown on the board: Guarda-chuva.",
            "In this game the bingo is the figure shown on the board.",
        ),
        (
            "gl",
            "Nesta partida o bingo é a figura que se ve no panel: Guarda-chuva.",
            "Nesta partida o bingo é a figura que se ve no panel.",
        ),
        (
            "ca",
            "En aquesta partida el bingo és la figura que es veu al tauler: Guarda-chuva.",
            "En aquesta partida el bingo és la figura que es veu al tauler.",
        ),
    ],
)
def test_figure_is_announced_by_its_name_or_shown(language: str, named: str, shown: str) -> None:
    figured = replace(prepared(), format=75, pattern=patterns.draw(patterns.get("umbrella").cells))
    voice = Voice(language, "CVE")
    assert said(announcements.sale_opening, figured, voice)[-1] == shown
    with_name = replace(voice, figure="Guarda-chuva")
    assert said(announcements.sale_opening, figured, with_name)[-1] == named
    assert named not in said(announcements.sale_opening, prepared(), with_name)


SPLIT = {"line": 2000, "bingo": 6000}


def with_extra(prize: str) -> dict[str, Any]:
    """Shares of a game with an additional prize in place of the line (R84) or beside it (R74 b)."""
    return {"line": 0, "bingo": 6000, "extras": [{"prize": prize, "share": 2000, "limit": 0}]}


def of_format(format: int, counts: tuple[str, ...], shares: dict[str, Any]) -> GameState:
    """A game of another card, in which these lines count."""
    return rules_game.open_game(
        number=1, format=format, rulebook="cape-verde-2017", face=200_00, shares=shares,
        counts=counts, jackpot=None, tax={"rate": 0, "threshold": 0}, issue=an_issue(1, "2001"),
    )  # fmt: skip


@pytest.mark.rule(33)
@pytest.mark.rule(67)
@pytest.mark.rule(75)
@pytest.mark.rule(84)
@pytest.mark.parametrize("format", [80, 75, 30])
@pytest.mark.parametrize(
    ("counts", "portuguese", "spanish"),
    [
        (
            ("rows",),
            "Vale como linha qualquer linha horizontal do cartão.",
            "Vale como línea cualquier línea horizontal del cartón.",
        ),
        (
            ("columns",),
            "Vale como linha qualquer coluna do cartão.",
            "Vale como línea cualquier columna del cartón.",
        ),
        (
            ("diagonals",),
            "Vale como linha qualquer diagonal do cartão.",
            "Vale como línea cualquier diagonal del cartón.",
        ),
        (
            ("diagonals", "rows"),
            "Vale como linha qualquer linha horizontal ou diagonal do cartão.",
            "Vale como línea cualquier línea horizontal o diagonal del cartón.",
        ),
        (
            ("rows", "columns", "diagonals"),
            "Vale como linha qualquer linha horizontal, coluna ou diagonal do cartão.",
            "Vale como línea cualquier línea horizontal, columna o diagonal del cartón.",
        ),
    ],
)
def test_sale_tells_what_counts_as_a_line(
    format: int, counts: tuple[str, ...], portuguese: str, spanish: str
) -> None:
    game = of_format(format, counts, SPLIT)
    assert said(announcements.sale_opening, game)[1:] == [portuguese]
    assert said(announcements.sale_opening, game, SPANISH)[1:] == [spanish]


@pytest.mark.rule(84)
@pytest.mark.parametrize(
    ("prize", "portuguese", "spanish"),
    [
        (
            "column",
            "Ganha o prémio de coluna qualquer das três colunas do cartão.",
            "Gana el premio de columna cualquiera de las tres columnas del cartón.",
        ),
        (
            "corners",
            "Ganham o prémio de quatro cantos os quatro cantos do cartão.",
            "Ganan el premio de cuatro esquinas las cuatro esquinas del cartón.",
        ),
    ],
)
def test_sale_tells_the_one_extra_prize_and_no_line_where_none_is_won(
    prize: str, portuguese: str, spanish: str
) -> None:
    game = of_format(30, (), with_extra(prize))
    assert said(announcements.sale_opening, game)[1:] == [portuguese]
    assert said(announcements.sale_opening, game, SPANISH)[1:] == [spanish]


@pytest.mark.rule(74)
@pytest.mark.rule(75)
def test_sale_of_75_tells_the_line_and_the_corners() -> None:
    shares = with_extra("corners") | {"line": 1000, "bingo": 6000}
    shares["extras"][0]["share"] = 1000
    game = of_format(75, ("rows", "diagonals"), shares)
    assert said(announcements.sale_opening, game)[1:] == [
        "Vale como linha qualquer linha horizontal ou diagonal do cartão.",
        "Ganham o prémio de quatro cantos os quatro cantos do cartão.",
    ]


@pytest.mark.parametrize("language", ["pt", "es", "gl", "ca", "en"])
def test_every_language_says_what_wins_each_prize(language: str) -> None:
    voice = Voice(language, "CVE")
    kinds = [("rows",), ("columns",), ("diagonals",), ("rows", "columns", "diagonals")]
    games = [of_format(80, counts, SPLIT) for counts in kinds]
    games += [of_format(30, (), with_extra(prize)) for prize in ("column", "corners")]
    told = [said(announcements.sale_opening, game, voice)[1] for game in (prepared(), *games)]
    assert len(set(told)) == len(told)
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in told)
