"""Double cards are announced half by half, and all in each language authorised (R15, R54)."""

from __future__ import annotations

import pytest

from draws.boards import announcements
from draws.boards.announcements import Voice, announce_in_voices, voices
from tests.support.announcements import (
    LINE_TOLD,
    PORTUGUESE,
    SPANISH,
    after,
    announced_texts,
    opened,
    second_half,
    sold,
)


@pytest.mark.rule("BOE IV")
@pytest.mark.rule(15)
def test_spanish_double_cards_are_announced_by_their_own_formula() -> None:
    game = opened(rulebook="spain-1979", jackpot=False, double=True)
    assert announced_texts(announcements.sale_opening, game, SPANISH) == [
        (
            "Va a iniciarse la venta de cartones dobles de la serie H 2001: 420 cartones dobles, "
            "válidos para dos partidas consecutivas, al precio de 400,00 € cada uno, "
            "200,00 € por cada parte."
        ),
        LINE_TOLD["es"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert announced_texts(announcements.sale_closing, closed, SPANISH) == [
        "Cartones dobles vendidos 99, de la serie H 2001 del número 1 al 99",
        "Premios de cada parte del cartón doble. Línea: 3.960,00 €. Bingo: 11.880,00 €.",
        "Comienza la partida.",
    ]


@pytest.mark.rule("BOE IV")
@pytest.mark.rule(15)
def test_spanish_second_game_is_announced_as_the_second_card_s() -> None:
    game = opened(rulebook="spain-1979", jackpot=False, double=True)
    half = second_half(after(sold(game, 99), "sale_closed"))
    assert announced_texts(announcements.sale_closing, half, SPANISH) == [
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
    assert announced_texts(announcements.sale_opening, game) == [
        (
            "Vai iniciar-se a venda de cartões duplos da série H, do n.º 2001: 420 cartões duplos, "
            "válidos para duas jogadas seguidas, ao preço de 400,00 CVE cada cartão duplo, "
            "200,00 CVE por cada metade."
        ),
        LINE_TOLD["pt"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert announced_texts(announcements.sale_closing, closed) == [
        "Venderam-se 99 cartões duplos da série H, do n.º 2001, do n.º 1 ao n.º 99",
        "Prémios de cada metade do cartão duplo. Linha: 3 960,00 CVE. Bingo: 11 880,00 CVE.",
        "Inicia-se a extracção das bolas.",
    ]
    assert announced_texts(announcements.sale_closing, second_half(closed))[0] == (
        "Segue-se a segunda jogada, com a segunda metade dos cartões duplos."
    )


def test_single_cards_are_never_called_double() -> None:
    game = after(sold(opened(), 9), "sale_closed")
    heard = announced_texts(announcements.sale_opening, opened()) + announced_texts(
        announcements.sale_closing, game
    )
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
    assert announced_texts(announcements.sale_opening, game, galician) == [
        (
            "Vaise iniciar a venda de cartóns dobres da serie H, n.º 2001: 420 cartóns dobres, "
            "válidos para dúas partidas seguidas, ao prezo de 400,00 € cada cartón dobre, "
            "200,00 € por cada metade."
        ),
        LINE_TOLD["gl"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert announced_texts(announcements.sale_closing, closed, galician)[-1] == "Comeza a partida."
    assert announced_texts(announcements.sale_closing, second_half(closed), galician)[0] == (
        "Segue a segunda partida, coa segunda metade dos cartóns dobres."
    )


@pytest.mark.rule(54)
def test_double_cards_of_spain_are_announced_in_catalan_too() -> None:
    game = opened(rulebook="spain-1979", jackpot=False, double=True)
    catalan = Voice("ca", "EUR")
    assert announced_texts(announcements.sale_opening, game, catalan) == [
        (
            "S’iniciarà la venda de cartrons dobles de la sèrie H, núm. 2001: "
            "420 cartrons dobles, vàlids per a dues partides seguides, "
            "al preu de 400,00 € cada cartró doble, 200,00 € per cada meitat."
        ),
        LINE_TOLD["ca"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert announced_texts(announcements.sale_closing, closed, catalan)[-1] == "Comença la partida."
    assert announced_texts(announcements.sale_closing, second_half(closed), catalan)[0] == (
        "Segueix la segona partida, amb la segona meitat dels cartrons dobles."
    )


@pytest.mark.rule(54)
def test_double_cards_of_spain_are_announced_in_english_too() -> None:
    game = opened(rulebook="spain-1979", jackpot=False, double=True)
    english = Voice("en", "EUR")
    assert announced_texts(announcements.sale_opening, game, english) == [
        (
            "Double cards of series H, number 2001, are now on sale: 420 double cards, "
            "good for two games in a row, at €400.00 each, €200.00 for each half."
        ),
        LINE_TOLD["en"],
    ]
    closed = after(sold(game, 99), "sale_closed")
    assert announced_texts(announcements.sale_closing, closed, english)[-1] == "The game begins."


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
