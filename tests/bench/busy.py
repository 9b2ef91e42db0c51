"""Halls full of buyers: tills that all sell at once, a thread each, as the pages' server does it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from uuid import uuid4

from django.db import connection
from django.utils import timezone

from draws.cards import series, stock
from draws.demonstration.hall import equip
from draws.games import services as games_services
from draws.models import Game
from draws.sales import services as sales_services
from halls import authorisations, sessions, tills
from halls.models import Hall, Person, Role, Session, Shift, Till
from tests.support.evening import tonight

FACE = 200_00
LETTER = "BENCH"


@dataclass(frozen=True, slots=True)
class Seat:
    """A cashier at a till, while a game is on sale."""

    game: Game
    shift: Shift


def hall(code: str, *, cashiers: int, cards: int) -> Hall:
    """Make a hall with one issue of `cards` on sale, and a cashier at each of its tills."""
    made = _hall(code, cashiers)
    staff = {
        role: made.people.filter(roles__contains=[role]).order_by("username")[0] for role in Role
    }
    manager, chief = staff[Role.HALL_MANAGER], staff[Role.TABLE_CHIEF]
    now = timezone.now()
    authorisations.record(
        hall=made, reference="bench", valid_from=now.date().replace(month=1, day=1), formats=[90],
        faces=[FACE], sizes={LETTER: cards}, double_cards=False, line_share=2000, bingo_share=6000,
        jackpot_rate=300, jackpot_terms={"limits": [{"format": 90, "balls": 40}]}, by=manager, at=now,
    )  # fmt: skip
    matrix = series.publish(hall=made, format=90, letter=LETTER, size=cards, by=manager, at=now)
    issue = stock.receive(
        hall=made, series=matrix, identification=code, face=FACE, face_colour="white",
        back_colour="blue", counted=cards, by=manager, at=now,
    )  # fmt: skip
    session = sessions.open_session(
        hall=made, checked=True, ends_at=tonight(now), by=manager, at=now
    )
    equip(made)
    game = games_services.open_game(session=session, issue=issue, by=chief, at=now)
    games_services.announce_sale(game=game, by=staff[Role.CALLER], at=now)
    for till in made.tills.order_by("pk"):
        cashier = made.people.get(username=f"{code}-{till.name}")
        tills.open_shift(session=session, till=till, float=0, by=cashier, at=now)
    return made


def seats(session: Session) -> list[Seat]:
    """Return every till of a session, each with rows of its own as a request reads them."""
    found = Game.objects.select_related("session__hall", "issue__series")
    shifts = session.shifts.select_related("session__hall", "till", "cashier__hall")
    return [Seat(found.get(session=session), shift) for shift in shifts]


def sell(places: Sequence[Seat], *, seconds: float) -> float:
    """Let all tills sell one card after another for so long; give sales a second."""
    start = Barrier(len(places) + 1)

    def work(seat: Seat) -> int:
        start.wait(timeout=20)
        sold, until = 0, time.perf_counter() + seconds
        while time.perf_counter() < until:
            sales_services.sell(
                game=seat.game, shift=seat.shift, quantity=1, by=seat.shift.cashier,
                at=timezone.now(), key=uuid4(),
            )  # fmt: skip
            sold += 1
        connection.close()
        return sold

    with ThreadPoolExecutor(len(places)) as threads:
        working = [threads.submit(work, seat) for seat in places]
        start.wait(timeout=20)
        began = time.perf_counter()
        sold = sum(one.result() for one in working)
        return sold / (time.perf_counter() - began)


def _hall(code: str, cashiers: int) -> Hall:
    made = Hall.objects.create(
        code=code, name=code, licence="1", language="pt", currency="CVE",
        time_zone="Atlantic/Cape_Verde", rulebook="cape-verde-2017",
    )  # fmt: skip
    for role in Role:
        _person(made, f"{code}-{role.value}", role)
    for number in range(1, cashiers + 1):
        till = Till.objects.create(hall=made, name=f"Caixa {number}")
        _person(made, f"{code}-{till.name}", Role.CASHIER)
    return made


def _person(made: Hall, username: str, role: Role) -> None:
    Person.objects.create(
        hall=made, username=username, name=username, roles=[role.value], language="pt",
        password="!",
    )  # fmt: skip
