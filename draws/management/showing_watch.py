"""What a watched camera does beside the draw: balls shown to be enrolled or called, stills."""

from __future__ import annotations

import time
from datetime import datetime
from uuid import uuid4

from draws.models import Camera, Enrolment
from draws.queries import enrolments as queries
from draws.services import enrolments
from draws.vision.area import Area
from draws.vision.enrolling import Enroller, Eyes
from draws.vision.taking import Recorder
from draws.vision.values import Frame

GAME = "game"  # what is in the way: the balls are a game's


class ShowingWatch:
    """One camera; `round` about twice a second, `see` with every frame."""

    def __init__(self, camera: Camera, area: Area, eyes: Eyes) -> None:
        """Prepare; nothing is looked for before `round`."""
        self._camera, self._area, self._eyes = camera, area, eyes
        self._recorders = [Recorder(queries.shelf(camera, name)) for name in queries.SHELVES]
        self._enrolment: Enrolment | None = None
        self._enroller: Enroller | None = None
        self._before = 0

    @property
    def is_busy(self) -> bool:
        """Whether the balls before the camera are shown to be known: they are none of a game's."""
        return self._enrolment is not None

    def round(self, *, drawing: bool, at: datetime) -> None:
        """Look whether balls are to be shown, and say that somebody looks; a game goes before."""
        now = queries.going_on(self._camera)
        if now is None or drawing:
            self._enrolment = self._enroller = None
            if now is not None:
                enrolments.mind(enrolment=now, trouble=GAME, at=at)
            return
        if self._enrolment is None or self._enrolment.pk != now.pk:
            self._enroller = Enroller(self._area, format=now.ball_set.format, eyes=self._eyes)
            self._before = enrolments.last_stay(now)
        self._enrolment = now
        trouble = self._enroller.trouble if self._enroller else ""
        enrolments.mind(enrolment=now, trouble=trouble, at=at)

    def see(self, frame: Frame, *, at: datetime) -> None:
        """Take a frame: for whoever asked for a still, and for the balls shown."""
        for recorder in self._recorders:
            recorder.offer(frame, at=time.time())
        if self._enrolment is None or self._enroller is None:
            return
        for pose in self._enroller.see(frame):
            enrolments.see(
                enrolment=self._enrolment, pose=pose, seen_at=at, key=uuid4(),
                stay=self._before + pose.stay,
            )  # fmt: skip
