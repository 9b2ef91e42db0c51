"""Readings of a ball by a camera: announced by the hall's rule or by the caller, or dismissed.

Also a game held by a fault before its first ball, and resumed (R55).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Unpack
from uuid import UUID

from django.db import transaction

from bingo.rules import policies
from bingo.rules.policies import SURE
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps.drawing import BY_HAND, CAMERA
from draws.balls import cameras_and_live_picture, draw, enrolment_queries, queries
from draws.balls.enrolment_queries import Lapse
from draws.balls.vision.tracking import alike
from draws.balls.vision.values import BallReading as Seen
from draws.games import progress
from draws.games.progress import step
from draws.models import Ball, Camera, Game, Reading, Standing
from halls import permissions
from halls.journal import clock, head
from halls.journal import services as journal_services
from halls.journal.head import SessionJournal
from halls.journal.services import Who
from halls.models import Person, Role

SECONDS = (Role.TABLE_CHIEF, Role.HALL_MANAGER, Role.CALLER)
MOST_GUESSES = 4
HIGHEST = 999  # whatever is printed on a ball
SAME_BALL = timedelta(seconds=3)  # within which two cameras see one ball
LOW, CLOSE, DRAWN_ALREADY, OUT_OF_RANGE = "low", "close", "drawn_already", "out_of_range"
TOLD_TWICE = "told_twice"
REASONS = (
    "", LOW, CLOSE, "no_mark", DRAWN_ALREADY, OUT_OF_RANGE, "two_balls", "blank", "hand",
    progress.MISSING, "moved", "coin",
)  # fmt: skip
# By which a camera says no more than that it cannot tell a ball's number, or has not seen the ball.
UNREAD = (LOW, CLOSE, "no_mark", "blank", progress.MISSING)


def propose(
    *,
    camera: Camera,
    number: int | None,
    confidence: int,
    candidates: Sequence[tuple[int, int]],
    runner_up: int | None,
    reason: str,
    picture: bytes,
    seen_at: datetime,
    stream_at: int,
    frame: int,
    key: UUID,
    at_start: bool = False,
) -> Reading:
    """Take in what a camera saw, once for each key: it is announced, or put to the caller.

    `confidence` and those of `candidates` (number, sure) are per mille, best first; `stream_at` in
    milliseconds. It is announced by itself where the hall's policy says so, nothing speaks against
    it (`reason`), nothing waits before it, and the game is being drawn by camera; then by whoever
    announced the draw. A ball that came already or is none of this game is never announced by
    itself. Nothing is told twice: one picture is one ball, and so is what lay there when the camera
    was opened (`at_start`) and looks as what was told of last, or bears the number of the last ball
    and another camera showed that, or cannot be read while that camera sees well. What another
    camera told of within SAME_BALL is the same ball, unless the two read two numbers, or either
    says more than that it cannot read one (UNREAD): then the caller is asked, once where both say
    the same. So is who calls wherever another camera than this showed the last ball: no ball has
    two numbers without a person (R57). That none came (reason `missing`) is told once a wait, and
    ends by itself when one comes.
    Raises Refusal: bad_picture, bad_reading, unknown_reason, no_session, no_game, wrong_phase,
    source_not_of_game, camera_of_other_format, key_reused, and of a missing ball suspended, readings_waiting.
    """
    _require_possible(number, runner_up, confidence, reason)
    guesses = _guesses(candidates)
    if done := _known(camera, key):
        return done
    seen = Reading(
        camera=camera, source=CAMERA, number=number, confidence=confidence, candidates=guesses,
        runner_up=runner_up, reason=reason or ("" if number is not None else LOW),
        picture=cameras_and_live_picture.save_picture(picture), seen_at=seen_at, stream_at=stream_at, frame=frame, key=key,
    )  # fmt: skip
    with transaction.atomic():
        return _taken_in(camera, seen, at_start=at_start)


def _require_possible(
    number: int | None, runner_up: int | None, confidence: int, reason: str
) -> None:
    numbers = [one for one in (number, runner_up) if one is not None]
    if not 0 <= confidence <= SURE or any(not 0 <= one <= HIGHEST for one in numbers):
        raise Refusal("bad_reading")
    if reason not in REASONS:
        raise Refusal("unknown_reason", reason=reason)


def _guesses(candidates: Sequence[tuple[int, int]]) -> list[list[int]]:
    best = sorted(candidates, key=lambda guess: -guess[1])[:MOST_GUESSES]
    for number, sure in best:
        _require_possible(number, None, sure, "")
    return [[number, sure] for number, sure in best]


def _known(camera: Camera, key: UUID) -> Reading | None:
    done = Reading.objects.filter(key=key).select_related("game").first()
    if done is not None and done.camera_id != camera.pk:
        raise Refusal("key_reused")
    return done


def _taken_in(camera: Camera, seen: Reading, *, at_start: bool) -> Reading:
    game = progress.current(camera.hall)
    book = head.open_book(game.session, [])
    if done := _known(camera, seen.key):
        return done
    if not book.state.open:
        raise Refusal("no_session")
    seen.game = game
    known = progress.require_known(game, book.state)
    if not queries.is_drawn_by(camera, known):
        raise _not_of_the_camera(camera, known)
    if same := _same(known, seen, at_start=at_start):
        return same
    _require_awaited(known, seen)
    # A moment that has been overtaken by the journal is no clock that went back.
    at = max(seen.seen_at, book.hall.head_at) if book.hall.head_at else seen.seen_at
    by = _responsible(seen.game)
    if by is not None:
        progress.end_wait(seen.game, reason=progress.CAME, by=by, at=at, book=book)
    if same := _told_by_another(book, seen, by=by, at=at):
        return same
    seen.reason = _spoken_against(known, seen)
    if not _announced_by_itself(book, seen, by=by, at=at):
        progress.put_pending_reading(book.hall, seen, order=len(known.balls) + 1, by=None, at=at)
    return seen


def _not_of_the_camera(camera: Camera, known: GameState) -> Refusal:
    if not queries.is_for(camera, known):
        return Refusal("camera_of_other_format", camera=camera.name, format=camera.format)
    if known.source not in queries.OF_A_CAMERA:
        return Refusal("source_not_of_game", source=CAMERA, expected=known.source)
    return Refusal("wrong_phase", phase=known.phase.value, command="ball_read")


def _require_awaited(known: GameState, seen: Reading) -> None:
    """Refuse to tell that a ball is missing which nobody waits for now."""
    if seen.reason != progress.MISSING:
        return
    if known.source != CAMERA:
        raise Refusal("source_not_of_game", source=CAMERA, expected=known.source)
    known.require_going()
    if not queries.is_awaited(known):
        raise Refusal("wrong_phase", phase=known.phase.value, command="ball_read")
    if progress.pending(seen.game).exists():
        raise Refusal("readings_waiting")


def _same(known: GameState, seen: Reading, *, at_start: bool) -> Reading | None:
    """Return the reading by which the same was told already, by this process or another.

    By a process that watches on, a number that comes again is another ball: it may be the only
    sign that the first was misread.
    """
    if seen.reason == progress.MISSING:
        return queries.missed(seen.game)
    told = Reading.objects.filter(game=seen.game, camera=seen.camera).select_related("game")
    # Two balls that nobody can read may well come one after the other, but never in one picture.
    twice = told.filter(picture=seen.picture).exclude(reason=progress.MISSING).last()
    if twice is not None or not at_start:
        return twice
    last = told.last()
    if last and alike(queries.reading_picture(seen), queries.reading_picture(last)):
        return last
    # Of what another camera told this one kept nothing, and two cameras' pictures are never alike.
    announced = Reading.objects.filter(game=seen.game, standing=Standing.ANNOUNCED)
    shown = announced.select_related("game", "camera", "entry").last()
    if (
        shown is None
        or shown.camera in (None, seen.camera)
        or known.balls[-1:] != (_number(shown),)
    ):
        return None
    if seen.number is None and seen.reason in UNREAD:
        # The camera that showed it would tell of another ball, as long as it sees.
        return None if queries.health(shown.camera, at=seen.seen_at) else shown
    return shown if seen.number == _number(shown) else None


def _told_by_another(
    book: SessionJournal, seen: Reading, *, by: Person | None, at: datetime
) -> Reading | None:
    """Return the reading by which another camera told of this ball; None where this one is told.

    A number takes the place of what waits without one, and the word of the camera that announces
    by itself that of another. Two numbers are both told, the later with what speaks against it;
    and so is whatever is no reading of one ball, as two balls at once, unless another waits that
    says just that.
    """
    told = _of_other_cameras(seen)
    if not _is_of_one_ball(seen):
        waiting = [one for one in told if one.standing == Standing.PENDING]
        return next((one for one in waiting if one.reason == seen.reason), None)
    told = [one for one in told if _is_of_one_ball(one)]
    same = [one for one in told if seen.number is None or _number(one) in (None, seen.number)]
    for one in same:
        better = seen.number is not None and (one.number is None or _leads(seen))
        if by is None or one.standing != Standing.PENDING or not better:
            return one
        progress.dismiss_pending_reading(one, reason=TOLD_TWICE, by=by, at=at, book=book)
    other = _number(told[-1]) if told and not same else None
    if other is not None:
        guesses = dict(seen.candidates) | {other: _confidence(told[-1], other) or 0}
        seen.candidates, seen.reason = _guesses(list(guesses.items())), seen.reason or CLOSE
    return None


def _of_other_cameras(seen: Reading) -> list[Reading]:
    """Return what other cameras told when a ball was seen, but for what came to nothing."""
    near = (seen.seen_at - SAME_BALL, seen.seen_at + SAME_BALL)
    told = Reading.objects.filter(game=seen.game, source=CAMERA, seen_at__range=near)
    told = told.exclude(camera=seen.camera).exclude(standing=Standing.DISMISSED)
    return list(told.exclude(reason=progress.MISSING).select_related("game__session", "entry"))


def _is_of_one_ball(told: Reading) -> bool:
    """Return whether a camera read a ball's number, or only could not."""
    return _number(told) is not None or told.reason in UNREAD


def _number(told: Reading) -> int | None:
    """Return the number by which a ball was announced, or was read while it waits."""
    number: int | None = told.entry.data["number"] if told.entry else told.number
    return number


def _leads(reading: Reading) -> bool:
    """Return whether the camera of a reading announces by itself: it showed the last ball."""
    return queries.last_shown(reading.game) in (None, reading.camera_id)


def _spoken_against(known: GameState, seen: Reading) -> str:
    """Say why a ball cannot be announced as it was read, or what the reader said."""
    if seen.number is None:
        return seen.reason
    if seen.number not in known.numbers:
        return OUT_OF_RANGE
    waiting_too = progress.pending(seen.game).filter(number=seen.number).exists()
    return DRAWN_ALREADY if seen.number in known.balls or waiting_too else seen.reason


def _announced_by_itself(
    book: SessionJournal, reading: Reading, *, by: Person | None, at: datetime
) -> bool:
    """Announce a reading where the hall's rule does and nothing waits before it; `by` calls the draw."""
    known = progress.require_known(reading.game, book.state)
    least = _least_sure(book, known, reading)
    drawn = (known.phase, known.source, known.suspended) == (Phase.DRAWING, CAMERA, None)
    if not least or reading.confidence < least or reading.reason or not drawn:
        return False
    before = progress.pending(reading.game)
    fresh = reading._state.adding
    if (before if fresh else before.filter(pk__lt=reading.pk)).exists():
        return False
    if by is None or reading.number is None or not _leads(reading):
        return False
    try:
        with book.attempt():
            if fresh:
                reading.order = len(known.balls) + 1
                reading.save(force_insert=True)
            _posted(reading, reading.number, book=book, by=by, at=at, key=None, automatic=True)
    except Refusal:
        # Whatever stands in the way, a worn ball set say, the ball is out: the caller is asked.
        return False
    return True


@dataclass(frozen=True, slots=True)
class ByItself:
    """From how many per mille on a ball is announced by itself, 0 for never; a lapse that forbids it."""

    least: int
    lapse: Lapse | None = None


def by_itself(camera: Camera, format: int, *, decided: int) -> ByItself:
    """Return what holds for a camera's balls of a format.

    That is what the hall has decided, or what the camera's certificate asks of the set in use.
    """
    certificate = queries.certificate_in_use(camera, format) if decided else None
    if certificate is None:
        return ByItself(decided)
    certified = enrolment_queries.threshold(certificate)
    if not certified:
        return ByItself(0, enrolment_queries.lapse(certificate))
    return ByItself(max(decided, certified))


def _least_sure(book: SessionJournal, known: GameState, reading: Reading) -> int:
    """Return from how many per mille on a reading is announced by itself, 0 for never."""
    if reading.camera is None:
        return 0
    decided = policies.of(book.state.terms).automatic
    return by_itself(reading.camera, known.format, decided=decided).least


def _responsible(game: Game) -> Person | None:
    """Return the caller, who stands for what is announced by itself."""
    now = queries.calling(game)
    if now is None:
        return None
    try:
        permissions.require(now.by, "ball_announced", hall=game.session.hall_id)
    except Refusal:
        return None
    return now.by


def _posted(
    reading: Reading,
    number: int,
    *,
    witness: Person | None = None,
    automatic: bool | None = None,
    book: SessionJournal | None = None,
    **who: Unpack[Who],
) -> Ball:
    named = {"confidence": _confidence(reading, number), "automatic": automatic}
    told = {name: value for name, value in named.items() if value is not None}
    return progress.post(
        reading.game, number, reading.source, reading=reading, witness=witness, book=book,
        **who, **told,
    )  # fmt: skip


def _confidence(reading: Reading, number: int) -> int | None:
    """Return how sure the reader was of a number; None where it had not thought of it."""
    if reading.source != CAMERA:
        return None
    if number == reading.number:
        return reading.confidence
    return dict(reading.candidates).get(number)


@transaction.atomic
def confirm(*, reading: Reading, number: int, **who: Unpack[Who]) -> Ball:
    """Announce the ball that a camera saw, as the caller reads it: one of the guesses or another.

    Those that came before it are confirmed or dismissed first; where none came before the camera
    there is none to confirm. Raises Refusal: not_allowed, another_caller, key_reused, second_person_needed (keyed
    by hand), no_ball_seen, reading_settled, readings_waiting, ball_out_of_range,
    ball_already_drawn, source_not_of_game, suspended, wrong_phase.
    """
    reading = _held(reading)
    permissions.require(who["by"], "ball_announced", hall=reading.game.session.hall_id)
    if reading.source == BY_HAND:
        raise Refusal("second_person_needed", command="ball_announced")
    if reading.reason == progress.MISSING:
        raise Refusal("no_ball_seen")
    _require_first(reading, "ball_announced", **who)
    draw.require_caller(reading.game, "ball_announced", **who)
    ball = _posted(reading, number, **who)
    go_on(game=reading.game, at=who["at"])
    return ball


@transaction.atomic
def countersign(*, reading: Reading, **who: Unpack[Who]) -> Ball:
    """Confirm, as the second person, a ball that the caller keyed (R55); `by` is that person.

    It is announced by whoever keyed it. Raises Refusal: not_allowed, witness_same_person,
    key_reused, reading_settled, no_second_person_asked, or what announcing refuses.
    """
    reading = _held(reading)
    _require_second(reading, who["by"])
    keyed_by = reading.keyed_by
    if keyed_by is None or reading.number is None:
        raise Refusal("no_second_person_asked")
    as_keyed: Who = {**who, "by": keyed_by}
    _require_first(reading, "ball_announced", **as_keyed)
    return _posted(reading, reading.number, witness=who["by"], **as_keyed)


@transaction.atomic
def dismiss(*, reading: Reading, reason: str, **who: Unpack[Who]) -> None:
    """End a reading of which no ball comes: an empty tube, a hand, a ball told twice.

    Raises Refusal: not_allowed, key_reused, reading_settled, reason_missing, wrong_phase.
    """
    reading = _held(reading)
    permissions.require(who["by"], "reading_dismissed", hall=reading.game.session.hall_id)
    _require_open(reading, "reading_dismissed", **who)
    if not progress.dismiss_pending_reading(reading, reason=reason, **who).repeated:
        go_on(game=reading.game, at=who["at"])


def go_on(*, game: Game, at: datetime) -> None:
    """Announce what waited only for the draw to go on, the first that came first.

    Runs inside the caller's transaction, which holds the hall.
    """
    waiting = list(progress.pending(game).select_related("game__session__hall"))
    if not waiting:
        return
    book, by = head.open_book(game.session, []), _responsible(game)
    for reading in waiting:
        known = progress.require_known(game, book.state)
        told = [_number(one) for one in _of_other_cameras(reading) if one.entry]
        if by is not None and reading.number is not None and reading.number in told:
            progress.dismiss_pending_reading(reading, reason=TOLD_TWICE, by=by, at=at, book=book)
            continue
        if reading.number in known.balls and not reading.reason:
            reading.reason = DRAWN_ALREADY
            reading.save(update_fields=["reason"])
        if not _announced_by_itself(book, reading, by=by, at=at):
            return


def _held(reading: Reading) -> Reading:
    """Return a reading as it stands, with its hall locked."""
    found = Reading.objects.select_related("game__session__hall", "camera", "keyed_by")
    head.lock(found.get(pk=reading.pk).game.session.hall_id)
    return found.get(pk=reading.pk)


def _require_second(reading: Reading, by: Person) -> None:
    ours = by.is_active and by.hall_id == reading.game.session.hall_id
    if not ours or not set(SECONDS) & set(by.roles):
        raise Refusal("not_allowed", roles=[role.value for role in SECONDS])
    if by.pk == reading.keyed_by_id:
        raise Refusal("witness_same_person")


def _require_first(reading: Reading, kind: str, **who: Unpack[Who]) -> None:
    if not _require_open(reading, kind, **who):
        return
    if progress.pending(reading.game).filter(pk__lt=reading.pk).exists():
        raise Refusal("readings_waiting")


def _require_open(reading: Reading, kind: str, **who: Unpack[Who]) -> bool:
    """Refuse a reading of which something has come already, but to whoever repeats the order."""
    if reading.standing == Standing.PENDING:
        return True
    hall, inputs = reading.game.session.hall, {"reading": reading.pk}
    if journal_services.earlier(hall, kind=kind, by=who["by"], key=who.get("key"), inputs=inputs):
        return False
    raise Refusal("reading_settled")


def propose_reading(
    *, camera: Camera, seen: Seen, seen_at: datetime, key: UUID, at_start: bool = False
) -> Reading:
    """Propose what the reader saw, as `readings.propose` takes it in, which says what it refuses."""
    return propose(
        camera=camera,
        number=seen.number,
        confidence=_per_mille(seen.confidence),
        candidates=[(number, _per_mille(share)) for number, share in seen.candidates],
        runner_up=seen.runner_up,
        reason=seen.reason,
        picture=seen.picture,
        seen_at=seen_at,
        stream_at=round(seen.at * 1000),
        frame=seen.frame,
        key=key,
        at_start=at_start,
    )


def _per_mille(share: float) -> int:
    return min(SURE, max(0, round(share * SURE)))


@transaction.atomic
def suspend(*, game: Game, reason: str, **who: Unpack[Who]) -> None:
    """Hold a game before its first ball; unmended after fifteen minutes it is voided (R55).

    Raises Refusal: not_allowed, suspended, fault_after_first_ball, reason_missing, wrong_phase.
    """
    # What was done to the clock until now is no part of the fifteen minutes.
    clock.note_clock(game.session, clock.read(), at=who["at"])
    if not step(game, "game_suspended", **who, reason=reason).repeated:
        progress.end_wait(game, reason=progress.NOT_AWAITED, by=who["by"], at=who["at"])


@transaction.atomic
def resume_suspension(*, game: Game, decision: str, **who: Unpack[Who]) -> None:
    """Go on with a game that was held; `decision` says what was done about the fault.

    Raises Refusal: not_allowed, not_suspended, text_missing, wrong_phase.
    """
    if not step(game, "game_resumed", **who, decision=decision).repeated:
        go_on(game=game, at=who["at"])
