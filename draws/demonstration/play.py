"""Play one session of several games through the services, as a hall's people would.

Where its extractor is filmed, its balls roll, are read and announced.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import timedelta
from random import SystemRandom
from uuid import uuid4

from django.utils import timezone

from bingo.engine.winners import Winners, table
from bingo.rules import formats, patterns
from bingo.rules.complaints import REJECTED
from bingo.rules.steps.drawing import CAMERA, RNG
from bingo.rules.steps.voiding import ANNOUNCEMENT_ERROR
from bingo.rules.unclaimed import LEFT, PRIZE
from draws.balls import cameras_and_live_picture, draw, readings
from draws.balls.vision.values import BallReading
from draws.claims import services as claims_services
from draws.complaints import services as complaints_services
from draws.demonstration import evening, selling
from draws.demonstration import hall as demonstration_hall
from draws.demonstration.evening import Evening, GamePlan, Progress, command_by
from draws.demonstration.film_process import FilmProcess
from draws.demonstration.hall import issue
from draws.games import queries as games_queries
from draws.games import services as games_services
from draws.models import Camera, Card, Game, Issue, Sale, Standing
from draws.prizes import services as prizes_services
from draws.prizes import unclaimed
from draws.prizes.unclaimed import still_open
from halls import sessions, tills
from halls.models import Hall, Role, Session, Shift
from halls.policy import services as policy_services

ADDRESS = "rtsp://camara.sala.example/saida"  # the picture is rendered: nothing is fetched from it
AUTOMATIC = 850  # per mille from which a reading is announced by itself
AHEAD = 24  # balls


@dataclass(slots=True)
class Film:
    """One camera and what it sees; a game's balls come in the order of its `balls`.

    Balls are filmed and read before they are asked for, those of the next game while its cards are
    sold: a machine has two cores, one for the eyes and one for the books.
    """

    camera: Camera
    process: FilmProcess
    numbers: list[int] = field(default_factory=list)
    coming: deque[Future[list[BallReading]]] = field(default_factory=deque)
    asked: list[int] = field(default_factory=list)

    def prepare(self) -> None:
        """Put the balls of the next game in order, and begin to film them."""
        for unseen in self.coming:
            unseen.cancel()
        self.numbers = list(formats.NINETY.numbers)
        SystemRandom().shuffle(self.numbers)
        self.coming.clear()
        self._film_ahead(0)

    def balls(self, evening: Evening) -> Iterator[int]:
        """Let a game's balls roll before the camera; yield each number once it is announced."""
        for place, number in enumerate(self.numbers):
            self._film_ahead(place)
            self._announce(evening, number, self.coming.popleft().result())
            yield evening.game_state().balls[-1]

    def _film_ahead(self, place: int) -> None:
        while len(self.coming) < min(AHEAD, len(self.numbers) - place):
            self.coming.append(self.process.read(self.numbers, place + len(self.coming)))

    def _announce(self, evening: Evening, number: int, seen_now: list[BallReading]) -> None:
        """Have a ball announced as the reader or the caller reads it."""
        for reading in seen_now:
            put = readings.propose_reading(
                camera=self.camera, seen=reading, seen_at=timezone.now(), key=uuid4()
            )
            if put.standing == Standing.PENDING:
                self.asked.append(number)
                caller = evening.person(Role.CALLER)
                readings.confirm(reading=put, number=number, **command_by(caller))
            return
        raise LookupError(f"ball {number} was not seen")


def film(hall: Hall, eyes: FilmProcess) -> Film:
    """Set up the hall's camera as its process has learned the empty cup."""
    by = hall.people.get(roles__contains=[Role.HALL_MANAGER])
    camera = cameras_and_live_picture.set_up(
        hall=hall, name=evening.country_of(hall.rulebook).camera, url=ADDRESS,
        settings=eyes.settings(), **command_by(by),
    )  # fmt: skip
    return Film(camera, eyes)


FLOAT = 100_000  # units of the country
LENGTH = timedelta(hours=6)  # from the opening to the planned end

PLANS = (
    GamePlan("1001", 900, line_sharers=2, unclaimed=True),
    GamePlan("1001", 700, wrong_claim=True, damaged=True, complaint=True),
    GamePlan("1002", 800, void_after=21, unclaimed=True),
    GamePlan("6001", 200),
    GamePlan("2001", 240, beside="5001"),
    GamePlan("2001", 300, second="2002"),
)
LAST_GAME = timedelta(minutes=10)  # before the end, when the last game is announced (R53)


def play(hall: Hall, *, eyes: FilmProcess | None, progress: Progress) -> Session:
    """Play a session from opening to closing and return it; everything is counted.

    Its balls are filmed and read by `eyes`, or come from the RNG.
    """
    source = CAMERA if eyes else RNG
    by = hall.people.get(roles__contains=[Role.HALL_MANAGER])
    policy_services.set_policy(hall=hall, source=source, automatic=AUTOMATIC, **command_by(by))
    if eyes:
        demonstration_hall.equip(hall)
    demonstration_hall.check_equipment(hall, source=source, by=by)
    begun = timezone.now()
    session = sessions.open_session(
        hall=hall, checked=True, ends_at=begun + LENGTH, by=by, at=begun
    )
    evening = Evening(hall, session, progress)
    for till, cashier in zip(
        hall.tills.order_by("name"), evening.people(Role.CASHIER), strict=True
    ):
        tills.open_shift(
            session=session, till=till, float=FLOAT * evening.country.unit, **command_by(cashier)
        )
    drum = film(hall, eyes) if eyes else None
    for number, plan in enumerate(PLANS, start=1):
        if number == len(PLANS):
            _announce_last(evening)
        _game(evening, plan, drum)
        if not plan.unclaimed:
            _pay_unclaimed(evening)
        progress("games", number, len(PLANS))
    for shift in evening.shifts():
        counted = evening.drawer(shift).cash
        tills.close_shift(shift=shift, counted=counted, comment="", **command_by(shift.cashier))
    demonstration_hall.call_again(evening)
    return sessions.close_session(session=session, **command_by(by))


def _game(evening: Evening, plan: GamePlan, drum: Film | None) -> None:
    chief, caller = evening.person(Role.TABLE_CHIEF), evening.person(Role.CALLER)
    if drum:
        drum.prepare()
    game = games_services.open_game(
        session=evening.session, issue=issue(evening.hall, plan.issue), **command_by(chief)
    )
    if plan.beside:
        further = issue(evening.hall, plan.beside)
        games_services.add_issue(game=game, issue=further, **command_by(chief))
    games_services.announce_sale(game=game, **command_by(caller))
    selling.sell_cards(evening, game, plan)
    games_services.close_sale(game=game, **command_by(caller))
    _drawn(evening, game, plan, drum)
    if evening.half_due():
        if drum:
            drum.prepare()
        second = games_services.open_second_half(session=evening.session, **command_by(chief))
        _drawn(evening, second, plan, drum)


def _drawn(evening: Evening, game: Game, plan: GamePlan, drum: Film | None) -> None:
    """Draw a game whose cards are sold, and settle it."""
    chief, caller = evening.person(Role.TABLE_CHIEF), evening.person(Role.CALLER)
    games_services.announce_draw(game=game, **command_by(caller))
    _draw(evening, game, plan, _balls(evening, game, drum))
    if plan.void_after:
        _refund(evening, game, plan)
    elif (
        evening.game_state().half != 1
    ):  # what double cards won first is paid with the second (R45)
        _pay(evening, game, plan)
    if plan.complaint:
        _complain(evening, game)
    games_services.complete(game=game, **command_by(chief))


@dataclass(frozen=True, slots=True)
class Players:
    """The cards in play, by their places in the engine."""

    keys: list[tuple[Issue, int]]
    cards: Winners


def _players(game: Game) -> Players:
    keys: list[tuple[Issue, int]] = []
    rows = []
    for sale in games_queries.sold_in(game).select_related("issue__series"):
        cards = Card.objects.filter(
            series=sale.issue.series_id, number__gte=sale.first, number__lte=sale.last
        )
        for card in cards.order_by("number"):
            keys.append((sale.issue, card.number))
            rows.append(card.rows)
    format = formats.NINETY
    played = [patterns.combination_line(format), patterns.bingo(format)]
    return Players(keys, Winners(table(rows), format=format, combinations=played))


def _balls(evening: Evening, game: Game, drum: Film | None) -> Iterator[int]:
    """Announce a game's balls one by one, from the RNG or as the camera sees them."""
    caller = evening.person(Role.CALLER)
    if drum is None:
        for _number in formats.NINETY.numbers:
            # Nobody sits in this hall, so nobody is hurried (R31).
            yield draw.draw_ball(game=game, **command_by(caller), pace=0).number
        return
    yield from drum.balls(evening)


def _draw(evening: Evening, game: Game, plan: GamePlan, coming: Iterator[int]) -> None:
    """Draw until the bingo is awarded, or the void; every card complete at a call is called."""
    players = _players(game)
    line_won = False
    for count, number in enumerate(coming, start=1):
        evening.progress("balls", count, len(formats.NINETY.numbers))
        if count == plan.void_after:
            _void(evening, game)
            return
        players.cards.announce(number)
        if plan.wrong_claim and not line_won and count == 10:
            _wrong_claim(evening, game, players)
        name = patterns.BINGO if line_won else patterns.LINE
        won = players.cards.complete(name)
        # Nobody need call at once: a line completed earlier still shares (R49).
        if len(won) < (1 if line_won else plan.line_sharers):
            continue
        _claim(evening, game, name, [players.keys[at] for at in won])
        if line_won:
            return
        line_won = True


def _claim(evening: Evening, game: Game, name: str, held_by: list[tuple[Issue, int]]) -> None:
    chief = evening.person(Role.TABLE_CHIEF)
    draw.call_claim(game=game, combination=name, **command_by(evening.person(Role.CALLER)))
    for held, card in held_by:
        claims_services.check(
            game=game, combination=name, issue=held, card=card, sound=True, **command_by(chief)
        )
    claims_services.open_window(game=game, **command_by(chief))
    claims_services.close_window(game=game, **command_by(chief))
    if name == patterns.BINGO:
        games_services.finish(game=game, **command_by(chief))
    else:
        claims_services.resume(game=game, **command_by(chief))


def _wrong_claim(evening: Evening, game: Game, players: Players) -> None:
    """Somebody calls a line that is not complete."""
    chief = evening.person(Role.TABLE_CHIEF)
    line = set(players.cards.complete(patterns.LINE))
    held, card = next(key for at, key in enumerate(players.keys) if at not in line)
    draw.call_claim(game=game, combination=patterns.LINE, **command_by(evening.person(Role.CALLER)))
    claims_services.check(
        game=game, combination=patterns.LINE, issue=held, card=card, sound=True, **command_by(chief)
    )
    claims_services.resume(game=game, **command_by(chief))


def _announce_last(evening: Evening) -> None:
    """Bring the planned end forward and have the last game announced before its sale (R53)."""
    at = timezone.now()
    sessions.plan_session_end(
        session=evening.session, ends_at=at + LAST_GAME, reason=evening.country.few_players,
        by=evening.person(Role.HALL_MANAGER), at=at,
    )  # fmt: skip
    sessions.announce_last_game(session=evening.session, **command_by(evening.person(Role.CALLER)))


def _complain(evening: Evening, game: Game) -> None:
    """Let a player complain of a ball, and the hall manager decide it before the table chief (R61 j)."""
    chief, manager = evening.person(Role.TABLE_CHIEF), evening.person(Role.HALL_MANAGER)
    opened = complaints_services.open_complaint(
        session=evening.session, game=game, ball=7, text=evening.country.complaint,
        **command_by(chief),
    )  # fmt: skip
    complaints_services.decide(
        complaint=opened, decision=REJECTED, witness=chief, **command_by(manager),
        text=evening.country.decision,
    )  # fmt: skip


def _void(evening: Evening, game: Game) -> None:
    games_services.void(
        game=game,
        cause=ANNOUNCEMENT_ERROR,
        reason=evening.country.misread,
        **command_by(evening.person(Role.TABLE_CHIEF)),
    )


def _refund(evening: Evening, game: Game, plan: GamePlan) -> None:
    """Refund every sale at the till that sold it; the last player may have left."""
    found = Sale.objects.filter(game=game).select_related(
        "issue", "shift__till", "shift__cashier", "shift__session"
    )
    sold = list(found.order_by("pk"))
    gone = [sold[-1]] if plan.unclaimed else []
    for done, sale in enumerate(sold, start=1):
        if sale not in gone:
            prizes_services.refund(
                game=game, issue=sale.issue, first=sale.first, last=sale.last, shift=sale.shift,
                **command_by(sale.shift.cashier),
            )  # fmt: skip
        evening.progress("refunds", done, len(sold))
    if gone:
        unclaimed.set_refunds_aside(
            game=game, reason=LEFT, witness=evening.person(Role.HALL_MANAGER),
            **command_by(evening.person(Role.TABLE_CHIEF)),
        )  # fmt: skip


def _pay(evening: Evening, game: Game, plan: GamePlan) -> None:
    """Pay each winning card; whoever won the first may have left before."""
    for place, (held, card) in enumerate(evening.game_state().unpaid):
        issue, known = Issue.objects.get(pk=held), evening.game_state()
        if plan.unclaimed and place == 0:
            unclaimed.set_prize_aside(
                game=game, issue=issue, card=card, reason=LEFT,
                witness=evening.person(Role.HALL_MANAGER), **command_by(evening.person(Role.TABLE_CHIEF)),
            )  # fmt: skip
            continue
        won = [a for a in (*known.awards, *known.carried) if (a.issue, a.card) == (held, card)]
        shift = _fullest(evening, sum(award.net for award in won))
        prizes_services.pay_payment(
            game=game, issue=issue, card=card, shift=shift, **command_by(shift.cashier)
        )


def _pay_unclaimed(evening: Evening) -> None:
    """Pay the prize of somebody who came back with the card (R44)."""
    for item in still_open(evening.hall):
        if item.owed == PRIZE:
            shift = _fullest(evening, item.price)
            unclaimed.pay(
                item=item, first=item.first, last=item.last, shift=shift, **command_by(shift.cashier),
            )  # fmt: skip


def _fullest(evening: Evening, due: int) -> Shift:
    """Return the till that has most, once the others have brought what it lacks of `due`."""
    shift = max(evening.shifts(), key=lambda one: evening.drawer(one).cash)
    _bring(evening, shift, due)
    return shift


def _bring(evening: Evening, shift: Shift, due: int) -> None:
    """Take what a drawer lacks out of the others."""
    manager = evening.person(Role.HALL_MANAGER)
    for other, amount in _spare(evening, shift, due - evening.drawer(shift).cash):
        for drawer, moved in ((other, -amount), (shift, amount)):
            tills.move_cash(
                shift=drawer, amount=moved, reason=evening.country.prizes, **command_by(manager)
            )


def _spare(evening: Evening, shift: Shift, lacking: int) -> Iterator[tuple[Shift, int]]:
    for other in evening.shifts():
        if other.pk == shift.pk or lacking <= 0:
            continue
        amount = min(lacking, evening.drawer(other).cash)
        if amount > 0:
            lacking -= amount
            yield other, amount
