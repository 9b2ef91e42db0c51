"""What a camera's process has read and the hall has not taken in yet: sent in order, once each."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID, uuid4

from django.db import DatabaseError, InterfaceError, OperationalError

from bingo.rules.refusal import Refusal
from draws.models import Camera, Game
from draws.services import seen
from draws.vision.values import Reading

MOST = 8  # readings kept while they cannot be sent
TRIES = 3  # of a reading that the database is there for, and will not have
AGAIN = 1.0  # seconds before another
NOT_KEPT = "not_kept"  # the fault of a camera whose balls or pictures cannot be kept


@dataclass(slots=True)
class _Proposal:
    reading: Reading
    game: Game
    seen_at: datetime
    at_start: bool
    key: UUID = field(default_factory=uuid4)
    tries: int = 0


class Outbox:
    """The readings of one camera; `trouble` is its fault while one of them cannot be kept."""

    def __init__(self, camera: Camera, tell: Callable[[str], None]) -> None:
        """Prepare; `tell` is given a plain line of what has come of each reading."""
        self.trouble = ""
        self._camera, self._tell = camera, tell
        self._waiting: deque[_Proposal] = deque()
        self._again_at = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether everything was sent."""
        return not self._waiting

    def put(self, reading: Reading, *, game: Game, seen_at: datetime, at_start: bool) -> None:
        """Keep a reading of a game until it is sent; of too many the oldest is given up."""
        if len(self._waiting) == MOST:
            self._give_up("too many wait")
        self._waiting.append(_Proposal(reading, game, seen_at, at_start))

    def send(self, game: Game | None) -> None:
        """Send what waits while this game is drawn; the same key again after a failure.

        Raises OperationalError, InterfaceError: the database is away, and everything waits.
        """
        while self._waiting and time.monotonic() >= self._again_at:
            proposal = self._waiting[0]
            if game is not None and game.pk != proposal.game.pk:
                self._give_up("its game is over")
            elif proposal.tries == TRIES:
                self._give_up("not taken in: compare the balls that are out with the board")
            else:
                self._try(proposal)

    def empty(self, why: str) -> None:
        """Give everything up, because somebody else tells of it."""
        while self._waiting:
            self._give_up(why)

    def _try(self, proposal: _Proposal) -> None:
        # Counted before it is tried, so that one that ends the thread is given up too.
        proposal.tries += 1
        try:
            self._propose(proposal)
        except Refusal as refusal:
            self._say(f"not taken: {refusal.code}")
        except (OperationalError, InterfaceError):
            proposal.tries -= 1
            raise
        except OSError as error:
            # A full disk is emptied some time, and the picture is the proof.
            proposal.tries -= 1
            self._put_off(error)
            return
        except DatabaseError as error:
            self._put_off(error)
            return
        else:
            self.trouble = ""
        self._waiting.popleft()

    def _put_off(self, error: Exception) -> None:
        if self.trouble != NOT_KEPT or isinstance(error, DatabaseError):
            self._say(f"cannot be kept: {type(error).__name__}")
        self.trouble = NOT_KEPT
        self._again_at = time.monotonic() + AGAIN

    def _propose(self, proposal: _Proposal) -> None:
        reading = proposal.reading
        made = seen.tell(
            camera=self._camera, seen=reading, seen_at=proposal.seen_at, key=proposal.key,
            at_start=proposal.at_start,
        )  # fmt: skip
        still = "" if made.key == proposal.key else "still there, "
        self._say(f"{reading.number or reading.reason}: {still}{made.standing}")

    def _give_up(self, why: str) -> None:
        lost = self._waiting.popleft().reading
        self._say(f"{lost.number or lost.reason} is given up: {why}")

    def _say(self, words: str) -> None:
        self._tell(f"{self._camera.name}: {words}")
