"""A small hall and its evening, brought by the services to whatever stage a test begins at."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from bingo.rules import cards, formats, policies
from bingo.rules.approvals_and_roll_calls_due import SET
from bingo.rules.session_state import load
from bingo.rules.steps.drawing import BY_HAND, CAMERA
from draws.balls import draw
from draws.cards import series, stock
from draws.claims import services as claims_services
from draws.games import progress
from draws.games import services as games_services
from draws.models import Ball, Card, Game, Issue, Payment, Prize, Refund, Sale, Series
from draws.sales import services as sales_services
from halls import authorisations, sessions, tills
from halls.equipment import approvals_and_roll_calls_due, ball_sets
from halls.equipment import queries as equipment_queries
from halls.equipment import services as equipment_services
from halls.journal import head
from halls.models import (
    Authorisation,
    BallSet,
    CashMovement,
    Hall,
    JournalEntry,
    Person,
    Role,
    Session,
    Shift,
    SignIn,
    Till,
)
from halls.sign_in import logins
from halls.web.middleware import SessionStore
from tests.support import factors, hall_rows
from tests.support.planting_rows import plant

BACKEND = "halls.web.middleware.Backend"
SIZE = 90
FACE = 200_00
FACE_COLOUR, BACK_COLOUR = "yellow", "blue"
FORMATS = [90, 80, 75, 30]
FLOAT = 50_000_00
SERIAL = "J-1979"
APPROVAL: dict[str, Any] = {
    "approval": "12/2025", "authority": "Inspecção Geral de Jogos", "approved_on": date(2025, 1, 2),
}  # fmt: skip
DESKS = ("till", "caller", "table", "manager")
SEAT = {
    "till": Role.CASHIER,
    "caller": Role.CALLER,
    "table": Role.TABLE_CHIEF,
    "manager": Role.HALL_MANAGER,
    "inspector": Role.INSPECTOR,
}
STAGES = (
    "none", "session", "shift", "prepared", "selling", "sold", "closed", "drawing", "stopped",
    "checked", "window", "awarded", "paying",
)  # fmt: skip


KEPT = "shift"  # as far as most tests are alike: their session and till are put back as rows


class Evening:
    """One hall; `reach` plays it up to a stage, card 1 of its first issue winning everything."""

    def __init__(
        self,
        code: str = "sala",
        *,
        language: str = "pt",
        hall: Hall | None = None,
        format: int = 90,
    ) -> None:
        usual = (code, language, format) == USUAL
        self.hall = (
            hall or (hall_rows.restore_hall() if usual else None) or hall_of(code, language, format)
        )
        self.stage = 0
        self._people: dict[Role, Person] = {}  # while a stage is reached, nobody changes

    def person(self, role: Role) -> Person:
        """The first person of a role."""
        return (
            self._people.get(role)
            or self.hall.people.filter(roles__contains=[role]).order_by("username")[0]
        )

    def at(self, desk: str) -> Client:
        """A browser logged in as whoever sits at a desk."""
        return browser_of(self.person(SEAT[desk]))

    @property
    def session(self) -> Session:
        """The open session."""
        return self.hall.sessions.get(closed_at__isnull=True)

    @property
    def game(self) -> Game:
        """The newest game."""
        return Game.objects.select_related("session__hall", "issue__series").latest("pk")

    @property
    def shift(self) -> Shift:
        """The newest shift of the first cashier."""
        found = Shift.objects.select_related("session__hall", "till")
        mine = found.filter(session=self.session, cashier=self.person(Role.CASHIER))
        return mine.latest("pk")

    @property
    def today(self) -> date:
        """The hall's own day, which is not everywhere's."""
        return day_of(self.hall)

    def issue(self, number: int = 1) -> Issue:
        """One of the hall's first two issues."""
        return self.hall.issues.select_related("series").order_by("identification")[number - 1]

    def numbers(self, card: int = 1) -> list[int]:
        """The numbers of a card."""
        rows = Card.objects.get(series=self.issue().series_id, number=card).rows
        return sorted(cards.numbers(tuple(tuple(row) for row in rows)))

    def hour(self, hours: int = 8) -> str:
        """What the hall's clock shows so many hours from now, as a form sends it."""
        moment = timezone.now() + timedelta(hours=hours)
        return f"{moment.astimezone(ZoneInfo(self.hall.time_zone)):%H:%M}"

    def reach(self, stage: str) -> Evening:
        """Play on up to a stage."""
        kept = STAGES.index(KEPT)
        if self.stage == 0 and STAGES.index(stage) >= kept and hall_rows.restore_session(self.hall):
            self.stage = kept
        people = self.hall.people.order_by("-username")
        self._people = {Role(role): person for person in people for role in person.roles}
        try:
            while STAGES[self.stage] != stage:
                self.stage += 1
                getattr(self, f"_{STAGES[self.stage]}")()
        finally:
            self._people = {}
        return self

    def who(self, role: Role) -> dict[str, Any]:
        """Who does something, and when."""
        return {"by": self.person(role), "at": timezone.now()}

    def _session(self) -> None:
        who = self.who(Role.HALL_MANAGER)
        sessions.open_session(hall=self.hall, checked=True, ends_at=tonight(), **who)

    def _shift(self) -> None:
        till = self.hall.tills.order_by("pk")[0]
        tills.open_shift(session=self.session, till=till, float=FLOAT, **self.who(Role.CASHIER))

    def _prepared(self) -> None:
        games_services.open_game(
            session=self.session, issue=self.issue(), **self.who(Role.TABLE_CHIEF)
        )

    def _selling(self) -> None:
        if self._source in (CAMERA, BY_HAND):
            self.equip()
        games_services.announce_sale(game=self.game, **self.who(Role.CALLER))

    def _sold(self) -> None:
        limited = self.session.state["terms"].get("player_limit")
        sales_services.sell(
            game=self.game, shift=self.shift, quantity=6, player="Mesa 1" if limited else None,
            **self.who(Role.CASHIER),
        )  # fmt: skip

    def _closed(self) -> None:
        # Where the first ball decides it may be drawn by hand, and so it is where the RNG stops.
        self.equip()
        games_services.close_sale(game=self.game, **self.who(Role.CALLER))

    @property
    def _source(self) -> str:
        """Where the hall has decided that balls come from."""
        return policies.of(self.session.state["terms"]).source

    def equip(self) -> Evening:
        """Let the hall have an approved set of balls in use, and call them (R20-R23)."""
        manager, format = self.who(Role.HALL_MANAGER), self.issue().series.format
        used = equipment_queries.in_use(self.hall, format)
        if used is None and (SET, str(format)) in load(self.session.state).balls.left_out:
            return self
        if used is None:
            serial = f"{SERIAL}-{format}"
            new = ball_sets.register(
                hall=self.hall, serial=serial, format=format, **APPROVAL, **manager
            )
            used = ball_sets.use(ball_set=new, **manager)
        called = approvals_and_roll_calls_due.opening_call(self.session, used.serial)
        if called is None or not approvals_and_roll_calls_due.is_whole(called):
            call_balls(used, "opening", **self.who(Role.TABLE_CHIEF))
        return self

    def close(self, **given: Any) -> Session:
        """Call the balls of every set drawn from, and close the session (R23)."""
        self.call_again()
        return sessions.close_session(session=self.session, **(self.who(Role.HALL_MANAGER) | given))

    def call_again(self) -> None:
        """Call the balls of every set drawn from."""
        for serial in load(self.session.state).balls.drawn:
            found = BallSet.objects.get(hall=self.hall, serial=serial)
            call_balls(found, "closing", **self.who(Role.TABLE_CHIEF))

    def _drawing(self) -> None:
        games_services.announce_draw(game=self.game, **self.who(Role.CALLER))
        self.announce_balls(*self.numbers())

    def announce_balls(self, *numbers: int) -> None:
        """Announce balls keyed by the caller, all in one transaction, which is quick."""
        game, who = self.game, self.who(Role.CALLER)
        with transaction.atomic():
            book = head.open_book(game.session, [])
            for number in numbers:
                progress.post(game, number, BY_HAND, book=book, **who)

    def _stopped(self) -> None:
        draw.call_claim(game=self.game, combination="bingo", **self.who(Role.CALLER))

    def _checked(self) -> None:
        claims_services.check(
            game=self.game, combination="bingo", issue=self.issue(), card=1, sound=True,
            **self.who(Role.TABLE_CHIEF),
        )  # fmt: skip

    def _window(self) -> None:
        claims_services.open_window(game=self.game, **self.who(Role.TABLE_CHIEF))

    def _awarded(self) -> None:
        claims_services.close_window(game=self.game, **self.who(Role.TABLE_CHIEF))

    def _paying(self) -> None:
        games_services.finish(game=self.game, **self.who(Role.TABLE_CHIEF))


def tonight(at: datetime | None = None) -> datetime:
    """When a session opened now, or `at` a moment, is planned to end."""
    return (at or timezone.now()) + timedelta(hours=8)


def call_balls(ball_set: BallSet, when: str, **who: Any) -> JournalEntry:
    """Let every ball of a set run past, none missing (R23)."""
    whole = formats.get_format(ball_set.format).numbers
    return equipment_services.call_balls(ball_set=ball_set, when=when, seen=list(whole), **who)


def fresh_browser(person: Person) -> Client:
    """A browser in which somebody has just logged in, and seen no page yet."""
    client = Client()
    client.force_login(person, backend=BACKEND)
    return client


def browser_of(person: Person) -> Client:
    """A browser in which somebody is logged in: the rows of a login, without going through one."""
    client, now = Client(), timezone.now()
    row = SignIn.objects.create(hall_id=person.hall_id, person=person, since=now, seen_at=now)
    session = SessionStore()
    session.update(
        {
            SESSION_KEY: str(person.pk),
            BACKEND_SESSION_KEY: BACKEND,
            HASH_SESSION_KEY: person.get_session_auth_hash(),
            logins.KEY: row.pk,
        }
    )
    session.create()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    if logins.is_obliged(person):
        factors.show(client, factors.add_app(person))
    return client


def order(
    client: Client, desk: str, verb: str, *, key: object = None, **fields: object
) -> HttpResponse:
    """Send an order to a desk, with a key of its own unless one is given."""
    sent = {"key": str(key or uuid4())} | {name: str(value) for name, value in fields.items()}
    answer: HttpResponse = client.post(f"/{desk}/do/{verb}/", sent)  # type: ignore[assignment]
    return answer


def books(hall: Hall) -> dict[str, Any]:
    """All that a refused order must leave as it was."""
    counted = (Sale, Ball, Prize, Payment, Refund, CashMovement, Shift, Session, Game)
    return {
        "rows": {model.__name__: model._default_manager.count() for model in counted},
        "state": list(Session.objects.order_by("pk").values_list("state", "closed_at")),
        "phases": list(Game.objects.order_by("pk").values_list("phase", "cards", "void")),
        "issues": list(Issue.objects.order_by("pk").values_list("pk", "last_sold")),
        "jackpot": Hall.objects.get(pk=hall.pk).jackpot_balance,
        "facts": list(
            JournalEntry.objects.filter(hall=hall)
            .exclude(kind="command_refused")
            .order_by("number")
            .values_list("kind", flat=True)
        ),
    }


USUAL = ("sala", "pt", 90)


def keep_rows() -> None:
    """Let the usual hall and its open session be put back as rows in the present database."""
    hall_rows.save_rows(lambda: hall_of(*USUAL), lambda hall: Evening(hall=hall).reach(KEPT))


def hall_of(code: str, language: str, format: int) -> Hall:
    """Return a new hall: two people of every role, two tills, and two issues of one series."""
    hall = Hall.objects.create(
        code=code,
        name=f"Sala {code}",
        licence="1/2026",
        language=language,
        currency="CVE",
        time_zone="Atlantic/Cape_Verde",
        rulebook="cape-verde-2017",
        jackpot_balance=FLOAT,
        second_factor=False,
    )
    Person.objects.bulk_create(
        Person(
            hall=hall, username=f"{code}-{role}-{number}", name=f"{role.value} {number}",
            roles=[role.value], language=language, password="!",
        )
        for role in Role
        for number in (1, 2)
    )  # fmt: skip
    authorise(hall)
    Till.objects.bulk_create(Till(hall=hall, name=f"Caixa {number}") for number in (1, 2))
    for number in (1, 2):
        _receive(hall, f"{code}-{number}", format)
    return hall


def spanish() -> Evening:
    """A hall that plays by Spain's rule book, and is otherwise the usual one."""
    evening = Evening()
    plant(Hall.objects.filter(pk=evening.hall.pk), rulebook="spain-1979")
    evening.hall.refresh_from_db()
    return evening


def day_of(hall: Hall) -> date:
    """Return a hall's own day."""
    return timezone.now().astimezone(ZoneInfo(hall.time_zone)).date()


def within(balls: int, *, most: int = 0, formats: Sequence[int] = FORMATS) -> list[dict[str, int]]:
    """The limits of a jackpot for the full card of formats, of that of 30 never over 12 (R9)."""
    risen = {"most": most} if most else {}
    return [
        {"format": 30, "balls": min(12, balls)}
        if one == 30
        else {"format": one, "balls": balls} | risen
        for one in formats
    ]


def authorise(hall: Hall, **changed: Any) -> Authorisation:
    """Record what the regulator grants: every format, one price, series L of 60, double cards.

    `jackpot_terms` are told beside the limits that a jackpot has here, unless they tell others.
    """
    manager = hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("username")[0]
    granted: dict[str, Any] = {
        "reference": "1/2026", "valid_from": day_of(hall).replace(month=1, day=1),
        "formats": FORMATS, "faces": [FACE], "sizes": {"L": 60}, "double_cards": True,
        "line_share": 2000, "bingo_share": 6000, "jackpot_rate": 300, "jackpot_base": FLOAT,
        "by": manager, "at": timezone.now(),
    }  # fmt: skip
    asked = granted | changed
    terms = {"limits": within(40, formats=asked["formats"])} | asked.get("jackpot_terms", {})
    asked["jackpot_terms"] = terms if asked["jackpot_rate"] else {}
    return authorisations.record(hall=hall, **asked)


def _receive(hall: Hall, identification: str, format: int) -> None:
    manager = hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("username")[0]
    stock.receive(
        hall=hall, series=_series(hall, manager, format), identification=identification, face=FACE,
        face_colour=FACE_COLOUR, back_colour=BACK_COLOUR, counted=SIZE, by=manager,
        at=timezone.now(),
    )  # fmt: skip


def _series(hall: Hall, manager: Person, format: int) -> Series:
    """The hall's one series; a seed gives the same cards at every run."""
    return Series.objects.filter(hall=hall).first() or series.publish(
        hall=hall, format=format, letter="A", size=SIZE, seed=f"1979 {hall.code}", by=manager,
        at=timezone.now(),
    )  # fmt: skip
