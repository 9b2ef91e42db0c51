"""How a hall stands now: its session, its game, and what the rules know of it; for every screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bingo.rules import jackpots
from bingo.rules import session as rules
from bingo.rules.session import SessionState
from bingo.rules.state import GameState
from draws.documents.winning import Winning, winning
from draws.models import Game
from draws.queries import checks, figures
from halls.models import Hall, JournalEntry, Session
from halls.queries import links, sessions


@dataclass(frozen=True, slots=True)
class Standing:
    """A hall as it stands; `game` and `known` are the open game or the session's last.

    `number` grows with the hall's journal and with the links that it takes part in. `linked` is
    what a bingo here wins now of each link, by its code, in minor units.
    """

    hall: Hall
    number: int
    session: Session | None
    state: SessionState | None
    game: Game | None
    linked: Mapping[str, int] = field(default_factory=dict)

    @property
    def known(self) -> GameState | None:
        """What the rules know of the game, with what a linked jackpot holds for its players."""
        game = self.state.game if self.state else None
        if game is None or jackpots.linked(game.jackpots) is None:
            return game
        first, *others = (
            replace(one, balance=self.linked.get(one.link, 0)) if one.link else one
            for one in game.jackpots
        )
        return replace(game, jackpot=first, levels=tuple(others))

    @property
    def phase(self) -> str:
        """The game's phase, or none."""
        return self.known.phase.value if self.known else "none"

    @property
    def figure(self) -> str:
        """What the figure that the game is played for is called, empty where it has no name."""
        return figures.name(self.hall, self.known.pattern) if self.known else ""

    @property
    def winning(self) -> tuple[Winning, ...]:
        """What wins each prize of the game, in the reader's language (R67, R75, R84)."""
        return winning(self.known, figure=self.figure) if self.known else ()


def standing(hall_code: str) -> Standing:
    """Read a hall as it stands. Raises Hall.DoesNotExist.

    The number is read first: what is shown may be newer than its number, never older.
    """
    hall = Hall.objects.get(code=hall_code)
    moved, linked = links.seen(hall)
    number = hall.head_number + moved
    session = sessions.open_session(hall)
    if session is None:
        return Standing(hall, number, None, None, None, linked)
    state = rules.load(session.state)
    game = None
    if state.game:
        game = Game.objects.select_related("issue__series", "first_half", "session__hall").get(
            session=session, number=state.game.number
        )
    return Standing(hall, number, session, state, game, linked)


def last_check(standing: Standing) -> JournalEntry | None:
    """Give the last card checked since somebody last called, while the draw stands still."""
    if standing.session is None or standing.phase not in ("stopped", "window"):
        return None
    return checks.looked_at(standing.session, standing.state.games if standing.state else 0)


def suspension(standing: Standing) -> JournalEntry | None:
    """Give the entry by which the game is suspended now; its time begins the 15 minutes of R55."""
    if standing.session is None or standing.known is None or standing.known.suspended is None:
        return None
    of_game = JournalEntry.objects.filter(
        session=standing.session, game=standing.known.number, kind="game_suspended"
    )
    return of_game.last()
