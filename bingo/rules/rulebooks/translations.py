"""What is said aloud in another language beside the law's own (R54): our translations."""

from dataclasses import replace
from types import MappingProxyType

from bingo.rules.rulebooks.announcements import Announcements, Speech

_PORTUGUESE = Announcements(
    language="pt",
    sale_opening=(
        "Vai iniciar-se a venda de cartões da série {letter} {identification}: "
        "{size} cartões, ao preço de {price} cada um."
    ),
    beside_opening=(
        "Vendem-se também cartões da série {letter} {identification}: "
        "{size} cartões, ao preço de {price} cada um."
    ),
    second_opening=(
        "Prossegue a venda com cartões da série {letter} {identification}: "
        "{size} cartões, ao preço de {price} cada um."
    ),
    formula="",
    sale_closed=(
        "Cartões vendidos: {total}, da série {letter} {identification}, do número {first} ao {last}"
    ),
    sale_closed_two=(
        "Cartões vendidos: {total}, da série {letter} {identification}, "
        "do número {first} ao {last}, e da série {second_letter} {second_identification}, "
        "do número {second_first} ao {second_last}"
    ),
    sold_in_all="Cartões vendidos ao todo: {total}.",
    missing="Não estão em jogo, da série {letter} {identification}: {cards}.",
    missing_card="o número {first}",
    missing_range="do número {first} ao {last}",
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
    draw_opening="Começa a jogada.",
    second_game="",
    more=MappingProxyType(
        {
            "line": "Mais alguma linha?",
            "column": "Mais alguma coluna?",
            "corners": "Mais alguém com quatro cantos?",
            "bingo": "Mais algum bingo?",
        }
    ),
    last_game="É a última jogada desta sessão.",
)

_PORTUGUESE_DOUBLE = replace(
    _PORTUGUESE,
    sale_opening=(
        "Vai iniciar-se a venda de cartões duplos da série {letter} {identification}: "
        "{size} cartões duplos, válidos para duas jogadas seguidas, "
        "ao preço de {price} cada um, {half} por cada parte."
    ),
    beside_opening=(
        "Vendem-se também cartões duplos da série {letter} {identification}: "
        "{size} cartões duplos, ao preço de {price} cada um, {half} por cada parte."
    ),
    second_opening=(
        "Prossegue a venda com cartões duplos da série {letter} {identification}: "
        "{size} cartões duplos, ao preço de {price} cada um, {half} por cada parte."
    ),
    sale_closed=(
        "Cartões duplos vendidos: {total}, da série {letter} {identification}, "
        "do número {first} ao {last}"
    ),
    sale_closed_two=(
        "Cartões duplos vendidos: {total}, da série {letter} {identification}, "
        "do número {first} ao {last}, e da série {second_letter} {second_identification}, "
        "do número {second_first} ao {second_last}"
    ),
    sold_in_all="Cartões duplos vendidos ao todo: {total}.",
    prizes_of_each="Prémios de cada parte do cartão duplo.",
    prizes=MappingProxyType(
        {
            "line": "Linha: {amount}.",
            "column": "Coluna: {amount}.",
            "corners": "Quatro cantos: {amount}.",
            "bingo": "Bingo: {amount}.",
            "prima": "Prémio suplementar, com {limit} bolas no máximo: {amount}.",
        }
    ),
    second_game="O jogo continua com o segundo cartão.",
)

_SPANISH = Announcements(
    language="es",
    sale_opening=(
        "Va a iniciarse la venta de cartones de la serie {letter}, n.º {identification}: "
        "{size} cartones, al precio de {price} cada cartón."
    ),
    beside_opening=(
        "Se venden también cartones de la serie {letter}, n.º {identification}: "
        "{size} cartones, al precio de {price} cada cartón."
    ),
    second_opening=(
        "Continúa la venta con cartones de la serie {letter}, n.º {identification}: "
        "{size} cartones, al precio de {price} cada cartón."
    ),
    formula="",
    sale_closed=(
        "Se han vendido {total} cartones de la serie {letter}, n.º {identification}, "
        "del n.º {first} al n.º {last}"
    ),
    sale_closed_two=(
        "Se han vendido {total} cartones de la serie {letter}, n.º {identification}, "
        "del n.º {first} al n.º {last}, y de la serie {second_letter}, "
        "n.º {second_identification}, del n.º {second_first} al n.º {second_last}"
    ),
    sale_closed_one=(
        "Se ha vendido 1 cartón de la serie {letter}, n.º {identification}: el n.º {first}"
    ),
    sold_in_all="En total, se han vendido {total} cartones.",
    missing="No están en juego, de la serie {letter}, n.º {identification}: {cards}.",
    missing_card="el n.º {first}",
    missing_range="del n.º {first} al n.º {last}",
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
    draw_opening="Comienza la extracción de las bolas.",
    second_game="",
    more=MappingProxyType(
        {
            "line": "¿Alguna línea más?",
            "column": "¿Alguna columna más?",
            "corners": "¿Alguien más con cuatro esquinas?",
            "bingo": "¿Algún bingo más?",
        }
    ),
    last_game="Es la última partida de esta sesión.",
)

_SPANISH_DOUBLE = replace(
    _SPANISH,
    sale_opening=(
        "Va a iniciarse la venta de cartones dobles de la serie {letter}, n.º {identification}: "
        "{size} cartones dobles, válidos para dos partidas seguidas, "
        "al precio de {price} cada cartón doble, {half} por cada mitad."
    ),
    beside_opening=(
        "Se venden también cartones dobles de la serie {letter}, n.º {identification}: "
        "{size} cartones dobles, al precio de {price} cada cartón doble, {half} por cada mitad."
    ),
    second_opening=(
        "Continúa la venta con cartones dobles de la serie {letter}, n.º {identification}: "
        "{size} cartones dobles, al precio de {price} cada cartón doble, {half} por cada mitad."
    ),
    sale_closed=(
        "Se han vendido {total} cartones dobles de la serie {letter}, n.º {identification}, "
        "del n.º {first} al n.º {last}"
    ),
    sale_closed_two=(
        "Se han vendido {total} cartones dobles de la serie {letter}, n.º {identification}, "
        "del n.º {first} al n.º {last}, y de la serie {second_letter}, "
        "n.º {second_identification}, del n.º {second_first} al n.º {second_last}"
    ),
    sale_closed_one=(
        "Se ha vendido 1 cartón doble de la serie {letter}, n.º {identification}: el n.º {first}"
    ),
    sold_in_all="En total, se han vendido {total} cartones dobles.",
    prizes_of_each="Premios de cada mitad del cartón doble.",
    prizes=MappingProxyType(
        {
            "line": "Línea: {amount}.",
            "column": "Columna: {amount}.",
            "corners": "Cuatro esquinas: {amount}.",
            "bingo": "Bingo: {amount}.",
            "prima": "Prima, con {limit} bolas como máximo: {amount}.",
        }
    ),
    second_game="Sigue la segunda partida, con la segunda mitad de los cartones dobles.",
)

_GALICIAN = Announcements(
    language="gl",
    sale_opening=(
        "Vaise iniciar a venda de cartóns da serie {letter}, n.º {identification}: "
        "{size} cartóns, ao prezo de {price} cada cartón."
    ),
    beside_opening=(
        "Véndense tamén cartóns da serie {letter}, n.º {identification}: "
        "{size} cartóns, ao prezo de {price} cada cartón."
    ),
    second_opening=(
        "Continúa a venda con cartóns da serie {letter}, n.º {identification}: "
        "{size} cartóns, ao prezo de {price} cada cartón."
    ),
    formula="",
    sale_closed=(
        "Vendéronse {total} cartóns da serie {letter}, n.º {identification}, "
        "do n.º {first} ao n.º {last}"
    ),
    sale_closed_two=(
        "Vendéronse {total} cartóns da serie {letter}, n.º {identification}, "
        "do n.º {first} ao n.º {last}, e da serie {second_letter}, "
        "n.º {second_identification}, do n.º {second_first} ao n.º {second_last}"
    ),
    sale_closed_one=("Vendeuse 1 cartón da serie {letter}, n.º {identification}: o n.º {first}"),
    sold_in_all="En total, vendéronse {total} cartóns.",
    missing="Non están en xogo, da serie {letter}, n.º {identification}: {cards}.",
    missing_card="o n.º {first}",
    missing_range="do n.º {first} ao n.º {last}",
    conjunction="e",
    prizes_of_each="",
    prizes=MappingProxyType(
        {
            "line": "Premio de liña: {amount}.",
            "column": "Premio de columna: {amount}.",
            "corners": "Premio de catro esquinas: {amount}.",
            "bingo": "Premio de bingo: {amount}.",
            "prima": "Prima, con {limit} bólas como máximo: {amount}.",
        }
    ),
    draw_opening="Comeza a extracción das bólas.",
    second_game="",
    more=MappingProxyType(
        {
            "line": "Algunha liña máis?",
            "column": "Algunha columna máis?",
            "corners": "Alguén máis con catro esquinas?",
            "bingo": "Algún bingo máis?",
        }
    ),
    last_game="É a última partida desta sesión.",
)

_GALICIAN_DOUBLE = replace(
    _GALICIAN,
    sale_opening=(
        "Vaise iniciar a venda de cartóns dobres da serie {letter}, n.º {identification}: "
        "{size} cartóns dobres, válidos para dúas partidas seguidas, "
        "ao prezo de {price} cada cartón dobre, {half} por cada metade."
    ),
    beside_opening=(
        "Véndense tamén cartóns dobres da serie {letter}, n.º {identification}: "
        "{size} cartóns dobres, ao prezo de {price} cada cartón dobre, {half} por cada metade."
    ),
    second_opening=(
        "Continúa a venda con cartóns dobres da serie {letter}, n.º {identification}: "
        "{size} cartóns dobres, ao prezo de {price} cada cartón dobre, {half} por cada metade."
    ),
    sale_closed=(
        "Vendéronse {total} cartóns dobres da serie {letter}, n.º {identification}, "
        "do n.º {first} ao n.º {last}"
    ),
    sale_closed_two=(
        "Vendéronse {total} cartóns dobres da serie {letter}, n.º {identification}, "
        "do n.º {first} ao n.º {last}, e da serie {second_letter}, "
        "n.º {second_identification}, do n.º {second_first} ao n.º {second_last}"
    ),
    sale_closed_one=(
        "Vendeuse 1 cartón dobre da serie {letter}, n.º {identification}: o n.º {first}"
    ),
    sold_in_all="En total, vendéronse {total} cartóns dobres.",
    prizes_of_each="Premios de cada metade do cartón dobre.",
    prizes=MappingProxyType(
        {
            "line": "Liña: {amount}.",
            "column": "Columna: {amount}.",
            "corners": "Catro esquinas: {amount}.",
            "bingo": "Bingo: {amount}.",
            "prima": "Prima, con {limit} bólas como máximo: {amount}.",
        }
    ),
    second_game="Segue a segunda partida, coa segunda metade dos cartóns dobres.",
)

_CATALAN = Announcements(
    language="ca",
    sale_opening=(
        "S’iniciarà la venda de cartrons de la sèrie {letter}, núm. {identification}: "
        "{size} cartrons, al preu de {price} cada cartró."
    ),
    beside_opening=(
        "Es venen també cartrons de la sèrie {letter}, núm. {identification}: "
        "{size} cartrons, al preu de {price} cada cartró."
    ),
    second_opening=(
        "Continua la venda amb cartrons de la sèrie {letter}, núm. {identification}: "
        "{size} cartrons, al preu de {price} cada cartró."
    ),
    formula="",
    sale_closed=(
        "S’han venut {total} cartrons de la sèrie {letter}, núm. {identification}, "
        "del núm. {first} al núm. {last}"
    ),
    sale_closed_two=(
        "S’han venut {total} cartrons de la sèrie {letter}, núm. {identification}, "
        "del núm. {first} al núm. {last}, i de la sèrie {second_letter}, "
        "núm. {second_identification}, del núm. {second_first} al núm. {second_last}"
    ),
    sale_closed_one=(
        "S’ha venut 1 cartró de la sèrie {letter}, núm. {identification}: el núm. {first}"
    ),
    sold_in_all="En total, s’han venut {total} cartrons.",
    missing="No són en joc, de la sèrie {letter}, núm. {identification}: {cards}.",
    missing_card="el núm. {first}",
    missing_range="del núm. {first} al núm. {last}",
    conjunction="i",
    prizes_of_each="",
    prizes=MappingProxyType(
        {
            "line": "Premi de línia: {amount}.",
            "column": "Premi de columna: {amount}.",
            "corners": "Premi de quatre cantonades: {amount}.",
            "bingo": "Premi de bingo: {amount}.",
            "prima": "Prima, amb {limit} boles com a màxim: {amount}.",
        }
    ),
    draw_opening="Comença l’extracció de les boles.",
    second_game="",
    more=MappingProxyType(
        {
            "line": "Alguna línia més?",
            "column": "Alguna columna més?",
            "corners": "Algú més amb quatre cantonades?",
            "bingo": "Algun bingo més?",
        }
    ),
    last_game="És l’última partida d’aquesta sessió.",
)

_CATALAN_DOUBLE = replace(
    _CATALAN,
    sale_opening=(
        "S’iniciarà la venda de cartrons dobles de la sèrie {letter}, núm. {identification}: "
        "{size} cartrons dobles, vàlids per a dues partides seguides, "
        "al preu de {price} cada cartró doble, {half} per cada meitat."
    ),
    beside_opening=(
        "Es venen també cartrons dobles de la sèrie {letter}, núm. {identification}: "
        "{size} cartrons dobles, al preu de {price} cada cartró doble, {half} per cada meitat."
    ),
    second_opening=(
        "Continua la venda amb cartrons dobles de la sèrie {letter}, núm. {identification}: "
        "{size} cartrons dobles, al preu de {price} cada cartró doble, {half} per cada meitat."
    ),
    sale_closed=(
        "S’han venut {total} cartrons dobles de la sèrie {letter}, núm. {identification}, "
        "del núm. {first} al núm. {last}"
    ),
    sale_closed_two=(
        "S’han venut {total} cartrons dobles de la sèrie {letter}, núm. {identification}, "
        "del núm. {first} al núm. {last}, i de la sèrie {second_letter}, "
        "núm. {second_identification}, del núm. {second_first} al núm. {second_last}"
    ),
    sale_closed_one=(
        "S’ha venut 1 cartró doble de la sèrie {letter}, núm. {identification}: el núm. {first}"
    ),
    sold_in_all="En total, s’han venut {total} cartrons dobles.",
    prizes_of_each="Premis de cada meitat del cartró doble.",
    prizes=MappingProxyType(
        {
            "line": "Línia: {amount}.",
            "column": "Columna: {amount}.",
            "corners": "Quatre cantonades: {amount}.",
            "bingo": "Bingo: {amount}.",
            "prima": "Prima, amb {limit} boles com a màxim: {amount}.",
        }
    ),
    second_game="Segueix la segona partida, amb la segona meitat dels cartrons dobles.",
)

_ENGLISH = Announcements(
    language="en",
    sale_opening=(
        "Cards of series {letter}, number {identification}, are now on sale: "
        "{size} cards, at {price} each."
    ),
    beside_opening=(
        "Also on sale are cards of series {letter}, number {identification}: "
        "{size} cards, at {price} each."
    ),
    second_opening=(
        "The sale goes on with cards of series {letter}, number {identification}: "
        "{size} cards, at {price} each."
    ),
    formula="",
    sale_closed=(
        "Cards sold: {total}, of series {letter}, number {identification}, "
        "from number {first} to number {last}"
    ),
    sale_closed_two=(
        "Cards sold: {total}, of series {letter}, number {identification}, "
        "from number {first} to number {last}, and of series {second_letter}, "
        "number {second_identification}, from number {second_first} to number {second_last}"
    ),
    sold_in_all="Cards sold in all: {total}.",
    missing="Not in play, of series {letter}, number {identification}: {cards}.",
    missing_card="number {first}",
    missing_range="numbers {first} to {last}",
    conjunction="and",
    prizes_of_each="",
    prizes=MappingProxyType(
        {
            "line": "Line prize: {amount}.",
            "column": "Column prize: {amount}.",
            "corners": "Four corners prize: {amount}.",
            "bingo": "Bingo prize: {amount}.",
            "prima": "Bonus, within {limit} balls: {amount}.",
        }
    ),
    draw_opening="The extraction of the balls begins.",
    second_game="",
    more=MappingProxyType(
        {
            "line": "Any more lines?",
            "column": "Any more columns?",
            "corners": "Anybody else with four corners?",
            "bingo": "Any more bingos?",
        }
    ),
    last_game="This is the last game of this session.",
)

_ENGLISH_DOUBLE = replace(
    _ENGLISH,
    sale_opening=(
        "Double cards of series {letter}, number {identification}, are now on sale: "
        "{size} double cards, good for two games in a row, at {price} each, {half} for each half."
    ),
    beside_opening=(
        "Also on sale are double cards of series {letter}, number {identification}: "
        "{size} double cards, at {price} each, {half} for each half."
    ),
    second_opening=(
        "The sale goes on with double cards of series {letter}, number {identification}: "
        "{size} double cards, at {price} each, {half} for each half."
    ),
    sale_closed=(
        "Double cards sold: {total}, of series {letter}, number {identification}, "
        "from number {first} to number {last}"
    ),
    sale_closed_two=(
        "Double cards sold: {total}, of series {letter}, number {identification}, "
        "from number {first} to number {last}, and of series {second_letter}, "
        "number {second_identification}, from number {second_first} to number {second_last}"
    ),
    sold_in_all="Double cards sold in all: {total}.",
    prizes_of_each="Prizes of each half of the double card.",
    prizes=MappingProxyType(
        {
            "line": "Line: {amount}.",
            "column": "Column: {amount}.",
            "corners": "Four corners: {amount}.",
            "bingo": "Bingo: {amount}.",
            "prima": "Bonus, within {limit} balls: {amount}.",
        }
    ),
    second_game="The second game follows, with the second half of the double cards.",
)

# What BOE IV has announced; R40 c speaks of the extraction.
GAME_BEGINS = "The game begins."
GAME_BEGINS_IN_GALICIAN = "Comeza a partida."
GAME_BEGINS_IN_CATALAN = "Comença la partida."

PORTUGUESE_OF_SPAIN = Speech(_PORTUGUESE, _PORTUGUESE_DOUBLE)
SPANISH_OF_CAPE_VERDE = Speech(_SPANISH, _SPANISH_DOUBLE)
GALICIAN_OF_CAPE_VERDE = Speech(_GALICIAN, _GALICIAN_DOUBLE)
GALICIAN_OF_SPAIN = Speech(
    replace(_GALICIAN, draw_opening=GAME_BEGINS_IN_GALICIAN),
    replace(_GALICIAN_DOUBLE, draw_opening=GAME_BEGINS_IN_GALICIAN),
)
CATALAN_OF_CAPE_VERDE = Speech(_CATALAN, _CATALAN_DOUBLE)
CATALAN_OF_SPAIN = Speech(
    replace(_CATALAN, draw_opening=GAME_BEGINS_IN_CATALAN),
    replace(_CATALAN_DOUBLE, draw_opening=GAME_BEGINS_IN_CATALAN),
)
ENGLISH_OF_CAPE_VERDE = Speech(_ENGLISH, _ENGLISH_DOUBLE)
ENGLISH_OF_SPAIN = Speech(
    replace(_ENGLISH, draw_opening=GAME_BEGINS),
    replace(_ENGLISH_DOUBLE, draw_opening=GAME_BEGINS),
)
