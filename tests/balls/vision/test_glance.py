"""What one picture of a ball says: rendered balls in typefaces that the networks were not taught with."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from draws.balls.vision.network import Glance
from draws.balls.vision.network_training.samples import place
from draws.balls.vision.reader import READERS, Eye
from draws.balls.vision.rendering import ball
from draws.balls.vision.rendering import style as rendering_style
from draws.balls.vision.rendering.style import Style, random_style, unseen_fonts
from draws.balls.vision.values import Picture
from draws.balls.vision.verdict import GLARE, verdict

PAGE, BALL = 120, 80  # pixels
MIDDLE = ((PAGE - 1) / 2, (PAGE - 1) / 2)
EYE = Eye()


def painted(style: Style, number: int, rng: np.random.Generator, *, turned: float) -> Picture:
    """Return a page with a ball in its middle, its number turned by so many degrees."""
    page = np.full((PAGE, PAGE, 3), 40, np.uint8)
    rotation = rendering_style.roll(math.radians(turned))
    body, cover = ball.paint(style, number, rotation=rotation, size=BALL, rng=rng)
    place(page, body, cover, ((PAGE - BALL) // 2, (PAGE - BALL) // 2))
    return page


def looked_at(
    number: int,
    *,
    seed: int,
    turned: float = 0.0,
    lamp: tuple[int, int] | None = None,
    eye: Eye = EYE,
    turn: int = 0,
) -> Glance:
    """Look at a ball of some set, its number turned by so many degrees, a lamp mirrored somewhere."""
    rng = np.random.default_rng(seed)
    style = random_style(rng, unseen_fonts(), format=75, wear=0.25, gloss=0.5)
    page = painted(style, number, rng, turned=turned)
    if lamp:
        spot = cv2.circle(np.zeros((PAGE, PAGE, 1), np.float32), lamp, 9, 400, -1)
        soft = cv2.GaussianBlur(spot, (0, 0), 3)
        page = np.clip(page + soft[..., None], 0, 255).astype(np.uint8)
    return eye.look(page, centre=MIDDLE, radius=BALL / 2, turn=turn)


@pytest.mark.parametrize("turned", [0, 47, 130, 221, 300])
def test_number_is_read_however_it_is_turned(turned: float) -> None:
    found = looked_at(24, seed=213, turned=turned)
    assert found.number == 24
    assert found.confidence > 0.9
    assert abs((found.angle - turned + 180) % 360 - 180) < 15


def test_readers_take_turns() -> None:
    alone = [Eye(readers=(reader,)) for reader in READERS]
    shares = [looked_at(49, seed=53, turned=180, eye=eye).weights for eye in alone]
    for turn in range(4):
        found = looked_at(49, seed=53, turned=180, turn=turn)
        assert [bool(np.allclose(found.weights, one)) for one in shares] == [
            reader == turn % len(READERS) for reader in range(len(READERS))
        ]


# Sets in which the locator sees an upright number, and the reader a 67, in a 49 that lies upside down.
@pytest.mark.parametrize("seed", [53, 119, 154, 203, 213, 229, 233, 249])
def test_number_that_reads_as_another_upside_down_is_doubted(seed: int) -> None:
    found = looked_at(49, seed=seed, turned=180)
    assert found.weights[67] > 0.6
    assert found.weights[49] > 0.3
    assert verdict([found], format=75).number is None


@pytest.mark.parametrize("seed", [53, 213, 233, 248])
def test_number_that_reads_as_itself_only_is_not_doubted(seed: int) -> None:
    assert verdict([looked_at(67, seed=seed)], format=75).number == 67


# Sets whose ring is close to the figure, and bears no mark; to all readers its foot is underlined.
@pytest.mark.parametrize("seed", [26, 69, 85, 273, 292])
def test_ring_that_looks_like_a_mark_at_the_foot_is_seen_at_the_head_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    number = int(rng.choice([6, 9]))
    style = random_style(rng, unseen_fonts(), format=30, marks=False, wear=0.0, gloss=0.3)
    ringed = replace(style, ring=style.ink, cap_radius=float(rng.uniform(0.42, 0.6)))
    page = painted(replace(ringed, ring_width=0.06), number, rng, turned=180)
    found: list[Glance] = []
    for turn in range(3):
        near = found[0].angle if found else None
        found.append(EYE.look(page, centre=MIDDLE, radius=BALL / 2, near=near, turn=turn))
    assert verdict(found, format=30).number is None
    careless = verdict([replace(glance, headed=0.0) for glance in found], format=30)
    assert careless.number == {6: 9, 9: 6}[number]


def test_page_without_a_ball_says_nothing() -> None:
    found = EYE.look(np.full((PAGE, PAGE, 3), 40, np.uint8), centre=MIDDLE, radius=BALL / 2)
    assert (found.number, found.confidence) == (None, 0.0)


@pytest.mark.parametrize("beside", [(38, 60), (82, 60)])
def test_patch_blown_out_beside_the_number_is_told(beside: tuple[int, int]) -> None:
    assert looked_at(46, seed=213).glare < GLARE
    assert looked_at(46, seed=213, lamp=beside).glare > GLARE


def test_patch_blown_out_at_the_rim_tells_nothing() -> None:
    assert looked_at(46, seed=213, lamp=(60, 24)).glare < GLARE
