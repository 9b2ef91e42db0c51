"""A reader that reads what the scene says it plays: for tests of what is made of its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from draws.balls.vision.network import Glance
from draws.balls.vision.rendering.scene import Scene

UNSURE = 0.4


@dataclass
class Told:
    """Reads the number of the scene's last label; those of `doubted` only unsurely."""

    scene: Scene
    doubted: frozenset[int] = frozenset()

    def look(
        self, picture: Any, *, centre: Any, radius: float, near: float | None = None, turn: int = 0
    ) -> Glance:
        """Return what is played."""
        number = self.scene.labels[-1].act.number if self.scene.labels else None
        weights = np.zeros(100)
        if number is not None:
            weights[number] = UNSURE if number in self.doubted else 0.99
        return Glance(number, float(weights.max()), None, 0.0, 0.0, 1.0, weights)

    def look_closely(self, *_shown: Any, **_where: Any) -> list[Glance]:
        """Return nothing more: whatever is doubted stays so."""
        return []

    def spell(self, *_shown: Any, **_where: Any) -> None:
        """Return nothing more either."""


class Eyes:
    """The same for both ways of printing."""

    def __init__(self, scene: Scene, *doubted: int) -> None:
        self.plain = self.padded = Told(scene, frozenset(doubted))
