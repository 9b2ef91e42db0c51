"""A live camera as this process sees it: the newest frame, or that none came in time."""

from __future__ import annotations

import mmap
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np

from bingo.rules.refusal import Refusal
from draws.vision import grabber
from draws.vision.addresses import Address
from draws.vision.values import Event, Frame, Reading
from draws.vision.watching import Watcher

WAIT = 0.2  # seconds to wait for a frame before saying that none came
WORDS = grabber.STATE.size * 64  # bytes of the pipe read at once


class Live:
    """One camera, read in a process of its own; `read` gives only what came since the last."""

    def __init__(self, address: Address) -> None:
        """Start reading; whether the camera answers shows with the first `read`."""
        self.address = address
        self._memory = os.memfd_create("frames")
        os.ftruncate(self._memory, grabber.SLOTS * grabber.LARGEST)
        self._map = mmap.mmap(self._memory, grabber.SLOTS * grabber.LARGEST)
        self._began = time.monotonic()
        command = [sys.executable, "-m", grabber.__name__, str(self._memory), address.means]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[self._memory],
        )
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(address.words.encode() + b"\n")
        self._process.stdin.close()
        self._output = self._process.stdout.fileno()
        self._rest = b""

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The number of the reading process."""
        return self._process.pid

    @property
    def now(self) -> float:
        """Seconds since the camera was opened, on the clock of its frames."""
        return time.monotonic() - self._began

    def read(self, timeout: float) -> Frame | None:
        """Wait so many seconds at most for a newer frame; None when none came.

        Raises Refusal: not_a_camera(address) when it never answered or has ended,
        camera_sends_on(address) when it named another address instead,
        resolution_changed(width, height) when its frames became others.
        """
        if not select.select([self._output], [], [], timeout)[0]:
            return None
        words = os.read(self._output, WORDS)
        if not words:
            raise Refusal("not_a_camera", address=self.address.shown)
        self._rest += words
        size = grabber.STATE.size
        whole = len(self._rest) // size * size
        if not whole:
            return None
        what, count, width, height, at = grabber.STATE.unpack_from(self._rest, whole - size)
        self._rest = self._rest[whole:]
        if what == grabber.RESIZED:
            raise Refusal("resolution_changed", width=width, height=height)
        if what == grabber.SENT_ON:
            raise Refusal("camera_sends_on", address=self.address.shown)
        start = count % grabber.SLOTS * grabber.LARGEST
        flat = np.frombuffer(self._map, np.uint8, width * height * 3, start)
        return Frame(flat.reshape(height, width, 3).copy(), at - self._began, count)

    def close(self) -> None:
        """End the reading process, hung or not; once is enough."""
        if self._map.closed:
            return
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._map.close()
        os.close(self._memory)


def stream(
    live: Live, watcher: Watcher, *, seconds: float | None = None, repeats: bool = False
) -> Iterator[Event]:
    """Give what a live camera brings, for so many seconds or without end.

    Raises Refusal as `Live.read` and `Watcher.see` do.
    """
    while seconds is None or live.now < seconds:
        frame = live.read(WAIT)
        events = watcher.see(frame) if frame else watcher.silence(live.now)
        for event in events:
            yield event
            if isinstance(event, Reading) and event.number is not None and not repeats:
                watcher.drawn |= {event.number}
