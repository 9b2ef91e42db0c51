import cv2
import numpy as np
import pytest

from draws.balls.vision import facing
from draws.balls.vision.facing import SIDE, NumberPlace

INK = np.zeros((SIDE, SIDE), np.uint8)
cv2.putText(INK, "8", (11, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, 255, 4)
PRINT = INK > 128
COLOURS = {
    "black on white": ((20, 20, 20), (240, 240, 240)),
    "white on red": ((250, 250, 250), (30, 20, 160)),
    "blue on green": ((190, 40, 20), (30, 210, 40)),
    "red on pink": ((40, 30, 150), (200, 170, 240)),
    "yellow on blue": ((40, 220, 230), (150, 60, 20)),
}


def seen(ink: tuple[int, int, int], ground: tuple[int, int, int]) -> np.ndarray:
    """A number under a lamp: what is near it is nearly white, what is far from it in shade."""
    page = np.where(PRINT[..., None], np.array(ink), np.array(ground)).astype(np.float32)
    down, across = np.indices((SIDE, SIDE))
    far = np.hypot(down - 4, across - 34)[..., None]
    page = page * np.clip(1.1 - far / 50, 0.3, 1) + 230 * np.exp(-((far / 8) ** 2))
    return np.asarray(np.clip(page, 0, 255), np.uint8)


@pytest.mark.parametrize("name", COLOURS)
def test_print_is_dark_whatever_its_colours_and_the_light(name: str) -> None:
    (plain,) = facing.plain(seen(*COLOURS[name])[None])
    assert plain.shape == (1, SIDE, SIDE)
    apart = plain[0][PRINT].mean() - plain[0][~PRINT].mean()
    assert apart < -0.8


def test_picture_of_one_colour_is_plain_and_breaks_nothing() -> None:
    (plain,) = facing.plain(np.full((1, SIDE, SIDE, 3), 90, np.uint8))
    assert np.isfinite(plain).all()
    assert np.abs(plain).max() == 0


def test_number_is_faced_upright_and_in_the_middle() -> None:
    picture = np.full((200, 200, 3), 230, np.uint8)
    cv2.circle(picture, (130, 100), 6, (0, 0, 0), -1)  # an outer spot, right of the middle
    place = NumberPlace(angle=90.0, towards=(0.375, 0.0), tall=0.4)
    shown = facing.faced(picture, place, centre=(100.0, 100.0), radius=80.0)
    dark = np.argwhere(shown.max(axis=2) < 100)
    assert dark.mean(axis=0) == pytest.approx([SIDE / 2, SIDE / 2], abs=1.5)


@pytest.mark.parametrize("name", COLOURS)
def test_edges_are_the_softer_the_more_a_picture_is_out_of_focus(name: str) -> None:
    clear = seen(*COLOURS[name])
    soft = [np.asarray(cv2.GaussianBlur(clear, (0, 0), wide), np.uint8) for wide in (1.0, 2.5)]
    sharp = facing.sharpness(facing.plain(np.stack([clear, *soft])))
    assert sharp.shape == (3,)
    assert sharp[0] > sharp[1] > sharp[2] > 0


def test_sharpness_of_one_colour_is_none() -> None:
    assert facing.sharpness(facing.plain(np.full((1, SIDE, SIDE, 3), 90, np.uint8)))[0] == 0
