"""The comparison with a set's own pictures: right of most, and clear of a stranger's."""

from collections.abc import Iterator

import numpy as np
import pytest

from draws.balls.vision.ink_match import Gallery, Likeness
from draws.balls.vision.jpeg_pictures import decode, whole
from draws.balls.vision.rendering.style import Style, prints, unseen_fonts
from tests.support.gallery import shown

NUMBERS = range(10, 40)


def style(rng: np.random.Generator) -> Style:
    return Style((240, 245, 245), (25, 25, 25), unseen_fonts()[0], 0.85, prints(rng, 4))


@pytest.fixture(scope="module")
def enrolled() -> tuple[Gallery, Style]:
    rng = np.random.default_rng(4)
    look, gallery = style(rng), Gallery()
    for number in NUMBERS:
        for _picture in range(3):
            picture, spot, angle = shown(look, number, rng)
            gallery.add(number, picture, spot, angle=angle)
    return gallery, look


def compared(gallery: Gallery, look: Style, seed: int) -> Iterator[tuple[int, Likeness]]:
    rng = np.random.default_rng(seed)
    for number in NUMBERS:
        picture, spot, angle = shown(look, number, rng)
        yield number, gallery.compare(picture, spot, angle=angle + rng.uniform(-8, 8))


@pytest.mark.slow
def test_gallery_agrees_with_balls_it_knows(enrolled: tuple[Gallery, Style]) -> None:
    found = list(compared(*enrolled, seed=5))
    assert sum(like.number == number for number, like in found) >= 0.9 * len(found)
    assert sum(like.agrees(number) for number, like in found) >= 0.75 * len(found)


@pytest.mark.slow
def test_gallery_does_not_agree_with_another_number(enrolled: tuple[Gallery, Style]) -> None:
    found = list(compared(*enrolled, seed=6))
    assert not [number for number, like in found if like.agrees(number % 90 + 1)]


@pytest.mark.slow
def test_gallery_does_not_know_a_ball_upside_down(enrolled: tuple[Gallery, Style]) -> None:
    gallery, look = enrolled
    rng = np.random.default_rng(7)
    picture, spot, angle = shown(look, 14, rng)
    assert gallery.compare(picture, spot, angle=angle).agrees(14)
    assert not gallery.compare(picture, spot, angle=angle + 180).agrees(14)


def test_gallery_leaves_a_picture_out_of_its_own_comparison() -> None:
    rng = np.random.default_rng(8)
    look, gallery = style(rng), Gallery()
    pictures = [shown(look, number, rng) for number in (21, 34)]
    for number, (picture, spot, angle) in zip((21, 34), pictures, strict=True):
        gallery.add(number, picture, spot, angle=angle)
    assert [found.number for found in gallery.itself(pictures)] == [34, 21]


def test_empty_gallery_says_nothing() -> None:
    picture, spot, angle = shown(style(np.random.default_rng(1)), 5, np.random.default_rng(2))
    assert Gallery().compare(picture, spot, angle=angle) == Likeness(None, 0.0, None, 0.0)


def test_decode_reads_a_jpeg_and_nothing_else() -> None:
    picture = np.zeros((40, 50, 3), np.uint8)
    found = decode(whole(picture))
    assert found is not None
    assert found.shape == picture.shape
    assert decode(b"GIF89a") is None
    assert decode(b"") is None
