"""A ball that stays is known by its look; another, or the same one turned, is another look."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from draws.balls.vision import jpeg_pictures
from draws.balls.vision.rendering.scene import Act
from draws.balls.vision.rendering.streams import example
from draws.balls.vision.tracking import alike

TURNING = (61, 19, 66, 68, 89, 86, 18, 81, 6, 9)


def looks(number: int, *, seed: int) -> list[bytes]:
    """Return the pictures of a ball while it rests, the grain of each its own."""
    scene, area = example(2017)
    scene.rng = np.random.default_rng([seed, number])
    frames = list(scene.play([Act("ball", number)]))
    label = scene.labels[-1]
    resting = [one for one in frames if label.at <= one.at < label.until]
    return [jpeg_pictures.jpeg(one.picture, area) for one in resting[:4]]


@pytest.mark.slow
def test_alike_is_the_ball_that_stays() -> None:
    for number in TURNING:
        assert all(alike(one, other) for one, other in combinations(looks(number, seed=1), 2))


@pytest.mark.slow
def test_alike_is_it_under_a_lamp_that_fades() -> None:
    shown = looks(61, seed=1)[0]
    read = cv2.imdecode(np.frombuffer(shown, np.uint8), cv2.IMREAD_COLOR)
    assert read is not None
    darker = np.clip(read.astype(np.int16) - 12, 0, 255).astype(np.uint8)
    assert alike(shown, jpeg_pictures.whole(darker))


@pytest.mark.slow
def test_alike_is_no_other_ball_nor_the_same_one_turned() -> None:
    shown = [looks(number, seed=seed)[0] for number in TURNING for seed in (1, 2)]
    assert not any(alike(one, other) for one, other in combinations(shown, 2))


@pytest.mark.parametrize("other", [b"", b"\xff\xd8\xff no picture \xff\xd9"])
def test_alike_is_nothing_that_is_no_picture(other: bytes) -> None:
    shown = looks(61, seed=1)[0]
    assert not alike(shown, other)
    assert not alike(other, shown)
    assert not alike(other, other)
