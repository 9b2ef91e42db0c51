"""How an open session is to end, for the pages that tell it (R53)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import ceil

from bingo.rules import ending as rules
from draws.documents import announcements, voices
from draws.documents.voices import Spoken
from draws.queries.standing import Standing


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


def last_game(now: Standing, *, at: datetime) -> LastGame | None:
    """Give it `at` this moment, None where no session is open or no end planned."""
    if now.state is None or not now.state.ending.ends_at:
        return None
    state, ending = now.state, now.state.ending
    ends_at = rules.read(ending.ends_at)
    due_at = ends_at - rules.BEFORE
    game = ending.last_game or rules.last_of(state)
    return LastGame(
        ends_at=ends_at,
        due_at=due_at,
        left=max(0, ceil((due_at - at).total_seconds())),
        announced=bool(ending.last_game),
        over=rules.is_over(ending, games=state.games, playing=state.playing),
        game=game,
        under_way=state.playing and game == state.games,
        spoken=tuple(_spoken(now)),
    )


def board_line(now: Standing) -> str | None:
    """Give what the boards say from the announcement until the last game is over."""
    if now.state is None or not now.state.ending.last_game:
        return None
    state = now.state
    if rules.is_over(state.ending, games=state.games, playing=state.playing):
        return None
    return " ".join(said.text for said in _spoken(now)[:1])


def _spoken(now: Standing) -> list[Spoken]:
    terms = now.state.terms if now.state else {}
    also = terms.get("languages") or ()
    tongues = voices.voices(terms["rulebook"], currency=now.hall.currency, also=also)
    return announcements.last_game(terms["rulebook"], tongues)
