import cv2
import numpy as np
import pytest

from draws.balls.vision import balls_in_files, jpeg_pictures
from draws.balls.vision.network import Glance
from draws.balls.vision.values import Picture
from draws.balls.vision.verdict import verdict
from tests.support.machines import LARGE, SMALL, Knowing, balls, machine


class Honest(Knowing):
    """Reads only a circle that is truly the ball's."""

    def look(
        self,
        picture: Picture,
        *,
        centre: tuple[float, float],
        radius: float,
        near: float | None = None,
        turn: int = 0,
    ) -> Glance:
        plan = self.scene.plan
        off = np.hypot(centre[0] - plan.cup[0], centre[1] - plan.cup[1]) / plan.radius
        glance = super().look(picture, centre=centre, radius=radius, near=near, turn=turn)
        if off < 0.3 and 0.8 < radius / plan.radius < 1.2:
            return glance
        return Glance(0, 0.1, None, 0.0, 0.0, 0.0, np.full(100, 0.1))


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_ball_of_a_photograph_is_found_and_read(size: tuple[int, int], seed: int) -> None:
    scene = machine(seed, size=size)
    frames = list(scene.play(balls(47)))
    shown = frames[scene.labels[0].frame + 5].picture
    [reading] = balls_in_files.read_single_image(
        shown, eye=Honest(scene), judge=verdict, format=90, file="a.jpg"
    )
    assert (reading.number, reading.file) == (47, "a.jpg")
    assert reading.picture.startswith(b"\xff\xd8\xff")


def test_ball_cut_out_is_read_whole() -> None:
    scene = machine(4)
    frames = list(scene.play(balls(47)))
    x, y, reach = *scene.plan.cup, round(scene.plan.radius * 1.04)
    shown = frames[scene.labels[0].frame + 5].picture[y - reach : y + reach, x - reach : x + reach]
    [reading] = balls_in_files.read_single_image(
        shown, eye=Knowing(scene), judge=verdict, format=90, filling=True
    )
    assert reading.number == 47


def test_picture_without_a_ball_gives_one_line_without_a_number() -> None:
    scene = machine(5)
    [reading] = balls_in_files.read_single_image(
        np.full((200, 200, 3), 90, np.uint8), eye=Honest(scene), judge=verdict, format=90
    )
    assert reading.number is None


def test_pictures_are_kept_small() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (900, 1200, 3)).astype(np.uint8)
    packed = jpeg_pictures.shrunk(noise)
    assert len(packed) <= 60_000
    read = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR)
    assert read is not None
    assert max(read.shape[:2]) == 480
