"""Checks of ball sets due before sale, draw and close, and their waiver (R4, R20, R22, R23, R25).

A game whose balls come from the camera or by hand is drawn from a registered and approved set, all
of whose balls have run past the camera before the first sale and run again before the session
closes. The RNG has no balls, and none of this is asked of it. A duty may be left out only by a fact
of its own, with two persons and a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bingo.rules import policies
from bingo.rules.equipment import LONGEST_SERIAL, LONGEST_TEXT
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, SessionState
from bingo.rules.steps.drawing import FIRST, RNG
from bingo.rules.texts import require_text

# What may be left out, and of what: the set of a format, the approval of a set or a device by its
# name, the roll call of a set by its serial.
SET, APPROVAL, OPENING, CLOSING = "ball_set", "approval", "opening_call", "closing_call"
DUTIES = (SET, APPROVAL, OPENING, CLOSING)
LONGEST_SUBJECT = max(LONGEST_SERIAL, 60)  # the name of a device is the longer one


def bind(session: SessionState) -> bool:
    """Return whether the session opened under these duties; older ones are judged without them."""
    return bool(session.terms.get("duties"))


def require_for_sale(session: SessionState, data: Data) -> None:
    """Let no card be sold before the game's set is there, approved and called (R4, R20, R23).

    `data` is the announcement of the sale. Where the RNG has bound itself the balls may yet come
    from it: what is due is asked with the first ball of another source.
    Raises Refusal: ball_set_missing, not_approved, roll_call_missing.
    """
    known = session.game
    if known is None or not bind(session):
        return
    source = source_of(session, known)
    if source == RNG or (source in ("", FIRST) and "commitment" in data):
        return
    _require(session, known, data, called=True)


def require_for_ball(session: SessionState, data: Data) -> None:
    """Let the first ball of an extractor come from a set that is there, approved and called.

    A ball of the RNG is out where it failed in the middle of a game: the law has that game go on at
    once (R55), so no roll call is waited for.
    Raises Refusal: ball_set_missing, not_approved, roll_call_missing.
    """
    known = session.game
    if known is None or data["source"] == RNG or not bind(session):
        return
    _require(session, known, data, called=not known.balls)


def _require(session: SessionState, known: GameState, data: Data, *, called: bool) -> None:
    left_out = session.balls.left_out
    serial = data.get("ball_set")
    if serial is None:
        if (SET, str(known.format)) not in left_out:
            raise Refusal("ball_set_missing", format=known.format)
        return
    for name in data.get("unapproved", ()):
        if (APPROVAL, name) not in left_out:
            raise Refusal("not_approved", name=name)
    if called and "roll_call" not in data and (OPENING, serial) not in left_out:
        raise Refusal("roll_call_missing", ball_set=serial)


def source_of(session: SessionState, known: GameState) -> str:
    """Return where a game's balls come from: as decided for it, else as the hall has decided."""
    return known.source or policies.of(session.terms).source


def require_for_close(session: SessionState, roll_calls: Sequence[Sequence[Any]]) -> None:
    """Let a session close once every set it was drawn from has been called again (R23).

    `roll_calls` are pairs of a serial and the number of its entry. Raises Refusal closing_call_missing.
    """
    if not bind(session):
        return
    called = {serial for serial, _number in roll_calls}
    left = [
        serial
        for serial in session.balls.drawn
        if serial not in called and (CLOSING, serial) not in session.balls.left_out
    ]
    if left:
        raise Refusal("closing_call_missing", ball_set=left[0], left=len(left))


def ball_announced(session: SessionState, data: Data) -> SessionState:
    """Remember the set that a game is drawn from."""
    known = session.game
    if known is None or data["source"] == RNG or not bind(session):
        return session
    drawn = session.balls.drawn
    serial = data.get("ball_set")
    if serial is not None and serial not in drawn:
        drawn = (*drawn, serial)
    return replace(session, balls=replace(session.balls, drawn=drawn, extracted=known.number))


def leave_out(session: SessionState, *, duty: str, subject: str, reason: str) -> Data:
    """Leave a duty out for the rest of the session, by two persons, for a reason that the acta prints.

    Raises Refusal: unknown_duty, bad_text, reason_missing, duty_left_out when it is already.
    """
    if duty not in DUTIES:
        raise Refusal("unknown_duty", duty=duty)
    if not subject or len(subject) > LONGEST_SUBJECT:
        raise Refusal("bad_text", most=LONGEST_SUBJECT)
    text = require_text(reason)
    if len(text) > LONGEST_TEXT:
        raise Refusal("bad_text", most=LONGEST_TEXT)
    if (duty, subject) in session.balls.left_out:
        raise Refusal("duty_left_out")
    return {"duty": duty, "subject": subject, "reason": text}


def left_out(session: SessionState, data: Data) -> SessionState:
    """Ask for it no more."""
    asked = (*session.balls.left_out, (data["duty"], data["subject"]))
    return replace(session, balls=replace(session.balls, left_out=asked))


STEPS: MappingProxyType[
    str, tuple[Callable[..., Data], Callable[[SessionState, Data], SessionState]]
] = MappingProxyType({"duty_left_out": (leave_out, left_out)})
