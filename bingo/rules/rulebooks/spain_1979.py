"""Spain: Orden of 9 October 1979, Catálogo de Juegos, heading 10, Bingo."""

from dataclasses import replace
from datetime import date
from types import MappingProxyType

from bingo.rules.rulebooks.announcements import Announcements, Speech
from bingo.rules.rulebooks.rulebook import Rulebook
from bingo.rules.rulebooks.translations import (
    CATALAN_OF_SPAIN,
    ENGLISH_OF_SPAIN,
    GALICIAN_OF_SPAIN,
    PORTUGUESE_OF_SPAIN,
)

ANNOUNCEMENTS = Announcements(
    language="es",
    # BOE IV fixes what is announced before sale, not the words.
    sale_opening=(
        "Va a iniciarse la venta de cartones de la serie {letter} {identification}: "
        "{size} cartones, al precio de {price} cada uno."
    ),
    beside_opening=(
        "Se venden también cartones de la serie {letter} {identification}: "
        "{size} cartones, al precio de {price} cada uno."
    ),
    second_opening=(
        "Continúa la venta con cartones de la serie {letter} {identification}: "
        "{size} cartones, al precio de {price} cada uno."
    ),
    # BOE IV, as published.
    formula=(
        "Cartones vendidos ....., de la serie ..... (letra) ..... (número de identificación) "
        "del número .....al ..... y de la serie (en su caso) ..... del número ..... al ....."
    ),
    sale_closed=(
        "Cartones vendidos {total}, de la serie {letter} {identification} "
        "del número {first} al {last}"
    ),
    # Both issues of a game bear the same letter, so the second is told by its identification.
    sale_closed_two=(
        "Cartones vendidos {total}, de la serie {letter} {identification} "
        "del número {first} al {last} y de la serie {second_letter} {second_identification} "
        "del número {second_first} al {second_last}"
    ),
    sold_in_all="Cartones vendidos en total: {total}.",
    missing="No están en juego, de la serie {letter} {identification}: {cards}.",
    missing_card="el número {first}",
    missing_range="del número {first} al {last}",
    conjunction="y",
    prizes_of_each="",
    prizes=MappingProxyType(
        {
            "line": "Premio de línea: {amount}.",
            "column": "Premio de columna: {amount}.",
            "corners": "Premio de cuatro esquinas: {amount}.",
            "bingo": "Premio de bingo: {amount}.",
            "prima": "Prima, con {limit} bolas como máximo: {amount}.",
        }
    ),
    draw_opening="Comienza la partida.",  # BOE IV
    second_game="",
    more=MappingProxyType(
        {
            "line": "¿Alguna línea más?",  # BOE IV, its words
            "column": "¿Alguna columna más?",
            "corners": "¿Alguien más con cuatro esquinas?",
            "bingo": "¿Algún bingo más?",  # BOE IV, its words
        }
    ),
    last_game="Es la última partida de esta sesión.",
)

DOUBLE = replace(
    ANNOUNCEMENTS,
    sale_opening=(
        "Va a iniciarse la venta de cartones dobles de la serie {letter} {identification}: "
        "{size} cartones dobles, válidos para dos partidas consecutivas, "
        "al precio de {price} cada uno, {half} por cada parte."
    ),
    beside_opening=(
        "Se venden también cartones dobles de la serie {letter} {identification}: "
        "{size} cartones dobles, al precio de {price} cada uno, {half} por cada parte."
    ),
    second_opening=(
        "Continúa la venta con cartones dobles de la serie {letter} {identification}: "
        "{size} cartones dobles, al precio de {price} cada uno, {half} por cada parte."
    ),
    # BOE IV, as published.
    formula=(
        "Cartones dobles vendidos ....., de la serie ..... (letra) ..... "
        "(número de identificación) del número ..... al ..... y de la serie (en su caso) ..... "
        "del número ..... al ....."
    ),
    sale_closed=(
        "Cartones dobles vendidos {total}, de la serie {letter} {identification} "
        "del número {first} al {last}"
    ),
    sale_closed_two=(
        "Cartones dobles vendidos {total}, de la serie {letter} {identification} "
        "del número {first} al {last} y de la serie {second_letter} {second_identification} "
        "del número {second_first} al {second_last}"
    ),
    sold_in_all="Cartones dobles vendidos en total: {total}.",
    # BOE IV: "correspondientes a cada una de las partes integrantes del cartón doble"
    prizes_of_each="Premios de cada parte del cartón doble.",
    prizes=MappingProxyType(
        {
            "line": "Línea: {amount}.",
            "column": "Columna: {amount}.",
            "corners": "Cuatro esquinas: {amount}.",
            "bingo": "Bingo: {amount}.",
            "prima": "Prima, con {limit} bolas como máximo: {amount}.",
        }
    ),
    # BOE IV has it announced and fixes no words.
    second_game="Se reanuda la partida con el segundo cartón.",
)

SPAIN_1979 = Rulebook(
    code="spain-1979",
    title="Orden de 9 de octubre de 1979, Catálogo de Juegos, epígrafe 10",
    language="es",
    dated=date(1979, 10, 9),
    column_counts=MappingProxyType({90: (1, 3)}),  # BOE I: "tres, dos o un número"
    card_rules=MappingProxyType({90: "BOE I"}),
    # The text asks for no unique cards; sharing a prize with an equal card needs them all the same.
    series_rules=MappingProxyType({90: "own"}),
    series_sizes=MappingProxyType({}),
    size_rule="BOE II",  # each card tells its series' number of cards; none is fixed
    fund=None,
    shares=None,
    bingo_floor=0,
    jackpot_rate=None,
    second_issue=True,  # BOE IV: "y de la serie (en su caso)"
    double_paid_at_once=True,  # BOE IV: "podrán abonarse al finalizar la misma"
    rng_interval=3,  # as the sibling text, R31: a ball is seen, said and marked before the next
    ball_set_games=1000,  # BOE II: "cada mil partidas como máximo"
    winning_card_days=None,
    least_age=18,  # BOE III sends to the Reglamento of the game for admission
    identity_asked=True,  # BOE III: Admisión y Control, as that Reglamento has it
    admission_days=184,  # the same: six months, of which the longest have so many days
    country="ES",
    check_rule="BOE IV",  # "se deberá comprobar el correcto funcionamiento de todo el material"
    # BOE II: extraction, closed-circuit television, board; BOE IV: "a través de los altavoces".
    equipment=frozenset({"extractor", "board", "sound", "camera", "screen"}),
    acta_rule="",  # the text names no items of its "libro de actas"
    currency="EUR",
    time_zone="Europe/Madrid",
    speeches=MappingProxyType(
        {
            "es": Speech(ANNOUNCEMENTS, DOUBLE),
            "pt": PORTUGUESE_OF_SPAIN,
            "gl": GALICIAN_OF_SPAIN,
            "ca": CATALAN_OF_SPAIN,
            "en": ENGLISH_OF_SPAIN,
        }
    ),
    ball_sets_wear_in=frozenset(
        {"pneumatic"}
    ),  # BOE II: "en el caso de aparatos de bingo neumáticos"
)
