"""Rendered machines before a camera, the area learned from them, and an eye that knows the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from draws.balls.vision import calibration
from draws.balls.vision.exit_area import Area
from draws.balls.vision.network import Glance
from draws.balls.vision.rendering import style as rendering_style
from draws.balls.vision.rendering.scene import Act, Scene
from draws.balls.vision.rendering.style import random_style
from draws.balls.vision.values import BallReading, Event, Frame, Health, Picture
from draws.balls.vision.verdict import verdict
from draws.balls.vision.watching import Watcher

CLOSE, NEAR, SMALL, LARGE = (240, 180), (320, 240), (640, 360), (1280, 720)
TIGHT = {CLOSE: 36.0, NEAR: 36.0}


def machine(
    seed: int = 1,
    *,
    size: tuple[int, int] = CLOSE,
    rest: tuple[float, float] = (0.5, 0.7),
    grain: float = 2.2,
    format: int = 90,
) -> Scene:
    """Return a machine with a set of its own, as seen by a camera that is near enough."""
    rng = np.random.default_rng(seed)
    style = random_style(rng, rendering_style.unseen_fonts(), format=format)
    return Scene(style, rng, size=size, radius=TIGHT.get(size), rest=rest, grain=grain)


def learned(scene: Scene, *, patch: bool = True) -> Area:
    """Return the area somebody would set, learned from two seconds of the empty cup."""
    drawn = scene.area() if patch else replace(scene.area(), patch=None)
    return calibration.learn(drawn, [frame.picture for frame in scene.still(2.2)])


class Knowing:
    """Reads whatever ball the scene shows now, and counts how often it looked."""

    def __init__(self, scene: Scene, *, confidence: float = 0.99) -> None:
        self.scene, self.confidence = scene, confidence
        self.looks: list[float | None] = []
        self.turns: list[int] = []

    def look(
        self,
        picture: Picture,
        *,
        centre: tuple[float, float],
        radius: float,
        near: float | None = None,
        turn: int = 0,
    ) -> Glance:
        self.looks.append(near)
        self.turns.append(turn)
        act = next((label.act for label in reversed(self.scene.labels)), Act("blank"))
        weights = np.zeros(100)
        if act.kind in ("ball", "two_balls") and act.number:
            weights[act.number] = self.confidence
        return Glance(int(weights.argmax()), float(weights.max()), None, 0.0, 0.0, 1.0, weights)

    def look_closely(
        self, picture: Picture, *, centre: tuple[float, float], radius: float, first: Glance
    ) -> list[Glance]:
        """Nothing: what it knows it has told."""
        return []

    def spell(self, picture: Picture, *, centre: tuple[float, float], radius: float) -> None:
        """Nothing more either."""


def video_game(scene: Scene, numbers: Iterable[int]) -> Iterator[Frame]:
    """Play a game's balls in their order, after some seconds of the empty cup."""
    yield from scene.still(3.0)
    yield from scene.play(balls(*numbers))


def watcher(scene: Scene, area: Area, *, live: bool = True) -> Watcher:
    """Return a watcher of that machine whose eye knows the truth."""
    return Watcher(area, format=90, eye=Knowing(scene), judge=verdict, live=live)


def watched(scene: Scene, acts: Iterable[Act], *, area: Area | None = None) -> list[Event]:
    """Play acts before a watcher; return what it told."""
    place = area or learned(scene)
    looking = watcher(scene, place)
    return [event for frame in scene.play(acts) for event in looking.see(frame)]


def balls(*numbers: int) -> list[Act]:
    """Return balls that come one after the other."""
    return [Act("ball", number) for number in numbers]


def numbers(events: Iterable[Event]) -> list[int | str]:
    """Return the number of each reading, or its reason."""
    return [
        event.reason if event.number is None else event.number
        for event in events
        if isinstance(event, BallReading)
    ]


def faults(events: Iterable[Event]) -> list[tuple[str, bool]]:
    """Return what was told of the camera."""
    return [(event.fault, event.on) for event in events if isinstance(event, Health)]


def played(scene: Scene, acts: Iterable[Act]) -> list[Frame]:
    """Return all frames of some acts."""
    return list(scene.play(acts))
