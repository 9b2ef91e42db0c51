"""One session as a list of facts: opening, shifts, games one after another, notes, the close.

A session owns the terms frozen when it opened (R9), at most one game at a time (R60), the drawers
of its tills and the jackpot. Facts of a game are decided by `game`, those of a till by `shifts`;
what the one does to the other is added here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any

from bingo.rules import game, prizes, rulebooks, shifts, state
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.shifts import ShiftState
from bingo.rules.state import GameState, Jackpot, Phase

Data = dict[str, Any]

NOTES = ("complaint", "substitution", "breakdown", "occurrence", "other")
MALFORMED = (TypeError, ValueError, KeyError, AttributeError, IndexError)


@dataclass(frozen=True, slots=True)
class SessionState:
    """One session; `game` is the open one or the last."""

    number: int
    terms: Data
    open: bool = True
    shifts: tuple[ShiftState, ...] = ()
    games: int = 0
    game: GameState | None = None
    jackpot: Jackpot | None = None

    @property
    def playing(self) -> bool:
        """Whether a game is under way."""
        return self.game is not None and self.game.phase != Phase.COMPLETE


def open_session(
    *,
    number: int,
    rulebook: str,
    shares: Data,
    jackpot: Data | None,
    tax: Data,
    authorisation: str,
    currency: str,
    checked: bool,
) -> Data:
    """Open a session on terms that hold until it closes (R9); `checked`: R32 has been done.

    Raises Refusal: equipment_not_checked, unknown_rulebook, or what `prizes.check` refuses.
    """
    if not checked:
        raise Refusal("equipment_not_checked")
    rate = jackpot["rate"] if jackpot else 0
    prizes.check(prizes.Shares(**shares), jackpot_rate=rate, rulebook=rulebooks.get(rulebook))
    return {
        "number": number,
        "rulebook": rulebook,
        "shares": shares,
        "jackpot": jackpot,
        "tax": tax,
        "authorisation": authorisation,
        "currency": currency,
        "checked": checked,
    }


def begin(fact: Fact) -> SessionState:
    """Give the state after a session's first fact. Raises Refusal fact_disagrees."""
    if fact.kind != "session_opened" or open_session(**fact.data) != fact.data:
        raise Refusal("fact_disagrees", kind=fact.kind)
    jackpot = Jackpot(**fact.data["jackpot"]) if fact.data["jackpot"] else None
    return SessionState(number=fact.data["number"], terms=fact.data, jackpot=jackpot)


def note(session: SessionState, *, category: str, text: str, decision: str) -> Data:
    """Note a complaint, substitution, breakdown or occurrence (R61 j-m).

    Raises Refusal: unknown_category, text_missing.
    """
    if category not in NOTES:
        raise Refusal("unknown_category", category=category)
    if not text.strip():
        raise Refusal("text_missing")
    return {"category": category, "text": text, "decision": decision, "game": session.games}


def open_game(session: SessionState, *, format: int, face: int, issue: Data, matrix: str) -> Data:
    """Prepare the next game (R60); `matrix` is the SHA-256 of the series' card matrix.

    Raises Refusal: game_not_complete, or what `game.open_game` refuses.
    """
    if session.playing:
        raise Refusal("game_not_complete")
    data = {"format": format, "face": face, "issue": issue, "matrix": matrix}
    _prepared(session, data)
    return {**data, "number": session.games + 1}


def _prepared(session: SessionState, data: Data) -> GameState:
    return game.open_game(
        number=session.games + 1,
        format=data["format"],
        rulebook=session.terms["rulebook"],
        face=data["face"],
        shares=session.terms["shares"],
        jackpot=asdict(session.jackpot) if session.jackpot else None,
        tax=session.terms["tax"],
        issue=data["issue"],
    )


def game_opened(session: SessionState, data: Data) -> SessionState:
    """Take the prepared game as the open one."""
    return replace(session, games=session.games + 1, game=_prepared(session, data))


def close_session(session: SessionState) -> Data:
    """Close the session: no game open, nothing unpaid, no till open.

    Raises Refusal: game_not_complete, shifts_open.
    """
    if session.playing:
        raise Refusal("game_not_complete")
    if shifts.still_open(session.shifts):
        raise Refusal("shifts_open", left=len(shifts.still_open(session.shifts)))
    return {"games": session.games}


def session_closed(session: SessionState, _data: Data) -> SessionState:
    """Nothing follows."""
    return replace(session, open=False)


def note_recorded(session: SessionState, _data: Data) -> SessionState:
    """A note changes nothing but the record."""
    return session


STEPS: MappingProxyType[str, tuple[Callable[..., Data], Callable[..., SessionState]]] = (
    MappingProxyType(
        {
            "game_opened": (open_game, game_opened),
            "note_recorded": (note, note_recorded),
            "session_closed": (close_session, session_closed),
        }
    )
)


def decide(session: SessionState, kind: str, **inputs: Any) -> Fact:
    """Give the fact that this command makes: the one door for session, tills and games.

    Raises Refusal: session_closed, no_game, shift_not_open, cash_short, or the step's own.
    """
    if not session.open:
        raise Refusal("session_closed")
    if kind in STEPS:
        return Fact(kind, STEPS[kind][0](session, **inputs))
    if kind in shifts.STEPS:
        return Fact(kind, shifts.STEPS[kind][0](session.shifts, **inputs))
    if session.game is None:
        raise Refusal("no_game")
    fact = game.decide(session.game, kind, **inputs)
    if kind in shifts.CASH_IN:
        shifts.game_cash(session.shifts, kind, fact.data)
    return fact


def follow(session: SessionState, fact: Fact) -> SessionState:
    """Give the state after a fact, decided anew from its own inputs.

    Raises Refusal: what deciding refuses, fact_disagrees, unknown_fact.
    """
    decided = decide(
        session, fact.kind, **{name: fact.data.get(name) for name in inputs(fact.kind)}
    )
    if decided != fact:
        raise Refusal("fact_disagrees", kind=fact.kind)
    if fact.kind in STEPS:
        return STEPS[fact.kind][1](session, fact.data)
    if fact.kind in shifts.STEPS:
        return replace(session, shifts=shifts.STEPS[fact.kind][1](session.shifts, fact.data))
    return _game_moved(session, fact)


def _game_moved(session: SessionState, fact: Fact) -> SessionState:
    if session.game is None:
        raise Refusal("no_game")
    after = game.apply(session.game, fact)
    drawers = session.shifts
    if fact.kind in shifts.CASH_IN:
        drawers = shifts.game_cash(drawers, fact.kind, fact.data)
    jackpot = replace(session.jackpot, balance=after.jackpot_balance) if session.jackpot else None
    return replace(session, game=after, shifts=drawers, jackpot=jackpot)


def inputs(kind: str) -> list[str]:
    """Give the names of the inputs from which a kind of fact is decided. Raises Refusal unknown_fact."""
    for steps in (STEPS, shifts.STEPS, game.STEPS):
        if kind in steps:
            parameters = inspect.signature(steps[kind][0]).parameters.values()
            return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
    raise Refusal("unknown_fact", kind=kind)


def judge(session: SessionState | None, fact: Fact) -> SessionState:
    """Follow a stranger's fact, such as one read from a file: whatever is wrong is a Refusal."""
    try:
        return begin(fact) if session is None else follow(session, fact)
    except MALFORMED as error:
        raise Refusal("fact_malformed", kind=fact.kind) from error


def replay(facts: Iterable[Fact]) -> SessionState | None:
    """Give a session's state from its journal, first fact to last; None without facts."""
    session: SessionState | None = None
    for fact in facts:
        session = judge(session, fact)
    return session


def dump(session: SessionState) -> Data:
    """Give the state as JSON-ready values."""
    return asdict(session)


def load(data: Data) -> SessionState:
    """Give back the state that `dump` wrote."""
    return SessionState(
        number=data["number"],
        terms=data["terms"],
        open=data["open"],
        shifts=tuple(ShiftState(**shift) for shift in data["shifts"]),
        games=data["games"],
        game=state.load(data["game"]) if data["game"] else None,
        jackpot=Jackpot(**data["jackpot"]) if data["jackpot"] else None,
    )
