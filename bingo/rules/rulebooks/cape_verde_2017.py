"""Cape Verde: Portaria n.º 1/2017 of 9 January 2017, annex, Jogo do Bingo."""

from dataclasses import replace
from datetime import date
from types import MappingProxyType

from bingo.rules.money import Shares
from bingo.rules.rulebooks.announcements import Announcements, Speech
from bingo.rules.rulebooks.rulebook import Rulebook
from bingo.rules.rulebooks.translations import (
    CATALAN_OF_CAPE_VERDE,
    ENGLISH_OF_CAPE_VERDE,
    GALICIAN_OF_CAPE_VERDE,
    SPANISH_OF_CAPE_VERDE,
)

ANNOUNCEMENTS = Announcements(
    language="pt",  # R31, R54
    # R33 fixes what is announced, not the words.
    sale_opening=(
        "Vai iniciar-se a venda de cartões da série {letter}, do n.º {identification}: "
        "{size} cartões, ao preço de {price} cada cartão."
    ),
    beside_opening=(
        "Vendem-se também cartões da série {letter}, do n.º {identification}: "
        "{size} cartões, ao preço de {price} cada cartão."
    ),
    second_opening=(
        "Prossegue a venda com cartões da série {letter}, do n.º {identification}: "
        "{size} cartões, ao preço de {price} cada cartão."
    ),
    # R40 a, as published.
    formula=(
        "Venderam-se... (indicar o número) cartões da série... (letra), "
        "do n.º... (número de identificação), e da série (se for o caso)..., "
        "do n.º... ao n.º..."
    ),
    # The published formula has one range, at the end; the sibling text of Spain gives each issue
    # its own, and with two issues only that tells which cards are in play.
    sale_closed=(
        "Venderam-se {total} cartões da série {letter}, do n.º {identification}, "
        "do n.º {first} ao n.º {last}"
    ),
    sale_closed_two=(
        "Venderam-se {total} cartões da série {letter}, do n.º {identification}, "
        "do n.º {first} ao n.º {last}, e da série {second_letter}, "
        "do n.º {second_identification}, do n.º {second_first} ao n.º {second_last}"
    ),
    sale_closed_one=(
        "Vendeu-se 1 cartão da série {letter}, do n.º {identification}: o n.º {first}"
    ),
    sold_in_all="Ao todo, venderam-se {total} cartões.",
    missing="Não estão em jogo, da série {letter}, do n.º {identification}: {cards}.",
    missing_card="o n.º {first}",
    missing_range="do n.º {first} ao n.º {last}",
    conjunction="e",
    prizes_of_each="",
    prizes=MappingProxyType(
        {
            "line": "Prémio de linha: {amount}.",
            "column": "Prémio de coluna: {amount}.",
            "corners": "Prémio de quatro cantos: {amount}.",
            "bingo": "Prémio de bingo: {amount}.",
            "prima": "Prémio suplementar, com {limit} bolas no máximo: {amount}.",
        }
    ),
    draw_opening="Inicia-se a extração das bolas.",  # R40 c
    second_game="",
    more=MappingProxyType(
        {
            "line": "Mais alguma linha?",  # R46, its words
            "column": "Mais alguma coluna?",
            "corners": "Mais alguém com quatro cantos?",
            "bingo": "Mais algum bingo?",  # R46, its words
        }
    ),
    last_game="É a última jogada desta sessão.",  # R53
)

# The law has no words for double cards (R15): these follow those of R40 and say what differs.
DOUBLE = replace(
    ANNOUNCEMENTS,
    sale_opening=(
        "Vai iniciar-se a venda de cartões duplos da série {letter}, do n.º {identification}: "
        "{size} cartões duplos, válidos para duas jogadas seguidas, "
        "ao preço de {price} cada cartão duplo, {half} por cada metade."
    ),
    beside_opening=(
        "Vendem-se também cartões duplos da série {letter}, do n.º {identification}: "
        "{size} cartões duplos, ao preço de {price} cada cartão duplo, {half} por cada metade."
    ),
    second_opening=(
        "Prossegue a venda com cartões duplos da série {letter}, do n.º {identification}: "
        "{size} cartões duplos, ao preço de {price} cada cartão duplo, {half} por cada metade."
    ),
    formula="",
    sale_closed=(
        "Venderam-se {total} cartões duplos da série {letter}, do n.º {identification}, "
        "do n.º {first} ao n.º {last}"
    ),
    sale_closed_two=(
        "Venderam-se {total} cartões duplos da série {letter}, do n.º {identification}, "
        "do n.º {first} ao n.º {last}, e da série {second_letter}, "
        "do n.º {second_identification}, do n.º {second_first} ao n.º {second_last}"
    ),
    sale_closed_one=(
        "Vendeu-se 1 cartão duplo da série {letter}, do n.º {identification}: o n.º {first}"
    ),
    sold_in_all="Ao todo, venderam-se {total} cartões duplos.",
    prizes_of_each="Prémios de cada metade do cartão duplo.",
    prizes=MappingProxyType(
        {
            "line": "Linha: {amount}.",
            "column": "Coluna: {amount}.",
            "corners": "Quatro cantos: {amount}.",
            "bingo": "Bingo: {amount}.",
            "prima": "Prémio suplementar, com {limit} bolas no máximo: {amount}.",
        }
    ),
    second_game="Segue-se a segunda jogada, com a segunda metade dos cartões duplos.",
)

CAPE_VERDE_2017 = Rulebook(
    code="cape-verde-2017",
    title="Portaria n.º 1/2017, de 9 de janeiro",
    language="pt",
    dated=date(2017, 1, 9),
    column_counts=MappingProxyType(
        {
            90: (1, 2),  # R14: "1 ou 2 números, nunca 0 ou 3"
            80: (4, 4),  # R65
            75: (5, 5),  # R71: five, of which the third column's centre is free
            30: (3, 3),  # R82
        }
    ),
    card_rules=MappingProxyType({90: "R14", 80: "R64-R65", 75: "R70-R71", 30: "R81-R82"}),
    # R62, R68 and R78 apply R14 to the variants "com as necessárias adaptações".
    series_rules=MappingProxyType({90: "R14", 80: "R14, R62", 75: "R14, R68", 30: "R14, R78"}),
    series_sizes=MappingProxyType(  # R16
        {
            "A": 90,
            "B": 120,
            "C": 150,
            "D": 180,
            "E": 240,
            "F": 300,
            "G": 360,
            "H": 420,
            "I": 660,
            "J": 840,
            "K": 1680,
        }
    ),
    size_rule="R16",
    fund=8000,  # R7
    shares=Shares(line=2000, bingo=6000),  # R7
    bingo_floor=5500,  # R7, second paragraph
    jackpot_rate=300,  # R10
    second_issue=True,  # R38
    double_paid_at_once=False,  # R45
    ball_set_games=2000,  # R25
    rng_interval=3,  # R31: a ball is seen, said and marked before the next
    least_age=18,  # of age; the Portaria leaves admission to the general law of games
    identity_asked=False,  # left to that law too: an authorisation may ask
    admission_days=184,  # where one does: six months, as the sibling text
    country="CV",
    winning_card_days=8,  # R52
    check_rule="R32",
    equipment=frozenset({"extractor", "board", "sound", "camera", "screen"}),  # R2 c-f
    acta_rule="R61",
    currency="CVE",
    time_zone="Atlantic/Cape_Verde",
    speeches=MappingProxyType(
        {
            "pt": Speech(ANNOUNCEMENTS, DOUBLE),
            "es": SPANISH_OF_CAPE_VERDE,
            "gl": GALICIAN_OF_CAPE_VERDE,
            "ca": CATALAN_OF_CAPE_VERDE,
            "en": ENGLISH_OF_CAPE_VERDE,
        }
    ),
)
