"""Makes a demonstration hall: people by role, tills, an authorisation, series and issues."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from random import SystemRandom
from types import MappingProxyType

from django.db import transaction

from bingo.rules import rulebooks
from draws.models import Issue
from draws.services import series
from halls.models import Authorisation, Hall, Person, Role, Till

PLAYED = "demo-"  # halls made to play one session in begin with this
TIME_ZONE = "Atlantic/Cape_Verde"
FACE = 200_00
FACES = [100_00, FACE, 500_00]
JACKPOT_LIMIT, JACKPOT_BASE = 40, 50_000_00
TILLS = ("Caixa 1", "Caixa 2", "Caixa 3")

# username → name shown, roles
STAFF: Mapping[str, tuple[str, tuple[Role, ...]]] = MappingProxyType(
    {
        "chefe": ("Chefe de sala", (Role.HALL_MANAGER,)),
        "mesa": ("Chefe de mesa", (Role.TABLE_CHIEF,)),
        "locutor": ("Locutor", (Role.CALLER,)),
        "caixa1": ("Caixa 1", (Role.CASHIER,)),
        "caixa2": ("Caixa 2", (Role.CASHIER,)),
        "caixa3": ("Caixa 3", (Role.CASHIER,)),
        "vendedor1": ("Vendedor 1", (Role.SELLER,)),
        "vendedor2": ("Vendedor 2", (Role.SELLER,)),
        "inspetor": ("Inspetor", (Role.INSPECTOR,)),
    }
)


@dataclass(frozen=True, slots=True)
class Shelf:
    """An issue that the demonstration starts with."""

    letter: str
    identification: str
    face: int = FACE


SHELF = (Shelf("K", "1001"), Shelf("K", "1002"), Shelf("H", "2001"), Shelf("H", "2002"))


@transaction.atomic
def make(
    *, code: str, name: str, at: datetime, passwords: Mapping[str, str], prefix: str = ""
) -> Hall:
    """Make a hall with everything a session needs; `prefix` keeps usernames of several apart."""
    hall = Hall.objects.create(
        code=code,
        name=name,
        licence="Licença de demonstração",
        language="pt",
        currency="CVE",
        time_zone=TIME_ZONE,
        rulebook="cape-verde-2017",
        jackpot_balance=JACKPOT_BASE,
    )
    _authorise(hall, at)
    for username, (shown, roles) in STAFF.items():
        Person.objects.enrol(
            hall=hall,
            username=prefix + username,
            name=shown,
            roles=[role.value for role in roles],
            language="pt",
            password=passwords.get(username) or secrets.token_urlsafe(24),
        )
    for till in TILLS:
        Till.objects.create(hall=hall, name=till)
    _stock(hall, at)
    return hall


def _authorise(hall: Hall, at: datetime) -> None:
    book = rulebooks.get(hall.rulebook)
    if book.shares is None or book.jackpot_rate is None:
        raise ValueError("the demonstration's rule book fixes shares and jackpot")
    Authorisation.objects.create(
        hall=hall,
        reference="DEMONSTRAÇÃO",
        valid_from=at.date().replace(month=1, day=1),
        faces=FACES,
        line_share=book.shares.line,
        bingo_share=book.shares.bingo,
        jackpot_rate=book.jackpot_rate,
        jackpot_limit=JACKPOT_LIMIT,
        jackpot_base=JACKPOT_BASE,
    )


def _stock(hall: Hall, at: datetime) -> None:
    by = hall.people.get(roles__contains=[Role.HALL_MANAGER])
    sizes = rulebooks.get(hall.rulebook).series_sizes
    published = {
        letter: series.publish(
            hall=hall, format=90, letter=letter, size=sizes[letter], rng=SystemRandom(), seed="",
            by=by, at=at,
        )
        for letter in dict.fromkeys(shelf.letter for shelf in SHELF)
    }  # fmt: skip
    for shelf in SHELF:
        series.receive(
            hall=hall,
            series=published[shelf.letter],
            identification=shelf.identification,
            face=shelf.face,
            by=by,
            at=at,
        )


def issue(hall: Hall, identification: str) -> Issue:
    """Give one of the hall's issues."""
    return Issue.objects.select_related("series").get(hall=hall, identification=identification)
