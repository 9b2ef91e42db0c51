"""What the tests of prints share with others."""

from __future__ import annotations

import numpy as np

from draws.balls.vision.prints import Prints, learned
from draws.balls.vision.reader import Eye
from draws.balls.vision.rendering.style import Style, prints, unseen_fonts
from draws.balls.vision.values import Picture, Spot
from tests.support.gallery import shown

NUMBERS = (3, 7, 8, 16, 25, 28, 33, 38, 53, 58, 83, 88)


EYE = Eye()


def style(seed: int = 4, face: int = 0) -> Style:
    turned = prints(np.random.default_rng(seed), 2)
    return Style((240, 245, 245), (25, 25, 25), unseen_fonts()[face], 0.8, turned)


def ball(look: Style, number: int, rng: np.random.Generator) -> tuple[Picture, Spot]:
    picture, spot, _angle = shown(look, number, rng)
    return picture, spot


def known_of(look: Style, numbers: tuple[int, ...] = NUMBERS) -> Prints:
    rng = np.random.default_rng(11)
    found = learned([(number, *ball(look, number, rng)) for number in numbers for _ in "ab"], EYE)
    assert found is not None
    return found
