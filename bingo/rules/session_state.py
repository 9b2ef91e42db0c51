"""The state of a session after a number of facts: a frozen value, written and read as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from bingo.rules import duties as duty_rules
from bingo.rules import facts, session_end
from bingo.rules.duties import BallDuties
from bingo.rules.facts import Data, stored
from bingo.rules.game_state import GameState, Phase
from bingo.rules.jackpots import Jackpot
from bingo.rules.session_end import Ending
from bingo.rules.shifts import ShiftState


@stored("open", "shifts", "games", "game", "jackpot", "last_sold")
@dataclass(frozen=True, slots=True)
class SessionState:
    """One session; `game` is the open one or the last, `levels` those of the jackpot beyond its first.

    `last_sold` holds, for each issue of which this session sold cards, (issue, last card sold);
    `carried` is what a cash step left over of earlier games' prizes, for the next game's fund.
    """

    number: int
    terms: Data
    open: bool = True
    shifts: tuple[ShiftState, ...] = ()
    games: int = 0
    game: GameState | None = None
    jackpot: Jackpot | None = None
    last_sold: tuple[tuple[int, int], ...] = ()
    levels: tuple[Jackpot, ...] = ()
    ending: Ending = session_end.NONE
    carried: int = 0
    balls: BallDuties = duty_rules.NONE

    @property
    def jackpots(self) -> tuple[Jackpot, ...]:
        """Every level of the jackpot, none without one."""
        return () if self.jackpot is None else (self.jackpot, *self.levels)

    @property
    def playing(self) -> bool:
        """Whether a game is under way."""
        return self.game is not None and self.game.phase != Phase.COMPLETE

    @property
    def half_due(self) -> bool:
        """Whether the double cards of the last game have their second game to come (R15)."""
        last = self.game
        return (
            last is not None
            and last.phase == Phase.COMPLETE
            and last.half == 1
            and last.void is None
        )


def dump(session: SessionState) -> Data:
    """Return the state as JSON-ready values."""
    return facts.dump(session)


def load(data: Data) -> SessionState:
    """Return back the state that `dump` wrote."""
    return facts.load(SessionState, data)
