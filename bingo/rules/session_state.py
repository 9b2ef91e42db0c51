"""The state of a session after a number of facts: a frozen value, written and read as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from bingo.rules import facts
from bingo.rules.facts import Data, stored
from bingo.rules.game_state import GameState, Phase
from bingo.rules.jackpots import Jackpot
from bingo.rules.shifts import ShiftState


@stored("ends_at", "last_game")
@dataclass(frozen=True, slots=True)
class Ending:
    """How a session ends: `ends_at` as `written` gives it, empty where no end is planned.

    `last_game` is the number of the game announced as the last, 0 until then.
    """

    ends_at: str = ""
    last_game: int = 0


@stored("drawn", "extracted", "left_out")
@dataclass(frozen=True, slots=True)
class BallDuties:
    """What a session has come to: `drawn` the serials of the sets that its games were drawn from.

    `extracted` is the last game of which a ball has come from an extractor, 0 while there is none;
    `left_out` holds (duty, subject) of what two persons let be left out.
    """

    drawn: tuple[str, ...] = ()
    extracted: int = 0
    left_out: tuple[tuple[str, str], ...] = ()


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
    ending: Ending = Ending()
    carried: int = 0
    balls: BallDuties = BallDuties()

    @property
    def jackpots(self) -> tuple[Jackpot, ...]:
        """Every level of the jackpot, none without one."""
        return () if self.jackpot is None else (self.jackpot, *self.levels)

    @property
    def is_linked(self) -> bool:
        """Whether several halls add to a level of the jackpot."""
        return any(one.link for one in self.jackpots)

    @property
    def playing(self) -> bool:
        """Whether a game is under way."""
        return self.game is not None and self.game.phase != Phase.COMPLETE

    @property
    def extracting(self) -> bool:
        """Whether a ball of the game has come from an extractor, whose set was judged with it."""
        return self.game is not None and self.balls.extracted == self.game.number

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
