"""One session as a list of facts: opening, shifts, games one after another, notes, the close.

A session owns the terms frozen when it opened (R9), at most one game at a time (R60), the drawers
of its tills and the jackpot. Facts of a game are decided by `game`, those of a till by `shifts`;
what the one does to the other is added here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any

from bingo.rules import authorisations, game, prizes, rulebooks, shifts, state
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.shifts import ShiftState
from bingo.rules.state import GameState, Jackpot, Phase

Data = dict[str, Any]

NOTES = ("complaint", "substitution", "breakdown", "occurrence", "other")
MALFORMED = (TypeError, ValueError, KeyError, AttributeError, IndexError)


@dataclass(frozen=True, slots=True)
class SessionState:
    """One session; `game` is the open one or the last.

    `last_sold` holds, for each issue of which this session sold cards, (issue, last card sold).
    """

    number: int
    terms: Data
    open: bool = True
    shifts: tuple[ShiftState, ...] = ()
    games: int = 0
    game: GameState | None = None
    jackpot: Jackpot | None = None
    last_sold: tuple[tuple[int, int], ...] = ()

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
    formats: list[int] | None = None,
    faces: list[int] | None = None,
) -> Data:
    """Open a session on terms that hold until it closes (R9); `checked`: R32 has been done.

    `formats` and `faces` are the cards authorised (R3, R17); sessions older than these terms have
    none, and their games are not judged by them. Raises Refusal: equipment_not_checked, bad_tax,
    bad_jackpot, unknown_rulebook, or what `prizes.check` refuses.
    """
    if not checked:
        raise Refusal("equipment_not_checked")
    if not 0 <= tax["rate"] <= prizes.WHOLE or tax["threshold"] < 0:
        raise Refusal("bad_tax", rate=tax["rate"], threshold=tax["threshold"])
    if jackpot and min(jackpot["limit"], jackpot["base"], jackpot["balance"]) < 0:
        raise Refusal("bad_jackpot")
    rate = jackpot["rate"] if jackpot else 0
    prizes.check(prizes.Shares(**shares), jackpot_rate=rate, rulebook=rulebooks.get(rulebook))
    cards = {"formats": formats, "faces": faces}
    return {
        "number": number,
        "rulebook": rulebook,
        "shares": shares,
        "jackpot": jackpot,
        "tax": tax,
        "authorisation": authorisation,
        "currency": currency,
        "checked": checked,
        **{name: named for name, named in cards.items() if named is not None},
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

    Raises Refusal: game_not_complete, format_not_authorised, face_not_authorised, out_of_order,
    or what `game.open_game` refuses.
    """
    if session.playing:
        raise Refusal("game_not_complete")
    if "formats" in session.terms:
        authorisations.require_format(format, session.terms["formats"])
    if "faces" in session.terms:
        authorisations.require_face(face, session.terms["faces"])
    _goes_on(session, issue)
    data = {"format": format, "face": face, "issue": issue, "matrix": matrix}
    _prepared(session, data)
    return {**data, "number": session.games + 1}


def _goes_on(session: SessionState, issue: Data) -> None:
    """Refuse an issue that does not go on where this session left it (R37)."""
    last = dict(session.last_sold).get(issue["issue"])
    if last is not None and last != issue["last_sold"]:
        raise Refusal("out_of_order", asked=issue["last_sold"] + 1, next=last + 1)


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
    """Close the session: no game open, so nothing unpaid, and no till open.

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


STEPS: MappingProxyType[
    str, tuple[Callable[..., Data], Callable[[SessionState, Data], SessionState]]
] = MappingProxyType(
    {
        "game_opened": (open_game, game_opened),
        "note_recorded": (note, note_recorded),
        "session_closed": (close_session, session_closed),
    }
)

DECIDERS: Mapping[str, Callable[..., Data]] = MappingProxyType(
    {kind: step[0] for kind, step in STEPS.items()}
    | {kind: step[0] for kind, step in shifts.STEPS.items()}
    | {kind: step.decide for kind, step in game.STEPS.items()}
)


def decide(session: SessionState, kind: str, **inputs: Any) -> Fact:
    """Give the fact that this command makes: the one door for session, tills and games.

    Raises Refusal: session_closed, no_game, shift_not_open, cash_short, out_of_order, or the
    step's own.
    """
    if not session.open:
        raise Refusal("session_closed")
    if kind in STEPS:
        return Fact(kind, STEPS[kind][0](session, **inputs))
    if kind in shifts.STEPS:
        return Fact(kind, shifts.STEPS[kind][0](session.shifts, **inputs))
    fact = game.decide(_last_game(session), kind, **inputs)
    if kind in shifts.CASH_IN:
        shifts.game_cash(session.shifts, kind, fact.data)
    if kind == "second_issue_opened":
        _goes_on(session, fact.data["issue"])
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


def _last_game(session: SessionState) -> GameState:
    if session.game is None:
        raise Refusal("no_game")
    return session.game


def _game_moved(session: SessionState, fact: Fact) -> SessionState:
    after = game.apply(_last_game(session), fact)
    drawers = session.shifts
    if fact.kind in shifts.CASH_IN:
        drawers = shifts.game_cash(drawers, fact.kind, fact.data)
    jackpot = replace(session.jackpot, balance=after.jackpot_balance) if session.jackpot else None
    last = dict(session.last_sold)
    last |= {run.issue: run.last for run in after.runs if run.last is not None}
    return replace(
        session, game=after, shifts=drawers, jackpot=jackpot, last_sold=tuple(sorted(last.items()))
    )


def inputs(kind: str) -> list[str]:
    """Give the names of the inputs that decide a kind of fact. Raises Refusal unknown_fact."""
    if kind not in DECIDERS:
        raise Refusal("unknown_fact", kind=kind)
    parameters = inspect.signature(DECIDERS[kind]).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]


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
    return asdict(session) | {"game": state.dump(session.game) if session.game else None}


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
        last_sold=tuple((issue, card) for issue, card in data["last_sold"]),
    )
