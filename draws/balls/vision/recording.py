"""Record some seconds of a camera as files, for whoever sets it up: at once, or on request.

A camera that a process watches cannot be opened twice: it is asked for by a file, and the process
answers from the frames that it has. Any other is opened, for a few seconds and no longer.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import cv2

from bingo.rules.refusal import Refusal
from draws.balls.vision import jpeg_pictures
from draws.balls.vision.live_camera import Live
from draws.balls.vision.sources import USUAL_RATE, Address
from draws.balls.vision.values import Frame, Picture

LIMIT = 5.0  # seconds that a camera may take to answer and to be looked at
SECONDS = 2.5  # that are kept
MOST = 40  # frames
STEP = 2  # every second frame
QUALITY = 95
TAKING, DONE, SILENT = "taking", "done", "no_picture"


@dataclass(frozen=True, slots=True)
class Taken:
    """How far it has come: `code` nothing, taking, done, or why not; `at` seconds of the epoch."""

    code: str = ""
    at: float = 0.0
    count: int = 0
    fps: float = USUAL_RATE


class FrameFolder:
    """The folder of one camera's frames."""

    def __init__(self, folder: Path) -> None:
        """Nothing is written before it is asked for."""
        self.folder = folder

    def ask(self, *, at: float) -> None:
        """Ask for frames anew."""
        self.folder.mkdir(mode=0o770, parents=True, exist_ok=True)
        self.say(Taken(TAKING, at))
        (self.folder / "wanted").touch(mode=0o600)

    def is_asked(self) -> bool:
        """Return whether somebody waits for frames."""
        return (self.folder / "wanted").exists()

    def answer(self) -> None:
        """Take the order: nobody else has to."""
        (self.folder / "wanted").unlink(missing_ok=True)

    def say(self, taken: Taken) -> None:
        """Write down how far it has come, all at once."""
        aside = self.folder / ".state"
        aside.write_text(json.dumps(asdict(taken)))
        aside.replace(self.folder / "state.json")

    def progress(self, *, at: float) -> Taken:
        """Return how far it has come at a moment."""
        try:
            values: dict[str, Any] = json.loads((self.folder / "state.json").read_text())
            taken = Taken(**values)
        except (OSError, ValueError, TypeError):
            return Taken()
        late = taken.code == TAKING and at - taken.at > LIMIT + SECONDS + 1
        return Taken(SILENT, taken.at) if late else taken

    def save(self, frames: list[Frame], *, at: float) -> None:
        """Keep frames in the place of those before."""
        for place, frame in enumerate(frames):
            (self.folder / f"{place:03}.jpg").write_bytes(
                jpeg_pictures.whole(frame.picture, QUALITY)
            )
        with suppress(OSError):
            for old in self.folder.glob("[0-9][0-9][0-9].jpg"):
                if int(old.stem) >= len(frames):
                    old.unlink()
        self.say(Taken(DONE, at, len(frames), _rate(frames)))

    def still(self) -> Path:
        """Return the file of the last frame; it may not be there."""
        count = self.progress(at=0.0).count
        return self.folder / f"{max(0, count - 1):03}.jpg"

    def pictures(self) -> list[Picture]:
        """Return the frames kept, in their order."""
        count = self.progress(at=0.0).count
        read = [cv2.imread(str(self.folder / f"{place:03}.jpg")) for place in range(count)]
        return [one for one in read if one is not None]  # type: ignore[misc]


class Recorder:
    """Answers a shelf from the frames that somebody else reads; `offer` each of them."""

    def __init__(self, shelf: FrameFolder) -> None:
        """Begin with none."""
        self.shelf = shelf
        self._frames: list[Frame] = []
        self._begun: float | None = None

    def offer(self, frame: Frame, *, at: float) -> None:
        """Keep a frame while they are asked for; `at` seconds of the epoch."""
        if self._begun is None:
            if not self.shelf.is_asked():
                return
            self.shelf.answer()
            self._begun, self._frames = frame.at, []
        if frame.index % STEP == 0 and len(self._frames) < MOST:
            self._frames.append(frame)
        if frame.at - self._begun >= SECONDS:
            self.shelf.save(self._frames, at=at)
            self._begun, self._frames = None, []


def take(address: Address, shelf: FrameFolder) -> Thread:
    """Open a camera and keep what it shows, in a thread that ends within LIMIT whatever happens."""
    thread = Thread(target=_take, args=(address, shelf), name="taking", daemon=True)
    thread.start()
    return thread


def _take(address: Address, shelf: FrameFolder) -> None:
    shelf.answer()
    frames: list[Frame] = []
    try:
        with Live(address) as live:
            while live.now < LIMIT and not _is_enough(frames):
                frame = live.read(0.2)
                if frame is not None and len(frames) < 2 * MOST:
                    frames.append(frame)
    except Refusal as refusal:
        if not frames:
            shelf.say(Taken(refusal.code, time.time()))
            return
    if not frames:
        shelf.say(Taken(SILENT, time.time()))
        return
    shelf.save(frames[-2 * MOST :: STEP], at=time.time())


def _is_enough(frames: list[Frame]) -> bool:
    return bool(frames) and frames[-1].at - frames[0].at >= SECONDS


def _rate(frames: list[Frame]) -> float:
    """Return the frames a second by the camera's own count."""
    passed = frames[-1].at - frames[0].at if frames else 0.0
    if passed <= 0:
        return USUAL_RATE
    return min(240.0, max(1.0, (frames[-1].index - frames[0].index) / passed))
