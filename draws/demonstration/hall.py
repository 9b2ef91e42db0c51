"""Makes a demonstration hall: people by role, tills, an authorisation, series and issues."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from django.db import transaction

from bingo.rules import rulebooks
from draws.documents.cards import palette
from draws.models import Issue
from draws.services import series, stock
from halls.models import Hall, Person, Role
from halls.services import authorisations, halls, staff, trust
from halls.services.halls import PLAYED

__all__ = ["PLAYED", "STAFF", "issue", "make"]

TIME_ZONE = "Atlantic/Cape_Verde"
FACE = 200_00
# Prices in minor units, each with the colour of its cards' faces (R18).
FACES: Mapping[int, str] = MappingProxyType({100_00: "yellow", FACE: "white", 500_00: "orange"})
# Balls within which the jackpot is won, by format: of 200 cards in one of hundreds of games at most.
JACKPOT_LIMITS, JACKPOT_BASE = {90: 40, 80: 40, 75: 48, 30: 12}, 50_000_00
CAPACITY = 300  # people
TILLS = ("Caixa 1", "Caixa 2", "Caixa 3")

MANAGER = "chefe"
# username → name shown, roles
STAFF: Mapping[str, tuple[str, tuple[Role, ...]]] = MappingProxyType(
    {
        MANAGER: ("Chefe de sala", (Role.HALL_MANAGER,)),
        "mesa": ("Chefe de mesa", (Role.TABLE_CHIEF,)),
        "locutor": ("Locutor", (Role.CALLER,)),
        "caixa1": ("Caixa 1", (Role.CASHIER,)),
        "caixa2": ("Caixa 2", (Role.CASHIER,)),
        "caixa3": ("Caixa 3", (Role.CASHIER,)),
        "vendedor1": ("Vendedor 1", (Role.SELLER,)),
        "vendedor2": ("Vendedor 2", (Role.SELLER,)),
        "auxiliar": ("Auxiliar de sala", (Role.FLOOR_ASSISTANT,)),
        "porta": ("Admissão e controlo", (Role.DOOR,)),
        "inspetor": ("Inspetor", (Role.INSPECTOR,)),
    }
)


@dataclass(frozen=True, slots=True)
class Shelf:
    """An issue that the demonstration starts with."""

    letter: str
    identification: str
    face: int = FACE
    format: int = 90
    symbols: bool = False
    figure: str = ""
    double: bool = False


SHELF = (
    Shelf("K", "1001"),
    Shelf("K", "1002"),
    Shelf("H", "2001"),
    Shelf("H", "2002"),
    Shelf("F", "5001", face=500_00),
    Shelf("G", "6001", face=100_00, double=True),
    Shelf("E", "8001", format=80),
    Shelf("D", "7501", format=75),
    Shelf("D", "7502", face=500_00, format=75, figure="X...X/.X.X./..X../.X.X./X...X"),
    Shelf("A", "3001", face=100_00, format=30, symbols=True),
)


@transaction.atomic
def make(
    *,
    code: str,
    name: str,
    at: datetime,
    passwords: Mapping[str, str],
    prefix: str = "",
    seed: str = "",
) -> Hall:
    """Make a hall with everything a session needs.

    `prefix` keeps usernames of several halls apart; the same `seed` gives the same cards, none
    those of the operating system's chance.
    """
    book = rulebooks.get("cape-verde-2017")
    keys = {one: passwords.get(one) or secrets.token_urlsafe(24) for one in STAFF}
    hall = halls.open_hall(
        code=code,
        name=name,
        licence="Licença de demonstração",
        language="pt",
        currency=book.currency,
        time_zone=TIME_ZONE,
        rulebook=book.code,
        tills=TILLS,
        manager=prefix + MANAGER,
        manager_name=STAFF[MANAGER][0],
        password=keys[MANAGER],
        reserved="",
        at=at,
    )
    by = hall.people.get(username=prefix + MANAGER)
    for username, (shown, roles) in STAFF.items():
        if username != MANAGER:
            staff.enrol(
                hall=hall,
                username=prefix + username,
                name=shown,
                roles=[role.value for role in roles],
                language="pt",
                password=keys[username],
                given=False,
                by=by,
                at=at,
            )
    _authorise(hall, by=by, at=at)
    trust.fund(hall=hall, amount=JACKPOT_BASE, reference="Valor base", by=by, at=at)
    _stock(hall, seed=seed, by=by, at=at)
    return hall


def _authorise(hall: Hall, *, by: Person, at: datetime) -> None:
    book = rulebooks.get(hall.rulebook)
    if book.shares is None or book.jackpot_rate is None:
        raise ValueError("the demonstration's rule book fixes shares and jackpot")
    authorisations.record(
        hall=hall,
        reference="DEMONSTRAÇÃO",
        valid_from=at.date().replace(month=1, day=1),
        formats=sorted(book.column_counts, reverse=True),
        faces=sorted(FACES),
        double_cards=True,
        capacity=CAPACITY,
        several_prices=True,
        line_share=book.shares.line,
        bingo_share=book.shares.bingo,
        jackpot_rate=book.jackpot_rate,
        jackpot_base=JACKPOT_BASE,
        jackpot_terms={
            "limits": [
                {"format": one, "balls": balls}
                for one, balls in JACKPOT_LIMITS.items()
                if one in book.column_counts
            ]
        },
        by=by,
        at=at,
    )


def _stock(hall: Hall, *, seed: str, by: Person, at: datetime) -> None:
    sizes = rulebooks.get(hall.rulebook).series_sizes
    published = {
        (format, letter): series.publish(
            hall=hall,
            format=format,
            letter=letter,
            size=sizes[letter],
            seed=seed and f"{seed} {letter}",
            by=by,
            at=at,
        )
        for format, letter in dict.fromkeys((shelf.format, shelf.letter) for shelf in SHELF)
    }
    for shelf in SHELF:
        stock.receive(
            hall=hall,
            series=published[shelf.format, shelf.letter],
            identification=shelf.identification,
            face=shelf.face,
            face_colour=FACES[shelf.face],
            back_colour=palette.back_of(shelf.letter),
            symbols=shelf.symbols,
            figure=shelf.figure,
            double=shelf.double,
            counted=sizes[shelf.letter],
            by=by,
            at=at,
        )


def issue(hall: Hall, identification: str) -> Issue:
    """Give one of the hall's issues."""
    return Issue.objects.select_related("series").get(hall=hall, identification=identification)
