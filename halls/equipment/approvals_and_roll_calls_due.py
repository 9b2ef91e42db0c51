"""Duties of ball sets in a session: approvals, roll calls, and their waiver (R4, R20, R22, R23).

A duty is left out by two persons, with the reason that the acta prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Unpack

from django.db import transaction
from django.db.models import QuerySet

from bingo.rules import approvals_and_roll_calls_due as rules
from bingo.rules import policies, session_state
from bingo.rules.approvals_and_roll_calls_due import APPROVAL, CLOSING, OPENING, SET
from bingo.rules.equipment import SetPlace
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import SessionState, load
from bingo.rules.steps.drawing import FIRST, RNG
from halls import authorisations, second_person
from halls.equipment import check_before_session, queries
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import BallSet, Hall, JournalEntry, Person, Session
from halls.policy import queries as policy_queries

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Due:
    """A duty not done yet, of what, and the set that it is about, where there is one.

    `missing` and `foreign` are the balls with which the newest roll call went wrong.
    """

    duty: str
    subject: str
    ball_set: BallSet | None = None
    missing: tuple[int, ...] = ()
    foreign: tuple[int, ...] = ()


def evidence(
    session: Session, state: SessionState, *, hall: Hall, format: int, at: datetime
) -> Data:
    """Return what a fact tells of the set in use for a format: none where there is no such set.

    `hall` is the session's, locked. Raises Refusal roll_call_amiss where its newest roll call found a
    ball missing or of another set, but in the midst of a draw whose RNG failed: it goes on at once (R55).
    """
    used = queries.in_use(hall, format)
    if used is None:
        return {}
    told: Data = {"ball_set": used.serial}
    names = unapproved(used, day=head.entry_day(hall, at))
    if names:
        told["unapproved"] = names
    called = opening_call(session, used.serial)
    if called is None:
        return told
    out = state.balls.left_out
    if is_whole(called):
        told["roll_call"] = called.number
    elif not _has_begun(state) and (OPENING, used.serial) not in out:
        ball_set, missing, foreign = _amiss(called)
        raise Refusal("roll_call_amiss", ball_set=ball_set, missing=missing, foreign=foreign)
    return told


def _has_begun(state: SessionState) -> bool:
    """Return whether a ball of the game under way is out: then no roll call is waited for."""
    return state.playing and state.game is not None and bool(state.game.balls)


def closing_calls(session: Session) -> list[list[Any]]:
    """Return the roll calls that a session closes with: pairs of a serial and its entry's number.

    Raises Refusal closing_call_amiss where the newest of a set found something wrong.
    """
    balls = session_state.load(session.state).balls
    found: list[list[Any]] = []
    for serial in balls.drawn:
        called = closing_call(session, serial)
        if called is not None and is_whole(called):
            found.append([serial, called.number])
        elif called is not None and (CLOSING, serial) not in balls.left_out:
            ball_set, missing, foreign = _amiss(called)
            raise Refusal("closing_call_amiss", ball_set=ball_set, missing=missing, foreign=foreign)
    return found


def opening_call(session: Session, serial: str) -> JournalEntry | None:
    """Return the newest roll call of a set for a session's start: of its day, since the last close."""
    since = check_before_session.begins(session.hall, at=session.opened_at)
    # Entries of a clock that was set back all bear one time: their numbers tell which came later.
    closed, _own = queries.span(session)
    return _opening_calls(session.hall, serial, since=since, closed=closed).last()


def _opening_calls(
    hall: Hall, serial: str, *, since: datetime, closed: int
) -> QuerySet[JournalEntry]:
    return _calls(hall, serial, "opening").filter(at__gte=since, number__gt=closed)


def closing_call(session: Session, serial: str) -> JournalEntry | None:
    """Return the newest roll call of a set for a session's end, after the last ball drawn from it."""
    balls = JournalEntry.objects.filter(session=session, kind="ball_announced")
    last = balls.filter(data__ball_set=serial).order_by("number").last()
    if last is None:
        return None
    # The set stays in the extractor to the end of the game that began with it.
    end = balls.filter(game=last.game).order_by("number").last() or last
    return _calls(session.hall, serial, "closing").filter(number__gt=end.number).last()


def _calls(hall: Hall, serial: str, when: str) -> QuerySet[JournalEntry]:
    """Return the roll calls of a set as it is: a ball put in since has not run past (R23, R26)."""
    of_set = JournalEntry.objects.filter(hall=hall, data__ball_set=serial)
    called = of_set.filter(kind="balls_called", data__when=when).order_by("number")
    replaced = of_set.filter(kind="ball_replaced").order_by("number").last()
    return called if replaced is None else called.filter(number__gt=replaced.number)


def is_whole(called: JournalEntry) -> bool:
    """Return whether every ball was there and none of another set."""
    return not called.data["missing"] and not called.data["foreign"]


def _amiss(called: JournalEntry) -> tuple[Any, Any, Any]:
    """Return the set of a roll call, the balls that were missing, and those of another set."""
    return called.data["ball_set"], called.data["missing"], called.data["foreign"]


def unapproved(used: BallSet, *, day: date) -> list[str]:
    """Return what of a set and its extractor has no approval in force on a day (R4, R20)."""
    machine = used.extractor
    names = [] if used.is_approved(day) else [used.serial]
    if machine is not None and not machine.is_approved(day):
        names.append(machine.name)
    return names


def due(session: Session, *, at: datetime, rng_draws: Callable[[], bool]) -> list[Due]:
    """Return what is due of an open session that may draw from an extractor, as it stands now.

    `rng_draws` tells whether the RNG can give the next ball: asked where the hall has not decided.
    """
    state = session_state.load(session.state)
    if not rules.bind(state):
        return []
    left_out = set(state.balls.left_out)
    found = _due(session, state, at, rng_draws)
    return [one for one in found if (one.duty, one.subject) not in left_out]


def due_to_open(hall: Hall, *, at: datetime) -> list[Due]:
    """Return what the first sale would be refused for if the hall's next session opened now.

    Nothing where the rules of the hall say that the RNG draws.
    """
    source = policy_queries.in_force(hall, at).source
    if source == RNG:
        return []
    granted = authorisations.granted(hall, at)
    formats = granted.formats if granted else None
    used = list(queries.sets(hall).filter(standing=SetPlace.IN_USE))
    if source and not _has_one(used, formats):
        return [Due(SET, str(_first_format(formats)))]
    since, closed = check_before_session.counts_from(hall, at=at)

    def call(serial: str) -> JournalEntry | None:
        return _opening_calls(hall, serial, since=since, closed=closed).last()

    day = head.entry_day(hall, at)
    return [one for found in used for one in _due_of_set(found, day=day, call=call)]


def _due_of_set(
    used: BallSet, *, day: date, call: Callable[[str], JournalEntry | None]
) -> Iterator[Due]:
    """Return what is due of a set in use before a sale."""
    for name in unapproved(used, day=day):
        yield Due(APPROVAL, name, used)
    called = call(used.serial)
    if called is None or not is_whole(called):
        yield _call_due(OPENING, used, called)


def _draws_by_rng(state: SessionState) -> bool:
    """Return whether the game under way, or else the hall, draws from the RNG."""
    if state.game is not None and state.playing:
        return rules.source_of(state, state.game) == RNG
    return policies.of(state.terms).source == RNG


def _due(
    session: Session, state: SessionState, at: datetime, rng_draws: Callable[[], bool]
) -> Iterator[Due]:
    if not _draws_by_rng(state):
        yield from _due_to_draw(session, state, at, rng_draws)
    if state.playing or state.half_due:
        return
    for serial in state.balls.drawn:
        called = closing_call(session, serial)
        if called is None or not is_whole(called):
            drawn = BallSet.objects.get(hall=session.hall_id, serial=serial)
            yield _call_due(CLOSING, drawn, called)


def _due_to_draw(
    session: Session, state: SessionState, at: datetime, rng_draws: Callable[[], bool]
) -> Iterator[Due]:
    """Return what is due of the sets in use, or that there is none, before they are drawn from."""
    day = head.entry_day(session.hall, at)
    used = list(queries.sets(session.hall).filter(standing=SetPlace.IN_USE))
    playing = state.game if state.playing else None
    formats = [playing.format] if playing else state.terms.get("formats")
    if not _has_one(used, formats) and not (_is_undecided(state) and rng_draws()):
        yield Due(SET, str(_first_format(formats)))
    begun = _has_begun(state)
    for one in used:
        for found in _due_of_set(one, day=day, call=lambda serial: opening_call(session, serial)):
            if not (begun and found.duty == OPENING):
                yield found


def _is_undecided(state: SessionState) -> bool:
    """Return whether the first ball decides where a game's balls come from."""
    if state.game is not None and state.playing:
        return rules.source_of(state, state.game) in ("", FIRST)
    return not policies.of(state.terms).source


def _call_due(duty: str, of: BallSet, called: JournalEntry | None) -> Due:
    if called is None:
        return Due(duty, of.serial, of)
    missing, foreign = called.data["missing"], called.data["foreign"]
    return Due(duty, of.serial, of, tuple(missing), tuple(foreign))


def _has_one(used: Sequence[BallSet], formats: Sequence[int] | None) -> bool:
    """Return whether a set in use is of one of the formats played; of any where none are told."""
    return any(formats is None or one.format in formats for one in used)


def _first_format(formats: list[int] | None) -> int:
    return 90 if not formats or 90 in formats else formats[0]


KIND = "duty_left_out"


@transaction.atomic
def leave_out(
    *,
    session: Session,
    duty: str,
    subject: str,
    reason: str,
    witness: Person | None,
    **who: Unpack[Who],
) -> JournalEntry:
    """Leave a duty out for the rest of the session: what is due of its balls, and nothing else.

    `duty` is one of `bingo.rules.approvals_and_roll_calls_due.DUTIES`, `subject` the set, device or format it is of.
    Raises Refusal: not_allowed, key_reused, duty_not_due, second_person_needed,
    witness_same_person, witness_not_allowed, or what `bingo.rules.approvals_and_roll_calls_due.leave_out` refuses.
    """
    why = reason.strip()
    asked = {"duty": duty, "subject": subject, "reason": why}
    _hall, done = begin_command(session.hall_id, KIND, inputs=asked, **who)
    if done:
        return done
    session = Session.objects.select_related("hall").get(pk=session.pk)
    named = second_person.witness_name(witness, by=who["by"], kind=KIND, at=who["at"])
    done = journal_services.record(
        session, KIND, **who, witness=named,
        duty=duty, subject=subject, reason=why,
    ).entry  # fmt: skip
    if not _is_due(session, duty, subject, at=done.at):
        raise Refusal("duty_not_due")
    return done


def _is_due(session: Session, duty: str, subject: str, *, at: datetime) -> bool:
    """Return whether it would have to be done, asked of the books as they are."""
    hall = session.hall
    if duty == SET:
        formats = session.state["terms"].get("formats") or [90]
        known = subject in [str(one) for one in formats]
        return known and queries.in_use(hall, int(subject)) is None
    if duty == APPROVAL:
        day = hall.day(at)
        used = BallSet.objects.filter(hall=hall, standing="in_use").select_related("extractor")
        return any(subject in unapproved(one, day=day) for one in used)
    if duty == CLOSING:
        called = closing_call(session, subject)
        due = subject in load(session.state).balls.drawn
        return due and (called is None or not is_whole(called))
    called = opening_call(session, subject)
    there = BallSet.objects.filter(hall=hall, serial=subject).exclude(standing="retired").exists()
    return duty == OPENING and there and (called is None or not is_whole(called))
