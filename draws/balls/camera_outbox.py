"""What a camera's process sends to the hall: readings, balls shown, stills; in order, once each.

A reading stays in the outbox until the hall has taken it in. Beside the draw the process looks
whether balls are shown to be enrolled or called. `CameraPrints` learns the prints of the set in use
from its enrolment while no ball lies before the camera.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID, uuid4

from django.db import DatabaseError, InterfaceError, OperationalError

from bingo.rules.refusal import Refusal
from draws.balls import enrolment_queries, enrolments_and_roll_calls, readings
from draws.balls.vision import prints
from draws.balls.vision.enrolment import Enroller, Eyes
from draws.balls.vision.exit_area import Area
from draws.balls.vision.prints import PrintReader, Prints
from draws.balls.vision.recording import Recorder
from draws.balls.vision.values import BallReading, Frame
from draws.models import Camera, Certificate, Enrolment, Game
from halls.models import BallSet

MOST = 8  # readings kept while they cannot be sent
TRIES = 3  # of a reading that the database is there for, and will not have
AGAIN = 1.0  # seconds before another
NOT_KEPT = "not_kept"  # the fault of a camera whose balls or pictures cannot be kept


@dataclass(slots=True)
class _Proposal:
    reading: BallReading
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

    def put(self, reading: BallReading, *, game: Game, seen_at: datetime, at_start: bool) -> None:
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
        made = readings.propose_reading(
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


class CameraPrints:
    """Those of one camera; `known` once all of them are learned, None before and without any."""

    def __init__(self, camera: Camera) -> None:
        """Begin with none."""
        self.known: Prints | None = None
        self._camera = camera
        self._certificate: int | None = None
        self._steps: Iterator[Prints | None] | None = None

    def of(self, balls: BallSet | None, eye: PrintReader) -> None:
        """Turn to a set, read by this eye: to the enrolment that counts, where there is one."""
        held = _counting(self._camera, balls) if balls else None
        if held is not None and held.pk == self._certificate:
            return
        self._certificate = held.pk if held else None
        self.known = None
        self._steps = prints.learning(_certificate_pictures(held), eye) if held else None

    def step(self) -> None:
        """Learn one picture more: some hundredths of a second, or nothing once all are learned."""
        if self._steps is None:
            return
        try:
            self.known = next(self._steps)
        except StopIteration:
            self._steps = None
        except BaseException:
            # What was begun cannot be gone on with: it is learned anew.
            self._certificate = self._steps = None
            raise


def enrolled(camera: Camera, balls: BallSet, eye: PrintReader) -> Prints | None:
    """Return the prints of a set before a camera at once, None where no enrolment of it counts."""
    held = _counting(camera, balls)
    return prints.learned(_certificate_pictures(held), eye) if held else None


def _counting(camera: Camera, balls: BallSet) -> Certificate | None:
    held = enrolment_queries.certified(camera, balls)
    return held if held is not None and enrolment_queries.lapse(held) is None else None


def _certificate_pictures(held: Certificate) -> Iterator[prints.Shown]:
    """Return the pictures that a certificate rests on, as far as their files are there."""
    for row, picture, spot in enrolment_queries.chosen(held.enrolment):
        yield row.number or 0, picture, spot


GAME = "game"  # what is in the way: the balls are a game's


class ShowingWatch:
    """One camera; `round` about twice a second, `see` with every frame."""

    def __init__(self, camera: Camera, area: Area, eyes: Eyes) -> None:
        """Prepare; nothing is looked for before `round`."""
        self._camera, self._area, self._eyes = camera, area, eyes
        self._recorders = [
            Recorder(enrolment_queries.enrolment_shelf(camera, name))
            for name in enrolment_queries.SHELVES
        ]
        self._enrolment: Enrolment | None = None
        self._enroller: Enroller | None = None
        self._before = 0

    def round(self, *, drawing: bool, at: datetime) -> None:
        """Look whether balls are to be shown here, and say that somebody looks; a game goes before."""
        now = enrolment_queries.going_on(self._camera)
        if now is not None and now.troubled == enrolment_queries.RECORDED:
            now = None
        if now is None or drawing:
            self._enrolment = self._enroller = None
            if now is not None:
                enrolments_and_roll_calls.mind(enrolment=now, trouble=GAME, at=at)
            return
        if self._enrolment is None or self._enrolment.pk != now.pk:
            self._enroller = Enroller(
                self._area, format=now.ball_set.format, zeros=now.ball_set.zeros, eyes=self._eyes
            )
            self._before = enrolments_and_roll_calls.last_stay(now)
        self._enrolment = now
        trouble = self._enroller.trouble if self._enroller else ""
        enrolments_and_roll_calls.mind(enrolment=now, trouble=trouble, at=at)

    def see(self, frame: Frame, *, at: datetime) -> None:
        """Take a frame: for whoever asked for a still, and for the balls shown."""
        for recorder in self._recorders:
            recorder.offer(frame, at=time.time())
        if self._enrolment is None or self._enroller is None:
            return
        for pose in self._enroller.see(frame):
            enrolments_and_roll_calls.see(
                enrolment=self._enrolment, pose=pose, seen_at=at, key=uuid4(),
                stay=self._before + pose.stay,
            )  # fmt: skip
