"""Reads the balls of a recorded draw: every frame in its order, as if it were live."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from draws.vision.values import Event, Frame, Reading
from draws.vision.watching import Watcher

SILENCE = 0.3  # seconds between frames that are told as silence
STEP = 0.1


def events(frames: Iterable[Frame], watcher: Watcher, *, repeats: bool = False) -> Iterator[Event]:
    """Give what the frames brought; a number read counts as drawn, unless they may repeat."""
    last: float | None = None
    for frame in frames:
        yield from _silent(watcher, last, frame.at)
        last = frame.at
        for event in watcher.see(frame):
            yield event
            if isinstance(event, Reading) and event.number is not None and not repeats:
                watcher.drawn |= {event.number}


def readings(
    frames: Iterable[Frame], watcher: Watcher, *, repeats: bool = False
) -> Iterator[Reading]:
    """Give the readings alone."""
    for event in events(frames, watcher, repeats=repeats):
        if isinstance(event, Reading):
            yield event


def _silent(watcher: Watcher, last: float | None, at: float) -> Iterator[Event]:
    """Pass the time in which a stream gave nothing."""
    if last is None or at - last < SILENCE:
        return
    for step in range(1, int((at - last) / STEP)):
        yield from watcher.silence(last + step * STEP)
