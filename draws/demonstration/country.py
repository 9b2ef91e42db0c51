"""What a demonstration hall has of its country: the law it plays by, its money, its people's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Country:
    """A country's hall. `unit` is the hundredth of its cheapest card, in minor units.

    `sizes` are the cards of each letter where the rule book fixes none, `shares` those of line and
    bingo and `jackpot_rate` the jackpot's, in basis points. `staff` are names shown by username.
    """

    rulebook: str
    language: str
    time_zone: str
    unit: int
    sizes: Mapping[str, int]
    shares: tuple[int, int]
    jackpot_rate: int
    hall: str
    licence: str
    authorisation: str
    base: str
    tills: tuple[str, ...]
    staff: Mapping[str, str]
    extractor: str
    balls: str
    authority: str
    camera: str
    few_players: str
    torn: str
    complaint: str
    decision: str
    misread: str
    prizes: str


CAPE_VERDE = Country(
    rulebook="cape-verde-2017",
    language="pt",
    time_zone="Atlantic/Cape_Verde",
    unit=100,
    sizes=MappingProxyType({}),
    shares=(2000, 6000),
    jackpot_rate=300,
    hall="Sala de Demonstração",
    licence="Licença de demonstração",
    authorisation="DEMONSTRAÇÃO",
    base="Valor base",
    tills=("Caixa 1", "Caixa 2", "Caixa 3"),
    staff=MappingProxyType(
        {
            "chefe": "Chefe de sala",
            "mesa": "Chefe de mesa",
            "locutor": "Locutor",
            "caixa1": "Caixa 1",
            "caixa2": "Caixa 2",
            "caixa3": "Caixa 3",
            "vendedor1": "Vendedor 1",
            "vendedor2": "Vendedor 2",
            "auxiliar": "Auxiliar de sala",
            "porta": "Admissão e controlo",
            "inspetor": "Inspetor",
        }
    ),
    extractor="Extractor 1",
    balls="Bolas de demonstração",
    authority="Entidade Reguladora",
    camera="Saída das bolas",
    few_players="Poucos jogadores na sala.",
    torn="Cartão rasgado.",
    complaint="A bola não foi ouvida na zona do bar.",
    decision="Som da zona verificado; a jogada não foi afectada.",
    misread="Foi anunciado um número diferente do da bola extraída.",
    prizes="Pagamento de prémios",
)

SPAIN = Country(
    rulebook="spain-1979",
    language="es",
    time_zone="Europe/Madrid",
    unit=1,
    sizes=MappingProxyType({"F": 300, "G": 360, "H": 420, "K": 1680}),
    shares=(2000, 6000),
    jackpot_rate=300,
    hall="Sala de Demostración",
    licence="Licencia de demostración",
    authorisation="DEMOSTRACIÓN",
    base="Importe base",
    tills=("Caja 1", "Caja 2", "Caja 3"),
    staff=MappingProxyType(
        {
            "chefe": "Jefe de sala",
            "mesa": "Jefe de mesa",
            "locutor": "Locutor",
            "caixa1": "Cajero 1",
            "caixa2": "Cajero 2",
            "caixa3": "Cajero 3",
            "vendedor1": "Vendedor 1",
            "vendedor2": "Vendedor 2",
            "auxiliar": "Auxiliar de sala",
            "porta": "Admisión y control",
            "inspetor": "Inspector",
        }
    ),
    extractor="Extractor 1",
    balls="Bolas de demostración",
    authority="Autoridad reguladora",
    camera="Salida de las bolas",
    few_players="Pocos jugadores en la sala.",
    torn="Cartón rasgado.",
    complaint="La bola no se oyó en la zona del bar.",
    decision="Sonido de la zona comprobado; la partida no se vio afectada.",
    misread="Se anunció un número distinto del de la bola extraída.",
    prizes="Pago de premios",
)

COUNTRIES: Mapping[str, Country] = MappingProxyType(
    {country.rulebook: country for country in (CAPE_VERDE, SPAIN)}
)


def of(rulebook: str) -> Country:
    """Return the country that plays by a rule book. Raises KeyError where none of these does."""
    return COUNTRIES[rulebook]
