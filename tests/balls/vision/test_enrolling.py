"""Balls shown to be known: several poses of each, another ball is another stay."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bingo.rules.refusal import Refusal
from draws.balls.vision.calibration import Survey
from draws.balls.vision.enrolment import MOST, Enroller, Pose, cut_out, posed
from draws.balls.vision.jpeg_pictures import decode
from draws.balls.vision.network import Glance
from draws.balls.vision.rendering.scene import Act, Scene
from draws.balls.vision.rendering.style import Style, prints, unseen_fonts
from draws.balls.vision.values import Frame, Spot
from tests.support.machines import Knowing
from tests.support.vision_answers import Eyes


@pytest.fixture
def scene() -> Scene:
    rng = np.random.default_rng(3)
    look = Style((235, 240, 245), (20, 20, 20), unseen_fonts()[0], 0.9, prints(rng, 4))
    return Scene(look, rng, size=(320, 240))


def enroller(scene: Scene) -> Enroller:
    x, y = scene.plan.cup
    spot = Spot(float(x), float(y), scene.plan.radius)
    learned = Survey().take(scene.still(1.0)).area(fps=scene.fps, spot=spot)
    return Enroller(learned, format=90, zeros=False, eyes=Eyes(scene))


def poses(scene: Scene, *acts: Act) -> list[Pose]:
    looks = enroller(scene)
    return [pose for frame in scene.play(acts) for pose in looks.see(frame)]


@pytest.mark.slow
def test_each_ball_is_a_stay_of_its_own(scene: Scene) -> None:
    found = poses(scene, Act("ball", 7), Act("ball", 42), Act("ball", 42))
    assert [(pose.stay, pose.guess) for pose in found] == [(1, 7), (2, 42), (3, 42)]


@pytest.mark.slow
def test_a_ball_that_lies_still_gives_one_pose_only(scene: Scene) -> None:
    scene.rest = (3.0, 3.0)
    assert len(poses(scene, Act("ball", 7))) == 1


@pytest.mark.slow
def test_turned_ball_gives_further_poses_of_its_stay(scene: Scene) -> None:
    looks = enroller(scene)
    frames = list(scene.play([Act("ball", 7) for _pose in range(MOST + 3)]))
    # Only the frames at rest, as when a ball is turned where it lies: the exit is never empty.
    at_rest = [
        frame for label in scene.labels for frame in frames if label.at <= frame.at < label.until
    ]
    found = [pose for frame in at_rest for pose in looks.see(frame)]
    assert {pose.stay for pose in found} == {1}
    assert 3 <= len(found) <= MOST


@pytest.mark.slow
def test_pose_carries_the_ball_alone_as_a_picture(scene: Scene) -> None:
    (pose,) = poses(scene, Act("ball", 31))
    shown = decode(pose.picture)
    assert shown is not None
    assert pose.spot.radius == pytest.approx(scene.plan.radius, rel=0.15)
    assert abs(pose.spot.x - shown.shape[1] / 2) < 3


@pytest.mark.parametrize("act", [Act("empty"), Act("two_balls", 5, other=6), Act("hand")])
def test_what_is_no_single_ball_gives_no_pose(scene: Scene, act: Act) -> None:
    assert poses(scene, act) == []


def test_trouble_is_said_while_it_lasts(scene: Scene) -> None:
    looks, told = enroller(scene), set()
    for frame in scene.play([Act("two_balls", 5, other=6)]):
        looks.see(frame)
        told.add(looks.trouble)
    assert "two_balls" in told
    assert looks.trouble == ""


def test_frame_of_another_size_is_refused(scene: Scene) -> None:
    looks = enroller(scene)
    with pytest.raises(Refusal, match="resolution_changed"):
        looks.see(Frame(np.zeros((480, 640, 3), np.uint8), 0.0, 0))


class OneAnswer(Knowing):
    """Sees the same on every picture."""

    def __init__(self, number: int, *, angle: float, marked: float) -> None:
        self.answer = Glance(number, 0.99, None, 0.0, angle, marked, np.eye(100)[number])

    def look(self, *_picture: Any, **_place: Any) -> Glance:
        return self.answer


@pytest.mark.parametrize(("zeros", "seen"), [(True, (6, 0.0, 0.95)), (False, (90, 180.0, 0.01))])
def test_what_is_told_of_a_pose_comes_from_the_reader_of_the_set(
    zeros: bool, seen: tuple[int, float, float]
) -> None:
    eyes = SimpleNamespace(
        plain=OneAnswer(90, angle=180.0, marked=0.01), padded=OneAnswer(6, angle=0.0, marked=0.95)
    )
    frame = Frame(np.zeros((120, 120, 3), np.uint8), 0.0, 0)
    pose = posed(frame, stay=1, format=90, zeros=zeros, eyes=eyes)
    assert (pose.guess, pose.angle, pose.marked) == seen


def test_cut_out_is_no_larger_than_asked() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    cut, spot = cut_out(picture, Spot(640.0, 360.0, 120.0))
    assert max(cut.shape) == 160
    assert spot.radius == pytest.approx(120 * 160 / 300)
    assert spot.x == pytest.approx(79.7, abs=0.5)
