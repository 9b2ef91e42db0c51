"""A print that a lamp washes out is told apart from one beside which it shines."""

import numpy as np
import pytest

from draws.balls.vision.network_training.samples import Print, washed_out
from draws.balls.vision.rendering import ball
from draws.balls.vision.rendering.lens import Lens
from draws.balls.vision.rendering.style import Style, unseen_fonts

SIZE = 100
LAMP = 400.0  # levels: more than any ground and ink differ
UPRIGHT = np.eye(3)
LOOK = Style(
    body=(240, 240, 240), ink=(20, 20, 20), font=unseen_fonts()[0], height=0.7,
    prints=UPRIGHT[None],
)  # fmt: skip
DULL = ball.Light(np.full((SIZE, SIZE), 0.8, np.float32), np.zeros((SIZE, SIZE), np.float32))


def share(columns: slice, *, number: int | None = 88, light: ball.Light = DULL) -> float:
    """The share of 88 in the middle of a ball that is washed out by a lamp over these columns."""
    lamps = np.zeros((SIZE, SIZE), np.float32)
    lamps[:, columns] = LAMP
    bare = ball.unlit(LOOK, number, rotation=UPRIGHT, size=SIZE)
    return washed_out(Print(LOOK, 88, UPRIGHT), bare, light, Lens(), lamps, (0, 0))


def test_no_lamp_hides_nothing() -> None:
    assert share(slice(0, 0)) == 0


def test_lamp_beside_the_print_hides_nothing() -> None:
    assert share(slice(0, 12)) == 0


def test_lamp_over_half_the_print_hides_half_of_it() -> None:
    assert share(slice(0, SIZE // 2)) == pytest.approx(0.5, abs=0.1)


def test_share_grows_with_what_is_covered() -> None:
    shares = [share(slice(0, columns)) for columns in range(20, 65, 5)]
    assert shares == sorted(shares)
    assert shares[0] < 0.05 < 0.5 < shares[-1]


def test_shine_of_a_glossy_ball_hides_as_a_lamp_does() -> None:
    shine = np.zeros((SIZE, SIZE), np.float32)
    shine[:, : SIZE // 2] = LAMP
    glossy = ball.Light(DULL.shade, shine)
    assert share(slice(0, 0), light=glossy) == share(slice(0, SIZE // 2))


def test_print_that_is_not_there_is_not_hidden() -> None:
    assert share(slice(0, SIZE), number=None) == 0
