"""How a hall stands now: its session, its game, and what the rules know of it; for every screen."""

from __future__ import annotations

from dataclasses import dataclass

from bingo.rules import session as rules
from bingo.rules.session import SessionState
from bingo.rules.state import GameState
from draws.models import Game
from draws.queries import figures
from halls.models import Hall, JournalEntry, Session
from halls.queries import sessions


@dataclass(frozen=True, slots=True)
class Standing:
    """A hall at one journal number; `game` and `known` are the open game or the session's last."""

    hall: Hall
    number: int
    session: Session | None
    state: SessionState | None
    game: Game | None

    @property
    def known(self) -> GameState | None:
        """What the rules know of the game."""
        return self.state.game if self.state else None

    @property
    def phase(self) -> str:
        """The game's phase, or none."""
        return self.known.phase.value if self.known else "none"

    @property
    def figure(self) -> str:
        """What the figure that the game is played for is called, empty where it has no name."""
        return figures.name(self.hall, self.known.pattern) if self.known else ""


def standing(hall_code: str) -> Standing:
    """Read a hall as it stands. Raises Hall.DoesNotExist.

    The number is read first: what is shown may be newer than its number, never older.
    """
    hall = Hall.objects.get(code=hall_code)
    session = sessions.open_session(hall)
    if session is None:
        return Standing(hall, hall.head_number, None, None, None)
    state = rules.load(session.state)
    game = None
    if state.game:
        game = Game.objects.select_related("issue__series", "first_half", "session__hall").get(
            session=session, number=state.game.number
        )
    return Standing(hall, hall.head_number, session, state, game)


def last_check(standing: Standing) -> JournalEntry | None:
    """Give the last card checked since somebody last called, while the draw stands still."""
    if standing.session is None or standing.phase not in ("stopped", "window"):
        return None
    of_game = JournalEntry.objects.filter(
        session=standing.session, game=standing.state.games if standing.state else 0
    )
    last = of_game.filter(kind__in=["claim_called", "claim_checked", "window_closed"]).last()
    return last if last and last.kind == "claim_checked" else None


def suspension(standing: Standing) -> JournalEntry | None:
    """Give the entry by which the game is suspended now; its time begins the 15 minutes of R55."""
    if standing.session is None or standing.known is None or standing.known.suspended is None:
        return None
    of_game = JournalEntry.objects.filter(
        session=standing.session, game=standing.known.number, kind="game_suspended"
    )
    return of_game.last()
