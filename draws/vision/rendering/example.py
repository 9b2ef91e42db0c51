"""A machine with a usual set of balls before a camera that has been set: for demonstrations."""

from __future__ import annotations

import cv2
import numpy as np

from draws.vision import calibration
from draws.vision.area import Area
from draws.vision.rendering.fonts import house_font
from draws.vision.rendering.pose import prints
from draws.vision.rendering.scene import Scene
from draws.vision.rendering.style import Style

SIZE, RADIUS, RATE = (320, 240), 42.0, 15.0  # pixels, pixels, frames a second
LEARNED = 2.2  # seconds of the empty cup


def example(seed: int, *, fps: float = RATE) -> tuple[Scene, Area]:
    """Give a machine whose balls rest but shortly, and the area that its camera was set to."""
    rng = np.random.default_rng(seed)
    balls = Style(
        body=(235, 240, 245), ink=(35, 25, 20), font=house_font(), height=0.8,
        prints=prints(rng, 6), ring=(60, 60, 190), cap_radius=0.64, weight=1,
    )  # fmt: skip
    scene = Scene(balls, rng, size=SIZE, radius=RADIUS, fps=fps, rest=(0.6, 0.7), gap=(0.2, 0.3))
    return scene, calibration.learn(scene.area(), [shot.picture for shot in scene.still(LEARNED)])


def keep_to_one_core() -> None:
    """Let OpenCV work in this thread alone: the other core keeps the hall's books."""
    cv2.setNumThreads(1)
