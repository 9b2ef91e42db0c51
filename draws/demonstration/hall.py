"""Make a demonstration hall: people by role, tills, an authorisation, series and issues.

Before the session opens its equipment is checked (R2, R32), and its ball set registered, approved,
put in use, and called as the law asks (R20-R23).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.utils import timezone

from bingo.rules import formats, rulebooks
from bingo.rules.equipment import RNG
from bingo.rules.session_state import load
from bingo.rules.steps.drawing import CAMERA
from draws.cards import colours, series, stock
from draws.demonstration import evening
from draws.demonstration.evening import CAPE_VERDE, Country, Evening, command_by
from draws.models import Issue
from halls import accounts, authorisations, jackpots, setup, staff
from halls.equipment import ball_sets, check_before_session
from halls.equipment import queries as equipment_queries
from halls.equipment import services as equipment_services
from halls.models import BallSet, Device, Hall, Person, Role

# Prices in units of the country, each with the colour of its cards' faces (R18).
FACE = 200
FACES: Mapping[int, str] = MappingProxyType({100: "yellow", FACE: "white", 500: "orange"})
# Balls within which the jackpot is won, by format: of 200 cards in one of hundreds of games at most.
JACKPOT_LIMITS, JACKPOT_BASE = {90: 40, 80: 40, 75: 48, 30: 12}, 50_000  # balls; units
CAPACITY = 300  # people

MANAGER = "chefe"
# username → roles; the names shown are the country's
STAFF: Mapping[str, tuple[Role, ...]] = MappingProxyType(
    {
        MANAGER: (Role.HALL_MANAGER,),
        "mesa": (Role.TABLE_CHIEF,),
        "locutor": (Role.CALLER,),
        "caixa1": (Role.CASHIER,),
        "caixa2": (Role.CASHIER,),
        "caixa3": (Role.CASHIER,),
        "vendedor1": (Role.SELLER,),
        "vendedor2": (Role.SELLER,),
        "auxiliar": (Role.FLOOR_ASSISTANT,),
        "porta": (Role.DOOR,),
        "inspetor": (Role.INSPECTOR,),
    }
)


@dataclass(frozen=True, slots=True)
class StockPlan:
    """An issue that the demonstration starts with."""

    letter: str
    identification: str
    face: int = FACE
    format: int = 90
    symbols: bool = False
    figure: str = ""
    double: bool = False


SHELF = (
    StockPlan("K", "1001"),
    StockPlan("K", "1002"),
    StockPlan("H", "2001"),
    StockPlan("H", "2002"),
    StockPlan("F", "5001", face=500),
    StockPlan("G", "6001", face=100, double=True),
    StockPlan("E", "8001", format=80),
    StockPlan("D", "7501", format=75),
    StockPlan("D", "7502", face=500, format=75, figure="X...X/.X.X./..X../.X.X./X...X"),
    StockPlan("A", "3001", face=100, format=30, symbols=True),
)


@transaction.atomic
def make(
    *,
    code: str,
    name: str = "",
    at: datetime,
    passwords: Mapping[str, str],
    prefix: str = "",
    seed: str = "",
    country: Country = CAPE_VERDE,
) -> Hall:
    """Make a hall with everything a session needs, called as its country's unless it has a `name`.

    `prefix` keeps usernames of several halls apart; the same `seed` gives the same cards, none
    those of the operating system's chance.
    """
    book = rulebooks.get(country.rulebook)
    keys = {one: passwords.get(one) or secrets.token_urlsafe(24) for one in STAFF}
    hall = setup.open_hall(
        code=code,
        name=name or country.hall,
        licence=country.licence,
        language=country.language,
        currency=book.currency,
        time_zone=country.time_zone,
        rulebook=book.code,
        tills=country.tills,
        manager=prefix + MANAGER,
        manager_name=country.staff[MANAGER],
        password=keys[MANAGER],
        reserved="",
        second_factor=False,  # its logins are printed for everybody
        at=at,
    )
    by = hall.people.get(username=prefix + MANAGER)
    for username, roles in STAFF.items():
        if username == MANAGER:
            continue
        taken_on: dict[str, Any] = {
            "hall": hall,
            "username": prefix + username,
            "name": country.staff[username],
            "roles": [role.value for role in roles],
            "language": country.language,
            "own_password": keys[username],
            "at": at,
        }
        if Role.INSPECTOR in roles:
            accounts.enrol_at_machine(**taken_on)
        else:
            staff.enrol(by=by, **taken_on)
    _authorise(hall, country, by=by, at=at)
    base = JACKPOT_BASE * country.unit
    jackpots.fund_jackpot(hall=hall, amount=base, reference=country.base, by=by, at=at)
    _stock(hall, country, seed=seed, by=by, at=at)
    return hall


def _authorise(hall: Hall, country: Country, *, by: Person, at: datetime) -> None:
    book = rulebooks.get(hall.rulebook)
    line, bingo = country.shares
    authorisations.record(
        hall=hall,
        reference=country.authorisation,
        valid_from=at.date().replace(month=1, day=1),
        formats=sorted(book.column_counts, reverse=True),
        faces=[face * country.unit for face in sorted(FACES)],
        sizes=country.sizes,
        double_cards=True,
        capacity=CAPACITY,
        several_prices=True,
        line_share=line,
        bingo_share=bingo,
        jackpot_rate=country.jackpot_rate,
        jackpot_base=JACKPOT_BASE * country.unit,
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


def _stock(hall: Hall, country: Country, *, seed: str, by: Person, at: datetime) -> None:
    book = rulebooks.get(hall.rulebook)
    sizes = book.series_sizes or country.sizes
    stocked = [shelf for shelf in SHELF if shelf.format in book.column_counts]
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
        for format, letter in dict.fromkeys((shelf.format, shelf.letter) for shelf in stocked)
    }
    for shelf in stocked:
        stock.receive(
            hall=hall,
            series=published[shelf.format, shelf.letter],
            identification=shelf.identification,
            face=shelf.face * country.unit,
            face_colour=FACES[shelf.face],
            back_colour=colours.back_of(shelf.letter),
            symbols=shelf.symbols,
            figure=shelf.figure,
            double=shelf.double,
            counted=sizes[shelf.letter],
            by=by,
            at=at,
        )


def issue(hall: Hall, identification: str) -> Issue:
    """Return one of the hall's issues."""
    return Issue.objects.select_related("series").get(hall=hall, identification=identification)


def check_equipment(hall: Hall, *, source: str, by: Person) -> None:
    """Look at every item that is due; a hall that draws from its extractor has no RNG."""
    for kind, name in check_before_session.due(hall):
        there = kind != RNG or source != CAMERA
        equipment_services.tick(
            hall=hall, kind=kind, name=name, ok=True if there else None, by=by, at=timezone.now()
        )
    equipment_services.finish_check(hall=hall, **command_by(by))


SERIAL, MODEL = "B-0001", "90"
APPROVAL, APPROVED = "1/2026", date(2026, 1, 2)


def equip(hall: Hall) -> None:
    """Put an approved set in use, in an approved extractor, and let all its balls run past."""
    manager = hall.people.get(roles__contains=[Role.HALL_MANAGER])
    country = evening.country_of(hall.rulebook)
    used = equipment_queries.in_use(hall, formats.NINETY.highest)
    if used is None:
        extractor = Device.objects.filter(hall=hall, name=country.extractor).first()
        extractor = extractor or equipment_services.register_device(
            hall=hall,
            name=country.extractor,
            kind="pneumatic",
            maker=country.balls,
            approval=APPROVAL,
            authority=country.authority,
            approved_on=APPROVED,
            **command_by(manager),
        )
        new = ball_sets.register(
            hall=hall,
            serial=SERIAL,
            format=formats.NINETY.highest,
            maker=country.balls,
            model=MODEL,
            approval=APPROVAL,
            authority=country.authority,
            approved_on=APPROVED,
            **command_by(manager),
        )
        used = ball_sets.use(ball_set=new, extractor=extractor, **command_by(manager))
    _call(used, "opening")


def call_again(evening: Evening) -> None:
    """Let the balls of every set drawn from run past once more."""
    evening.session.refresh_from_db(fields=["state"])
    for serial in load(evening.session.state).balls.drawn:
        _call(BallSet.objects.get(hall=evening.hall, serial=serial), "closing")


def _call(used: BallSet, when: str) -> None:
    equipment_services.call_balls(
        ball_set=used,
        when=when,
        seen=list(formats.get_format(used.format).numbers),
        **command_by(used.hall.people.get(roles__contains=[Role.TABLE_CHIEF])),
    )
