"""Spain: Orden of 9 October 1979, Catálogo de Juegos, heading 10, Bingo."""

from datetime import date
from types import MappingProxyType

from bingo.rules.rulebooks.announcement_words import speeches
from bingo.rules.rulebooks.rulebook import Rulebook

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
    speeches=speeches("spain-1979", language="es"),
    ball_sets_wear_in=frozenset(
        {"pneumatic"}
    ),  # BOE II: "en el caso de aparatos de bingo neumáticos"
)
