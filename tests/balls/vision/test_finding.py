import math
from collections import Counter

import pytest

from draws.balls.vision.finding import Finder
from draws.balls.vision.rendering.lens import BALL_FAULTS
from draws.balls.vision.rendering.scene import Act, Scene
from draws.balls.vision.values import Sight
from tests.support.machines import CLOSE, LARGE, NEAR, SMALL, balls, learned, machine

SIZES = (CLOSE, NEAR, SMALL, LARGE)


def at_rest(scene: Scene, act: Act) -> list[Sight]:
    """Return what is seen in every frame from an act's rest to its end."""
    finder = Finder(learned(scene))
    seen = []
    for frame in scene.play([act]):
        label = scene.labels[-1] if scene.labels else None
        if label and label.frame <= frame.index < label.frame + 12:
            seen.append(finder.look(finder.crop(frame.picture)))
    return seen


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.slow
def test_resting_ball_is_found_where_it_lies(size: tuple[int, int], seed: int) -> None:
    scene = machine(seed, size=size)
    x, y = scene.plan.cup
    for sight in at_rest(scene, Act("ball", 27)):
        assert sight.kind == "ball"
        assert sight.spot
        # It lies up to an eighth of a radius beside the cup's middle.
        assert math.dist(sight.spot.centre, (x, y)) < 0.3 * scene.plan.radius
        assert 0.85 < sight.spot.radius / scene.plan.radius < 1.1


@pytest.mark.parametrize("fault", BALL_FAULTS)
@pytest.mark.parametrize("seed", range(2))
def test_ball_is_found_in_bad_light(fault: str, seed: int) -> None:
    seen = Counter(sight.kind for sight in at_rest(machine(seed), Act("ball", 31, fault)))
    assert seen["ball"] >= 11


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.slow
def test_blank_ball_is_a_ball_for_whoever_looks_at_it(size: tuple[int, int]) -> None:
    assert {sight.kind for sight in at_rest(machine(2, size=size), Act("blank"))} == {"ball"}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.slow
def test_what_is_no_single_ball_is_told_apart(seed: int) -> None:
    scene = machine(seed, size=SIZES[seed % 4])
    two = Counter(sight.kind for sight in at_rest(scene, Act("two_balls", 5, other=81)))
    assert two["ball"] == 0
    assert two["several"] + two["other"] == sum(two.values())
    scene = machine(seed, size=SIZES[seed % 4])
    assert {sight.kind for sight in at_rest(scene, Act("hand"))} == {"other"}
    scene = machine(seed, size=SIZES[seed % 4])
    assert {sight.kind for sight in at_rest(scene, Act("empty"))} == {"empty"}


@pytest.mark.slow
def test_ball_that_comes_or_goes_is_no_whole_ball_until_it_is_in() -> None:
    scene = machine(3, size=SMALL)
    area = learned(scene)
    finder = Finder(area)
    seen = [finder.look(finder.crop(frame.picture)).kind for frame in scene.play(balls(8))]
    assert seen[0] == seen[-1] == "empty"
    assert seen.index("partial") < seen.index("ball")
    assert "several" not in seen


def test_ball_is_found_without_a_picture_of_the_empty_exit() -> None:
    scene = machine(4, size=SMALL)
    finder = Finder(scene.area())
    frames = list(scene.play(balls(8)))
    resting = frames[scene.labels[0].frame + 5]
    sight = finder.look(finder.crop(resting.picture))
    assert sight.kind == "ball"
    assert sight.spot
    assert math.dist(sight.spot.centre, scene.plan.cup) < 0.3 * scene.plan.radius
    assert finder.look(finder.crop(frames[0].picture)).kind == "empty"
