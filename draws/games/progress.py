"""Record a fact of the open game in its journal and keep its rows in step with it.

They are the game's own row, its ball set and what the game costs it (R25), the ball that is posted,
and the reading that waits for somebody: put down, ended, and closed with its game.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Unpack
from uuid import UUID

from django.db.models import F, QuerySet

from bingo.rules import approvals_and_roll_calls_due, formats
from bingo.rules import equipment as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase, SessionState
from bingo.rules.steps.drawing import RNG
from draws.games import randomness
from draws.models import Ball, Game, Reading, Standing
from halls import jackpots, second_person
from halls.equipment import approvals_and_roll_calls_due as halls_duties
from halls.equipment import queries as equipment_queries
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.head import Recorded, SessionJournal
from halls.journal.queries import the_open_session
from halls.journal.services import Who
from halls.models import BallSet, Hall, JournalEntry, Person, Session

KEPT = ("phase", "cards", "gross", "void", "line", "bingo", "accrual", "ended_at")


def current(hall: Hall) -> Game:
    """Return the open game of a hall's open session. Raises Refusal: no_session, no_game."""
    of_session = Game.objects.filter(session__hall=hall, session__closed_at__isnull=True)
    open_game = of_session.exclude(phase=Phase.COMPLETE).select_related("session__hall", "issue")
    game = open_game.first()
    if game is None:
        the_open_session(hall)
        raise Refusal("no_game")
    return game


def step(
    game: Game,
    kind: str,
    *,
    by: Person,
    at: datetime,
    key: UUID | None = None,
    witness: Person | None = None,
    book: SessionJournal | None = None,
    **inputs: Any,
) -> Recorded:
    """Record one fact of a game and keep its row in step with it.

    `book` is the journal of its session where the caller has locked it already.
    """
    named = second_person.witness_name(witness, by=by, kind=kind, at=at) if witness else None
    book = book or head.open_book(game.session, [key])
    done = book.enter(kind, by=by, at=at, key=key, witness=named, **inputs)
    if done.repeated:
        if done.entry.game != game.number:
            raise Refusal("key_reused")
        return done
    known = require_known(game, done.state)
    apply_state(game, known)
    if known.phase == Phase.COMPLETE:
        game.ended_at = done.entry.at
    game.save(update_fields=KEPT)
    if done.state.jackpots != done.before.jackpots:
        _hold(Hall.objects.filter(pk=game.session.hall_id), known.jackpot_balances)
    if done.before.is_linked:
        jackpots.apply_links(done)
    return done


def require_known(game: Game, state: SessionState) -> GameState:
    """Return what the rules know of a game. Raises Refusal stale_page when it is not the open one."""
    known = state.game
    if known is None or known.number != game.number:
        raise Refusal("stale_page")
    return known


def apply_state(game: Game, known: GameState) -> None:
    """Let a game in hand show what the rules know of it."""
    game.phase = known.phase
    game.cards, game.gross = known.cards, known.gross
    game.void = known.void or ""
    if known.prizes:
        game.line, game.bingo = known.prizes.line, known.prizes.bingo
        game.accrual = known.prizes.jackpot


def save_state(game: Game, known: GameState) -> None:
    """Write the game's row, and the jackpot as the game leaves it."""
    apply_state(game, known)
    game.save(update_fields=KEPT)
    if known.jackpot:
        _hold(Hall.objects.filter(pk=game.session.hall_id), known.jackpot_balances)


def _hold(hall: QuerySet[Hall], balances: Sequence[int]) -> None:
    """Write what each level of the jackpot holds; levels that are not played for keep what they have."""
    first, *others = balances
    if not others:
        hall.update(jackpot_balance=first)
        return
    kept = hall.values_list("level_balances", flat=True).get()[len(others) :]
    hall.update(jackpot_balance=first, level_balances=others + kept)


def post(
    game: Game,
    number: int,
    source: str,
    *,
    order: int | None = None,
    witness: Person | None = None,
    reading: Reading | None = None,
    book: SessionJournal | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
    **named: Any,
) -> Ball:
    """Announce a ball of whatever source, and post it; with it ends the reading it comes of.

    `named` are further inputs of the fact, `book` as in `step`. Runs inside the caller's transaction.
    """
    if reading is not None:
        named |= {"reading": reading.pk} | ({"picture": reading.picture} if reading.picture else {})
    book = book or head.open_book(game.session, [key])
    used = None
    if source != RNG and game.ball_set_id is None:
        used, of_the_set = first_of(game, book=book, at=at)
        named |= of_the_set
    done = step(
        game, "ball_announced", by=by, at=at, key=key, witness=witness, book=book,
        number=number, order=order, source=source, **named,
    )  # fmt: skip
    data = done.entry.data
    ball = Ball(
        game=game,
        order=data["count"],
        previous=data["count"] - 1 or None,
        number=number,
        source=source,
        picture=data.get("picture", ""),
        confidence=data.get("confidence"),
        at=done.entry.at,
    )
    # A repeated request gets the ball as it was announced, though it may have been recalled since.
    if not done.repeated:
        ball.save(force_insert=True)
        if used is not None:
            begin_ball_set_use(game, used)
        if reading is not None:
            end_pending_reading(reading, Standing.ANNOUNCED, done.entry)
    return ball


GAME_OVER = "game_over"  # the game ended before the ball could be announced
MISSING = "missing"  # no ball came in the time that the hall waits for one
# Why a missing ball is missed no longer: it came, or nobody waits for it before the camera now.
CAME, NOT_AWAITED = "came", "not_awaited"


def pending(game: Game) -> QuerySet[Reading]:
    """Return the readings of a game that wait, the first that came first."""
    found = Reading.objects.filter(game=game, standing=Standing.PENDING)
    return found.select_related("camera", "keyed_by").order_by("pk")


def put_pending_reading(
    hall: Hall, reading: Reading, *, order: int, by: Person | None, at: datetime
) -> Reading:
    """Put a reading to the caller, or a keyed ball to a second person, and journal it.

    The hall must be locked. `order` is where the next ball comes; those that wait come before.
    """
    reading.order = order + pending(reading.game).count()
    reading.save(force_insert=True)
    record_pending_reading(hall, reading, by=by, at=at)
    return reading


def record_pending_reading(
    hall: Hall, reading: Reading, *, by: Person | None, at: datetime
) -> None:
    """Journal that a reading waits; every screen hears of it by that."""
    known = {
        "reading": reading.pk,
        "order": reading.order,
        "number": reading.number,
        "source": reading.source,
        "confidence": reading.confidence,
        "reason": reading.reason,
        "picture": reading.picture,
        "camera": reading.camera.name if reading.camera else "",
    }
    game = reading.game
    if reading.number is not None and game.issue.symbols:
        known |= formats.symbol_named(reading.number)
    journal_services.append(
        hall, Fact("ball_read", known), session=game.session, game=game.number, by=by, at=at
    )


def end_pending_reading(reading: Reading, standing: Standing, entry: JournalEntry) -> None:
    """Let a reading be what an entry has made of it."""
    reading.standing, reading.entry = standing, entry
    reading.save(update_fields=["standing", "entry"])


def reopen(reading: Reading, *, reason: str) -> None:
    """Let a reading wait again, whose ball was recalled."""
    reading.standing, reading.entry, reading.reason = Standing.PENDING, None, reason
    reading.save(update_fields=["standing", "entry", "reason"])


def dismiss_pending_reading(
    reading: Reading, *, reason: str, book: SessionJournal | None = None, **who: Unpack[Who]
) -> Recorded:
    """Journal that no ball comes of a reading, once for each key. Raises Refusal: the rules'."""
    book = book or head.open_book(reading.game.session, [who.get("key")])
    done = book.enter(
        "reading_dismissed", by=who["by"], at=who["at"], key=who.get("key"),
        reading=reading.pk, number=reading.number, reason=reason,
    )  # fmt: skip
    if not done.repeated:
        end_pending_reading(reading, Standing.DISMISSED, done.entry)
    return done


def end_wait(
    game: Game, *, reason: str, by: Person, at: datetime, book: SessionJournal | None = None
) -> None:
    """Dismiss what told that a ball was missing, because none is missed any more."""
    told_missing = pending(game).filter(reason=MISSING)
    for reading in told_missing.select_related("game__session"):
        dismiss_pending_reading(reading, reason=reason, by=by, at=at, book=book)


def close_pending_reading(game: Game, *, by: Person, at: datetime) -> None:
    """Dismiss what still waits when a game has ended."""
    for reading in pending(game).select_related("game__session"):
        dismiss_pending_reading(reading, reason=GAME_OVER, by=by, at=at)


Data = dict[str, Any]


def require_for_sale(
    game: Game, state: SessionState, *, hall: Hall, bound: bool, at: datetime
) -> Data:
    """Let no card be sold of a game that its hall's ball set may not serve; double cards need two.

    Return what the announcement of the sale tells of the set, nothing where the RNG may draw it
    (`bound`): then the hall, which is locked, needs no set in use before a ball is drawn by camera or by hand.
    Raises Refusal: no_ball_set_in_use, ball_set_worn, ball_set_faulty, roll_call_amiss.
    """
    session = game.session
    if game.phase != Phase.PREPARED or randomness.source_of(session, game.number) == RNG:
        return {}
    if bound and equipment_queries.in_use(hall, game.issue.series.format) is None:
        return {}
    _fit(state, hall, game, games=2 if game.issue.double else 1)
    return {} if bound else _evidence(session, state, game, hall=hall, at=at)


def _evidence(
    session: Session, state: SessionState, game: Game, *, hall: Hall, at: datetime
) -> Data:
    if not approvals_and_roll_calls_due.bind(state):
        return {}
    return halls_duties.evidence(session, state, hall=hall, format=game.issue.series.format, at=at)


def first_of(game: Game, *, book: SessionJournal, at: datetime) -> tuple[BallSet | None, Data]:
    """Return the set that a game's first ball not of the RNG comes from, and what that ball tells of it.

    A set put in use after that ball is not the game's. Raises Refusal: no_ball_set_in_use,
    ball_set_worn, ball_set_faulty, roll_call_amiss.
    """
    if Game.objects.filter(pk=game.pk, ball_set__isnull=False).exists():
        return None, {}
    if not equipment_queries.has_ball_sets(book.hall, game.issue.series.format) or _begun(game):
        return None, {}
    used = _fit(book.state, book.hall, game, games=1)
    if used is None:
        return None, {}
    return used, {"ball_set": used.serial} | _evidence(
        book.session, book.state, game, hall=book.hall, at=at
    )


def _fit(state: SessionState, hall: Hall, game: Game, *, games: int) -> BallSet | None:
    """Return the set in use, fit for so many games.

    None where the hall keeps none at all, or two persons let the game be drawn without one.
    """
    format = game.issue.series.format
    used = equipment_queries.in_use(hall, format)
    if used is not None:
        rules.require_fit(used.as_state, used.wear, games=games)
    elif equipment_queries.has_ball_sets(hall, format) and not _left_out(state, format):
        raise Refusal("no_ball_set_in_use", format=format)
    return used


def _left_out(state: SessionState, format: int) -> bool:
    return (approvals_and_roll_calls_due.SET, str(format)) in state.balls.left_out


def _begun(game: Game) -> bool:
    """Return whether a ball not of the RNG was out in the game, also one that was recalled."""
    balls = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind="ball_announced"
    )
    return balls.exclude(data__source=RNG).exists()


def begin_ball_set_use(game: Game, used: BallSet) -> None:
    """Note that a game is drawn from a set, and count it: void or not, each half one (R25)."""
    game.ball_set, game.extractor = used, used.extractor
    game.save(update_fields=["ball_set", "extractor"])
    BallSet.objects.filter(pk=used.pk).update(games=F("games") + 1)
