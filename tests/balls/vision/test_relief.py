"""Prints are compared by their strokes, and by what of them light has left to be seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from draws.balls.vision import print_match
from draws.balls.vision.facing import NumberPlace
from draws.balls.vision.prints import Opinion
from draws.balls.vision.reader import Eye
from draws.balls.vision.values import Picture, Reals, Spot
from tests.support.prints import ball, known_of, style

UPRIGHT = NumberPlace(0.0, (0.0, 0.0), 0.6)
PIXELS = print_match.CORE**2


def rows(count: int, seed: int) -> Reals:
    return np.random.default_rng(seed).normal(0, 1, (count, PIXELS)).astype(np.float32)


def glared(picture: Picture, spot: Spot, across: float, wide: float) -> Picture:
    """Lay a soft patch of light over a ball, `across` and `wide` in its radii."""
    down, right = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    far = (right - spot.x - across * spot.radius) ** 2 + (down - spot.y) ** 2
    light = 260 * np.exp(-far / (2 * (wide * spot.radius) ** 2))
    return np.asarray(np.clip(picture + light[..., None], 0, 255), np.uint8)


def test_where_all_is_left_likeness_is_that_of_the_whole() -> None:
    some, others = rows(4, 1), rows(3, 2)
    whole = print_match.likeness(print_match.weighed(some), print_match.weighed(others))
    left = print_match.likeness_of_left(some, np.ones_like(some), others)
    assert left == pytest.approx(whole, abs=1e-4)


def test_what_is_washed_out_does_not_count() -> None:
    some, left = rows(1, 3), np.ones((1, PIXELS), np.float32)
    other = some.copy()
    left[:, : PIXELS // 3] = 0
    other[:, : PIXELS // 3] = rows(1, 4)[:, : PIXELS // 3]
    assert print_match.likeness_of_left(some, left, other)[0, 0] == pytest.approx(1, abs=1e-3)
    assert print_match.likeness_of_left(some, np.ones_like(left), other)[0, 0] < 0.9


def test_nothing_is_alike_to_what_is_hardly_left() -> None:
    some, left = rows(1, 5), np.zeros((1, PIXELS), np.float32)
    left[:, :50] = 1
    assert print_match.likeness_of_left(some, left, some)[0, 0] == -1


def test_light_takes_away_what_it_blinds_and_no_more() -> None:
    picture, spot = np.full((90, 90, 3), 150, np.uint8), Spot(45.0, 45.0, 40.0)
    _strokes, left = print_match.unwashed(picture, UPRIGHT, spot, reach=0.5)
    assert left.plain().min() == 1
    _strokes, less = print_match.unwashed(
        glared(picture, spot, 0.2, 0.25), UPRIGHT, spot, reach=0.5
    )
    seen = less.plain().reshape(print_match.CORE, print_match.CORE)
    assert seen[:, : print_match.CORE // 4].mean() > seen[:, print_match.CORE // 2 :].mean() + 0.3


@pytest.mark.slow
def test_ball_that_glare_robs_is_not_taken_for_what_is_left_of_it() -> None:
    """Half an 8 is a 3 to the networks and to the prints alike; where nothing is washed it leads not."""
    numbers = (23, 26, 28, 53, 56, 58, 33, 36, 38)
    known, eye, rng = known_of(style(), numbers), Eye(), np.random.default_rng(8)
    robbed: list[tuple[Opinion, float]] = []
    for number in (28, 58, 38) * 12:
        picture, spot = ball(style(), number, rng)
        shown = glared(picture, spot, rng.uniform(-0.4, 0.4), 0.2)
        glance = eye.look(shown, centre=spot.centre, radius=spot.radius)
        said = known.compare(shown, spot, glance)
        if said and said.number != number:
            robbed.append((said, float(glance.weights[said.number])))
    assert not any(said.settles(share) for said, share in robbed)
    # What light has taken was what told them apart: without looking at that, some would be given.
    assert any(replace(said, unwashed=1.0).settles(share) for said, share in robbed)
