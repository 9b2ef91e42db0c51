"""A reading that waits for somebody: put down, ended, and closed with its game."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from bingo.rules import symbols
from bingo.rules.game import Fact
from draws.models import Game, Reading, Standing
from draws.queries import readings
from halls.models import Hall, JournalEntry, Person
from halls.services import journal
from halls.services.journal import Recorded

GAME_OVER = "game_over"  # the game ended before the ball could be announced
CAME, NOT_AWAITED = readings.CAME, readings.NOT_AWAITED


def put(hall: Hall, reading: Reading, *, order: int, by: Person | None, at: datetime) -> Reading:
    """Put a reading to the caller, or a keyed ball to a second person, and journal it.

    The hall must be locked. `order` is where the next ball comes; those that wait come before.
    """
    reading.order = order + readings.pending(reading.game).count()
    reading.save(force_insert=True)
    told(hall, reading, by=by, at=at)
    return reading


def told(hall: Hall, reading: Reading, *, by: Person | None, at: datetime) -> None:
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
    if reading.number is not None:
        known |= symbols.named(reading.number, symbols=game.issue.symbols)
    journal.append(
        hall, Fact("ball_read", known), session=game.session, game=game.number, by=by, at=at
    )


def end(reading: Reading, standing: Standing, entry: JournalEntry) -> None:
    """Let a reading be what an entry has made of it."""
    reading.standing, reading.entry = standing, entry
    reading.save(update_fields=["standing", "entry"])


def reopen(reading: Reading, *, reason: str) -> None:
    """Let a reading wait again, whose ball was recalled."""
    reading.standing, reading.entry, reading.reason = Standing.PENDING, None, reason
    reading.save(update_fields=["standing", "entry", "reason"])


def dismiss(
    reading: Reading, *, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> Recorded:
    """Journal that no ball comes of a reading, once for each key. Raises Refusal: the rules'."""
    done = journal.record(
        reading.game.session, "reading_dismissed", by=by, at=at, key=key,
        reading=reading.pk, number=reading.number, reason=reason,
    )  # fmt: skip
    if not done.repeated:
        end(reading, Standing.DISMISSED, done.entry)
    return done


def end_wait(game: Game, *, reason: str, by: Person, at: datetime) -> None:
    """Dismiss what told that a ball was missing, because none is missed any more."""
    told_missing = readings.pending(game).filter(reason=readings.MISSING)
    for reading in told_missing.select_related("game__session"):
        dismiss(reading, reason=reason, by=by, at=at)


def close(game: Game, *, by: Person, at: datetime) -> None:
    """Dismiss what still waits when a game has ended."""
    for reading in readings.pending(game).select_related("game__session"):
        dismiss(reading, reason=GAME_OVER, by=by, at=at)
