"""Cape Verde: Portaria n.º 1/2017 of 9 January 2017, annex, Jogo do Bingo."""

from datetime import date
from types import MappingProxyType

from bingo.rules.prize_shares import Shares
from bingo.rules.rulebooks.announcement_words import speeches
from bingo.rules.rulebooks.rulebook import Rulebook

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
    evidence_rule="R51",
    equipment=frozenset({"extractor", "board", "sound", "camera", "screen"}),  # R2 c-f
    acta_rule="R61",
    language_rule="R54",  # "em todas as operações do jogo"
    currency="CVE",
    time_zone="Atlantic/Cape_Verde",
    speeches=speeches("cape-verde-2017", language="pt"),
)
