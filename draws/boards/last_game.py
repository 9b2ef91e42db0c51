"""The end of an open session as pages and boards tell it: when, and which game is the last (R53)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from bingo.rules import moments, rulebooks, session_end
from draws.boards.announcements import Spoken, Voice, voices
from draws.games.queries import HallState


@dataclass(frozen=True, slots=True)
class LastGame:
    """The planned end and the last game; `left` seconds until it is to be announced, 0 when due.

    `game` is the game announced as the last, or which it would be if that were said now; `under_way`:
    it is being sold or played. `spoken` is what to say, in each language of the hall.
    """

    ends_at: datetime
    due_at: datetime
    left: int
    announced: bool
    over: bool
    game: int
    under_way: bool
    spoken: tuple[Spoken, ...]

    @property
    def due(self) -> bool:
        """Whether it is to be announced now."""
        return not self.announced and not self.left


def session_end_last_game(now: HallState, *, at: datetime) -> LastGame | None:
    """Return it `at` this moment, None where no session is open or no end planned."""
    if now.state is None or not now.state.ending.ends_at:
        return None
    state, ending = now.state, now.state.ending
    ends_at = moments.read(ending.ends_at)
    due_at = ends_at - session_end.BEFORE
    game = ending.last_game or session_end.last_of(state)
    return LastGame(
        ends_at=ends_at,
        due_at=due_at,
        left=max(0, ceil((due_at - at).total_seconds())),
        announced=bool(ending.last_game),
        over=session_end.is_over(ending, games=state.games, playing=state.playing),
        game=game,
        under_way=state.playing and game == state.games,
        spoken=tuple(_spoken(now)),
    )


def board_line(now: HallState) -> str | None:
    """Return what the boards say from the announcement until the last game is over."""
    if now.state is None or not now.state.ending.last_game:
        return None
    state = now.state
    if session_end.is_over(state.ending, games=state.games, playing=state.playing):
        return None
    return " ".join(said.text for said in _spoken(now)[:1])


def _spoken(now: HallState) -> list[Spoken]:
    terms = now.state.terms if now.state else {}
    also = terms.get("languages") or ()
    tongues = voices(terms["rulebook"], currency=now.hall.written_currency, also=also)
    return last_game(terms["rulebook"], tongues)


def last_game(rulebook: str, voices: Iterable[Voice]) -> list[Spoken]:
    """Return the announcement of the session's last game in each language, the law's first (R53)."""
    speeches = rulebooks.get(rulebook).speeches
    return [Spoken(one.language, (speeches[one.language].single.last_game,)) for one in voices]
