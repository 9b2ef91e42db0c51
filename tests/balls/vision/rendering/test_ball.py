import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from draws.balls.vision.rendering import style
from draws.balls.vision.rendering.ball import paint, sphere, unlit
from draws.balls.vision.rendering.style import Style, random_style

SIZE = 96


def plain(**look: object) -> Style:
    values = {
        "body": (240, 240, 240), "ink": (20, 20, 20), "font": style.house_font(), "height": 0.8,
        "prints": np.eye(3)[None], "gloss": 0.0,
    }  # fmt: skip
    return Style(**(values | look))  # type: ignore[arg-type]


def ink(number: int | None, rotation: np.ndarray, **look: object) -> np.ndarray:
    """Return where a ball's picture is dark."""
    rng = np.random.default_rng(1)
    picture, alpha = paint(plain(**look), number, rotation=rotation, size=SIZE, rng=rng)
    middle = np.hypot(*np.indices((SIZE, SIZE)) - (SIZE - 1) / 2) < SIZE * 0.42
    return np.asarray((picture.max(axis=2) < 60) & middle & (alpha == 1))


def test_ball_without_a_number_has_no_ink() -> None:
    assert ink(None, np.eye(3)).sum() == 0
    assert ink(8, np.eye(3)).sum() > 200


def test_ball_turned_half_round_is_its_picture_upside_down() -> None:
    upright, turned = ink(24, np.eye(3)), ink(24, style.roll(math.pi))
    same = (upright & turned[::-1, ::-1]).sum() / upright.sum()
    assert same > 0.9
    assert (upright & turned).sum() / upright.sum() < 0.7


def test_angle_of_a_print_is_the_one_it_was_turned_by() -> None:
    for degrees in (0.0, 30.0, 120.0, 275.0):
        assert style.angle_of(style.roll(math.radians(degrees))) == pytest.approx(degrees, abs=1e-6)


def test_number_of_the_far_side_is_not_seen() -> None:
    away = style.tilt(math.pi, 0.0)
    assert ink(24, away).sum() == 0


def seam(number: int, amount: float = 1.0) -> np.ndarray:
    """Return the points (n, 3) of the sphere that a seam changes; the number is not to be seen."""
    look = plain(body=(130, 130, 130), ink=(130, 130, 130), seam=amount)
    changed = np.abs(unlit(look, number, rotation=np.eye(3), size=SIZE) - 130).max(axis=2) > 4
    across, down, outward, alpha = sphere(SIZE)
    return np.asarray(np.stack([across, down, outward], axis=-1)[changed & (alpha == 1)])


def test_seam_is_a_great_circle_near_the_print_another_on_each_ball() -> None:
    assert len(seam(24, amount=0.0)) == 0
    axes = []
    for number in (24, 47, 81):
        _left, _size, right = np.linalg.svd(seam(number))
        assert np.abs(seam(number) @ right[2]).max() < 0.06
        assert abs(right[2][2]) <= 0.42
        axes.append(right[2])
    assert abs(axes[0] @ axes[1]) < 0.99 > abs(axes[1] @ axes[2])


@pytest.mark.slow
def test_one_half_of_some_balls_is_turned_against_the_other() -> None:
    turned = []
    for number in range(10, 30):
        whole, joined = (
            unlit(plain(body=(130, 130, 130), seam=amount), number, rotation=np.eye(3), size=SIZE)
            for amount in (0.0, 1.0)
        )
        across, down, outward, alpha = sphere(SIZE)
        axis = np.linalg.svd(seam(number))[2][2]
        beside = np.abs(across * axis[0] + down * axis[1] + outward * axis[2]) > 0.06
        turned.append(bool((np.abs(whole - joined).max(axis=2) > 40)[beside & (alpha == 1)].any()))
    assert 4 <= sum(turned) <= 16


def test_facing_stays_within_its_limit() -> None:
    rng = np.random.default_rng(3)
    offs = [math.degrees(math.acos(min(1, style.facing(rng, 35)[2, 2]))) for _ball in range(300)]
    assert max(offs) <= 35
    assert max(offs) > 30


def test_any_way_round_is_as_likely_as_any_other() -> None:
    rng = np.random.default_rng(4)
    outward = np.array([style.tumbling(rng)[:, 2] for _ball in range(2_000)])
    assert np.abs(outward.mean(axis=0)).max() < 0.05
    assert np.abs(outward.std(axis=0) - 1 / math.sqrt(3)).max() < 0.05


def test_mark_is_printed_where_the_set_marks() -> None:
    bare, marked = ink(6, np.eye(3), marked="none"), ink(6, np.eye(3), marked="turning")
    assert marked[SIZE * 3 // 5 :].sum() > bare[SIZE * 3 // 5 :].sum()
    assert (ink(7, np.eye(3), marked="none") == ink(7, np.eye(3), marked="turning")).all()


@pytest.mark.parametrize("font", style.unseen_fonts(), ids=lambda font: font.stem)
def test_eyes_of_an_8_stay_open_in_the_boldest_print(font: Path) -> None:
    look = plain(font=font, weight=3, cap=(240, 240, 240), cap_radius=0.48)
    rng = np.random.default_rng(1)
    picture, alpha = paint(look, 8, rotation=np.eye(3), size=400, rng=rng)
    pale = ((picture.min(axis=2) > 60) & (alpha == 1)).astype(np.uint8)
    _count, _labels, stats, _middles = cv2.connectedComponentsWithStats(pale, connectivity=4)
    assert (stats[1:, cv2.CC_STAT_AREA] > 12).sum() == 3  # round about, and two eyes


def test_same_seed_gives_the_same_ball() -> None:
    look = random_style(np.random.default_rng(5), [style.house_font()])
    again = random_style(np.random.default_rng(5), [style.house_font()])
    pictures = [
        paint(one, 42, rotation=np.eye(3), size=64, rng=np.random.default_rng(6))[0]
        for one in (look, again)
    ]
    assert (pictures[0] == pictures[1]).all()


def test_typefaces_of_tests_are_none_that_were_trained_on() -> None:
    assert len(style.unseen_fonts()) >= 20
    assert not {path.name for path in style.unseen_fonts()} & {
        path.name for path in style.training_fonts()
    }
