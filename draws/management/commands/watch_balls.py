"""The camera process of a hall: watches its cameras and tells the draw of their balls."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from threading import Event, Thread
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, InterfaceError, connection

from draws.balls.camera_watch import CameraWatch
from draws.models import Camera
from halls.management.reporting import the_hall

LOOK = 2.0  # seconds between two looks at which cameras there are
ENDING = 10.0  # seconds the watches may take to end


@dataclass(slots=True)
class _Watch:
    stop: Event
    watch: CameraWatch
    thread: Thread


class Command(BaseCommand):
    """Runs until it is told to stop (exit code 0); cameras that come later are watched too."""

    help = "Watch the hall's cameras: read their balls, propose them, tell their faults."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --hall and --camera; by default all cameras of all halls are watched."""
        parser.add_argument("--hall", help="the cameras of this hall only")
        parser.add_argument("--camera", help="the camera of this name only")

    def handle(self, *, hall: str | None, camera: str | None, **_options: Any) -> None:
        """Watch each camera in a thread, and start anew the one whose thread has ended."""
        stop = Event()
        _stop_at(stop)
        of_hall = the_hall(hall).pk if hall else None
        watches: dict[int, _Watch] = {}
        while not stop.is_set():
            self._look(watches, of_hall, camera)
            stop.wait(LOOK)
        for watch in watches.values():
            watch.stop.set()
        for watch in watches.values():
            watch.thread.join(ENDING)

    def _look(self, watches: dict[int, _Watch], hall: int | None, name: str | None) -> None:
        """Start what is to be watched and is not, stop what is no longer."""
        try:
            wanted = {camera.pk: camera for camera in _wanted(hall, name)}
        except (DatabaseError, InterfaceError):
            # It comes back, or the hall's supervisor ends this process with everything else.
            connection.close()
            return
        for key in [key for key in watches if key not in wanted]:
            watches.pop(key).stop.set()
        for key, camera in wanted.items():
            if key not in watches:
                watches[key] = self._start(camera)
            elif not watches[key].thread.is_alive():
                # It goes on with what it had read and not told.
                watches[key].thread = _run(watches[key].watch)

    def _start(self, camera: Camera) -> _Watch:
        stop = Event()
        watch = CameraWatch(camera, stop=stop, tell=self._print)
        return _Watch(stop, watch, _run(watch))

    def _print(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()


def _run(watch: CameraWatch) -> Thread:
    thread = Thread(target=watch.run, name=watch.camera.name, daemon=True)
    thread.start()
    return thread


def _wanted(hall: int | None, name: str | None) -> list[Camera]:
    found = Camera.objects.filter(active=True).select_related("hall").order_by("pk")
    if hall is not None:
        found = found.filter(hall=hall)
    return list(found.filter(name=name) if name else found)


def _stop_at(stop: Event) -> None:
    def ask(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            sys.exit(0)
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ask)
