"""A session of the demonstration as values: country, people and tills, and the plan of each game.

The country gives the law it plays by, its money and its people's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import SystemRandom
from types import MappingProxyType

from django.utils import timezone

from bingo.rules import session_state
from bingo.rules.session_state import GameState
from bingo.rules.till_cash_and_shifts import ShiftState
from halls.journal.services import Who
from halls.models import Hall, Person, Role, Session, Shift


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


def country_of(rulebook: str) -> Country:
    """Return the country that plays by a rule book. Raises KeyError where none of these does."""
    return COUNTRIES[rulebook]


Progress = Callable[[str, int, int], None]


def command_by(person: Person) -> Who:
    """Return who gives a command, and when: now."""
    return {"by": person, "at": timezone.now()}


@dataclass(slots=True)
class Evening:
    """A hall in one of its sessions; `progress` is told how far something has come."""

    hall: Hall
    session: Session
    progress: Progress
    chance: SystemRandom = field(default_factory=SystemRandom)
    known_people: dict[Role, list[Person]] = field(default_factory=dict)
    opened: list[Shift] = field(default_factory=list)

    @property
    def country(self) -> Country:
        """Return what the hall has of its country."""
        return country_of(self.hall.rulebook)

    def person(self, role: Role) -> Person:
        """Return the first person of a role."""
        return self.people(role)[0]

    def people(self, role: Role) -> list[Person]:
        """Return the people of a role."""
        if role not in self.known_people:
            found = self.hall.people.filter(roles__contains=[role])
            self.known_people[role] = list(found.order_by("username"))
        return self.known_people[role]

    def shifts(self) -> list[Shift]:
        """Return the shifts, which are open from the first game to the last."""
        if not self.opened:
            found = Shift.objects.filter(session=self.session)
            found = found.select_related("till", "cashier", "session__hall")
            self.opened = list(found.order_by("number"))
        return self.opened

    def drawer(self, shift: Shift) -> ShiftState:
        """Return what the rules know of a drawer."""
        self.session.refresh_from_db(fields=["state"])
        return session_state.load(self.session.state).shifts[shift.number - 1]

    def half_due(self) -> bool:
        """Return whether the double cards of the last game have their second one to come."""
        self.session.refresh_from_db(fields=["state"])
        return session_state.load(self.session.state).half_due

    def game_state(self) -> GameState:
        """Return what the rules know of the game."""
        self.session.refresh_from_db(fields=["state"])
        known = session_state.load(self.session.state).game
        if known is None:
            raise LookupError("no game has been opened")
        return known


@dataclass(frozen=True, slots=True)
class GamePlan:
    """Cards to sell of which issues, what happens in the draw, and whether money is left `unclaimed`."""

    issue: str
    cards: int
    second: str | None = None
    beside: str | None = None
    damaged: bool = False
    void_after: int | None = None
    wrong_claim: bool = False
    line_sharers: int = 1
    complaint: bool = False
    unclaimed: bool = False
