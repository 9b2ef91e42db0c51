"""The end of a session as it is planned, and its last game, announced ten minutes before (R53)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bingo.rules.refusal import Refusal
from bingo.rules.state import Phase

if TYPE_CHECKING:
    from bingo.rules.session import SessionState

Data = dict[str, Any]

BEFORE = timedelta(minutes=10)  # R53
LONGEST = timedelta(days=1)  # an end further away is a slip of the hand
# A game whose balls are over is no longer the one of which "it is the last" can be said.
OVER = (Phase.PAYING, Phase.VOIDED, Phase.COMPLETE)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ends: `ends_at` as `written` gives it, empty where no end is planned.

    `last_game` is the number of the game announced as the last, 0 until then.
    """

    ends_at: str = ""
    last_game: int = 0


NONE = Ending()


def written(moment: datetime) -> str:
    """Give a moment as facts have it: ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).replace(microsecond=0).isoformat()


def read(text: str) -> datetime:
    """Give back what `written` wrote. Raises Refusal bad_moment."""
    try:
        moment = datetime.fromisoformat(text)
        same = moment.tzinfo is not None and written(moment) == text
    except (TypeError, ValueError, OverflowError):
        same = False
    if not same:
        raise Refusal("bad_moment")
    return moment


def due_at(ending: Ending) -> datetime | None:
    """Give from when on the last game is to be announced (R53), None where no end is planned."""
    return read(ending.ends_at) - BEFORE if ending.ends_at else None


def is_over(ending: Ending, *, games: int, playing: bool) -> bool:
    """Tell whether the game announced as the last is over, so that no sale follows (R53)."""
    return 0 < ending.last_game <= games and not playing


def require_may_open(ending: Ending, *, games: int) -> None:
    """Refuse a game after the one announced as the last (R53): last_game_played."""
    if 0 < ending.last_game <= games:
        raise Refusal("last_game_played", game=ending.last_game)


def last_of(session: SessionState) -> int:
    """Give the game that is the last if it is said so now.

    It is the one under way until its balls are over, and then the next; of double cards it is
    their second game, which players have paid for (R15).
    """
    known = session.game
    if known is None or known.phase in OVER:
        return session.games + 1
    return session.games + (1 if known.half == 1 else 0)


def require_end(ends_at: str, moment: str) -> None:
    """Refuse an end that is over or more than a day away. Raises Refusal: bad_moment, bad_session_end."""
    end, now = read(ends_at), read(moment)
    if not now < end <= now + LONGEST:
        raise Refusal("bad_session_end")


def require_for_sale(session: SessionState, data: Data) -> None:
    """Let a sale within the last ten minutes begin only as the last one, announced as such (R53).

    `data` is the announcement of the sale. A session older than its duties, or without a planned
    end, is not judged. Raises Refusal: bad_moment, last_game_due.
    """
    due = due_at(session.ending)
    if due is None or not session.terms.get("duties") or session.ending.last_game:
        return
    if read(data.get("moment", "")) >= due:
        raise Refusal("last_game_due")


def plan(session: SessionState, *, ends_at: str, reason: str, moment: str) -> Data:
    """Plan when the session ends, or move it before the last game is announced, with a reason.

    `ends_at` and `moment`, when it was decided, as `written` gives them. Raises Refusal:
    bad_moment, bad_session_end, reason_missing, last_game_announced.
    """
    if session.ending.last_game:
        raise Refusal("last_game_announced", game=session.ending.last_game)
    require_end(ends_at, moment)
    if session.ending.ends_at and not reason.strip():
        raise Refusal("reason_missing")
    before = {"before": session.ending.ends_at} if session.ending.ends_at else {}
    return {"ends_at": ends_at, "reason": reason, "moment": moment, **before}


def planned(session: SessionState, data: Data) -> SessionState:
    """Keep the end."""
    return replace(session, ending=replace(session.ending, ends_at=data["ends_at"]))


def announce(session: SessionState, *, moment: str) -> Data:
    """Say which game is the last, from ten minutes before the planned end on (R53).

    Raises Refusal: bad_moment, last_game_announced, no_session_end, last_game_too_early (`left`
    seconds).
    """
    now, due = read(moment), due_at(session.ending)
    if session.ending.last_game:
        raise Refusal("last_game_announced", game=session.ending.last_game)
    if due is None:
        raise Refusal("no_session_end")
    if now < due:
        raise Refusal("last_game_too_early", left=int((due - now).total_seconds()))
    return {"game": last_of(session), "moment": moment}


def announced(session: SessionState, data: Data) -> SessionState:
    """Keep which game it is."""
    return replace(session, ending=replace(session.ending, last_game=data["game"]))


def dump(ending: Ending) -> Data:
    """Give the ending as JSON-ready values, nothing where there is none."""
    told = {"ends_at": ending.ends_at, "last_game": ending.last_game}
    return {"ending": told} if any(told.values()) else {}


def load(data: Data) -> Ending:
    """Give back the ending of a session's values."""
    return Ending(**data.get("ending", {}))


STEPS: MappingProxyType[
    str, tuple[Callable[..., Data], Callable[[SessionState, Data], SessionState]]
] = MappingProxyType(
    {
        "session_end_planned": (plan, planned),
        "last_game_announced": (announce, announced),
    }
)
