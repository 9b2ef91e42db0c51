"""Single pictures of whatever somebody photographs: a number only where there is a ball that bears it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw

from bingo.rules.refusal import Refusal
from draws.balls.vision import balls_in_files, lookalikes, sources, watching
from draws.balls.vision.balls_in_files import WIDEST, FoundBall, annotated
from draws.balls.vision.network_training import strange_scenes
from draws.balls.vision.reader import Eye
from draws.balls.vision.rendering.ball import paint
from draws.balls.vision.rendering.style import facing, random_style, unseen_fonts
from draws.balls.vision.values import Picture, Spot
from draws.balls.vision.verdict import verdict
from tests.support.gallery import shown

EYE = Eye()


def balls_in(picture: Picture) -> list[FoundBall]:
    return balls_in_files.find_balls(picture, eye=EYE, judge=verdict, format=90)


def ball(number: int = 47, seed: int = 11) -> Picture:
    """Return a photograph of a ball in black on white, 88 pixels a side."""
    rng = np.random.default_rng(seed)
    look = random_style(rng, unseen_fonts(), wear=0.0, gloss=0.2)
    return shown(look, number, rng)[0]


def scene(*balls: Picture, size: tuple[int, int] = (480, 640)) -> Picture:
    """Return a photograph of balls on a table, none beside another."""
    rng = np.random.default_rng(2)
    table = np.clip(rng.normal(90, 4, (*size, 3)), 0, 255).astype(np.uint8)
    for place, one in enumerate(balls):
        x, y = 60 + place * 220, 120
        side = one.shape[0]
        inside = np.zeros(one.shape[:2], np.uint8)
        cv2.circle(inside, (side // 2, side // 2), 36, 1, -1)
        table[y : y + side, x : x + side][inside > 0] = one[inside > 0]
    return table


def drawn_circle(side: int = 300) -> Picture:
    page = np.full((side, side, 3), 255, np.uint8)
    cv2.circle(page, (side // 2, side // 2), side // 3, (80, 200, 240), -1, cv2.LINE_AA)
    cv2.putText(
        page, "47", (side // 2 - 55, side // 2 + 25), cv2.FONT_HERSHEY_DUPLEX, 2.6, (0, 0, 0), 6,
        cv2.LINE_AA,
    )  # fmt: skip
    return page


def screenshot() -> Picture:
    page = np.full((600, 900, 3), 245, np.uint8)
    for row in range(12):
        words = f"{row * 7 + 3}  bingo  {row * 11}"
        cv2.putText(page, words, (40, 40 + row * 45), cv2.FONT_HERSHEY_SIMPLEX, 1, (30, 30, 30), 2)
    return page


def coin(seed: int = 8) -> Picture:
    """Return a rendered coin, in a typeface that nothing was taught with."""
    made = strange_scenes.coin(np.random.default_rng(seed), unseen_fonts())
    return np.asarray(cv2.resize(made, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)


def face() -> Picture:
    rng = np.random.default_rng(8)
    page = np.clip(rng.normal(70, 8, (400, 300, 3)), 0, 255).astype(np.uint8)
    cv2.ellipse(page, (150, 200), (95, 130), 0, 0, 360, (140, 170, 220), -1, cv2.LINE_AA)
    for x in (110, 190):
        cv2.ellipse(page, (x, 170), (18, 10), 0, 0, 360, (250, 250, 250), -1, cv2.LINE_AA)
        cv2.circle(page, (x, 170), 8, (60, 40, 30), -1, cv2.LINE_AA)
    cv2.ellipse(page, (150, 265), (40, 14), 0, 0, 180, (90, 90, 180), 4, cv2.LINE_AA)
    return page


@pytest.mark.slow
@pytest.mark.parametrize("make", [drawn_circle, screenshot, coin, face])
def test_what_is_no_ball_gets_a_reason_and_no_number(make: object) -> None:
    told = balls_in(make())  # type: ignore[operator]
    assert told
    assert {one.reading.number for one in told} == {None}
    assert all(one.reading.reason for one in told)


@pytest.mark.slow
def test_no_coin_is_read() -> None:
    told = [one.reading for seed in range(12) for one in balls_in(coin(seed))]
    assert {one.number for one in told} == {None}
    assert watching.COIN in {one.reason for one in told}


@pytest.mark.slow
def test_grey_of_sixteen_bits_and_a_very_thin_picture_are_opened(tmp_path: Path) -> None:
    grey = cv2.cvtColor(scene(ball(47)), cv2.COLOR_BGR2GRAY).astype(np.uint16) * 256
    cv2.imwrite(str(tmp_path / "grey.png"), grey)
    assert balls_in(sources.frames_picture(tmp_path / "grey.png"))[0].reading.candidates[0][0] == 47
    assert balls_in(np.full((16, 9000, 3), 90, np.uint8))[0].reading.number is None


@pytest.mark.slow
def test_drawing_is_told_as_such_though_its_number_is_plain() -> None:
    assert balls_in(drawn_circle())[0].reading.reason == lookalikes.DRAWN


def compressed(page: Picture) -> Picture:
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, 50])[1], 1), np.uint8
    )


def blurred(page: Picture) -> Picture:
    return np.asarray(cv2.GaussianBlur(page, (0, 0), 3.0), np.uint8)


def grained(page: Picture) -> Picture:
    noise = np.random.default_rng(5).normal(0, 8, page.shape)
    return np.clip(page + noise, 0, 255).astype(np.uint8)


def worn(page: Picture) -> Picture:
    return compressed(grained(blurred(page)))


@pytest.mark.parametrize("spoil", [compressed, blurred, grained, worn])
@pytest.mark.parametrize("side", [150, 300, 600])
def test_drawing_that_was_saved_blurred_or_grained_has_no_shade(
    spoil: Callable[[Picture], Picture], side: int
) -> None:
    middle = (side - 1) / 2
    page = cv2.resize(drawn_circle(), (side, side), interpolation=cv2.INTER_AREA)
    drawing, spot = spoil(np.asarray(page, np.uint8)), Spot(middle, middle, side / 3)
    assert lookalikes.is_drawn(drawing, spot)
    # As soon as light falls on it from one side, as on any ball, it is a photograph to anybody.
    light = np.linspace(0.9, 1.1, side)[None, :, None]
    assert not lookalikes.is_drawn(np.clip(drawing * light, 0, 255).astype(np.uint8), spot)


@pytest.mark.parametrize("number", ["47", "23"])
def test_thin_print_of_a_drawing_is_no_shade(number: str) -> None:
    side, radius = 240, 80.0
    page = Image.new("RGB", (side, side), (40, 60, 50))
    pen, middle = ImageDraw.Draw(page), (side - 1) / 2
    pen.ellipse([middle + each * radius for each in (-1, -1, 1, 1)], fill=(230, 230, 220))
    pen.text((middle, middle), number, fill="black", font_size=60, anchor="mm")
    drawing = compressed(np.asarray(page, np.uint8))
    assert lookalikes.is_drawn(drawing, Spot(middle, middle, radius))


@pytest.mark.slow
def test_compressed_drawing_is_refused_with_its_reason() -> None:
    [one] = balls_in(compressed(drawn_circle()))
    assert (one.reading.number, one.reading.reason) == (None, lookalikes.DRAWN)


def test_photographed_ball_is_no_drawing() -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        picture, spot, _angle = shown(random_style(rng, unseen_fonts(), wear=0.0), 47, rng)
        assert not lookalikes.is_drawn(picture, spot)
    # What is blown out, or in the dark, has no shade either: that tells nothing.
    for level in (2, 255):
        even = np.full((120, 120, 3), level, np.uint8)
        assert not lookalikes.is_drawn(even, Spot(59.5, 59.5, 40.0))


@pytest.mark.slow
def test_touching_balls_are_two_answers() -> None:
    """Two balls side by side, rim to rim, on a table."""
    rng = np.random.default_rng(2)
    look = random_style(rng, unseen_fonts(), wear=0.0, gloss=0.2)
    page = np.clip(rng.normal(90, 4, (240, 420, 3)), 0, 255)
    for place, number in enumerate((27, 52)):
        body, cover = paint(look, number, rotation=facing(rng, 20.0), size=96, rng=rng)
        under = page[70:166, 100 + 96 * place : 196 + 96 * place]
        under += (body - under) * cover[..., None]
    told = balls_in(np.clip(page, 0, 255).astype(np.uint8))
    assert [one.reading.candidates[0][0] for one in told] == [27, 52]


@pytest.mark.slow
def test_empty_table_has_no_ball() -> None:
    [one] = balls_in(scene())
    assert (one.reading.number, one.reading.reason) == (None, balls_in_files.NO_BALL)


def test_ball_is_found_in_a_photograph_of_a_table() -> None:
    [one] = balls_in(scene(ball(47)))
    assert one.reading.number in (47, None)
    assert one.reading.candidates[0][0] == 47
    assert abs(one.spot.x - 103.5) < 8
    assert 30 < one.spot.radius < 44


def test_two_balls_are_two_answers_from_left_to_right() -> None:
    told = balls_in(scene(ball(47), ball(23)))
    assert [one.reading.candidates[0][0] for one in told if one.reading.candidates] == [47, 23]


@pytest.mark.slow
def test_ball_of_twenty_pixels_is_too_small() -> None:
    small = np.asarray(cv2.resize(ball(47), (17, 17), interpolation=cv2.INTER_AREA), np.uint8)
    [one] = balls_in(small)
    assert (one.reading.number, one.reading.reason) == (None, balls_in_files.TOO_SMALL)


@pytest.mark.slow
def test_large_photograph_is_read_like_a_small_one() -> None:
    large = np.asarray(cv2.resize(scene(ball(47)), (8000, 6000)), np.uint8)
    told = balls_in(large)
    assert told[0].reading.candidates[0][0] == 47


def test_photograph_is_turned_as_its_telephone_says(tmp_path: Path) -> None:
    lying = Image.fromarray(scene(ball(47))[..., ::-1])
    told = lying.getexif()
    told[0x0112] = 6  # turn it a quarter clockwise
    lying.save(tmp_path / "phone.jpg", exif=told, quality=95)
    upright = sources.frames_picture(tmp_path / "phone.jpg")
    assert upright.shape[:2] == (640, 480)


@pytest.mark.parametrize("ending", ["jpg", "png"])
def test_truncated_file_is_refused(tmp_path: Path, ending: str) -> None:
    whole = tmp_path / f"whole.{ending}"
    Image.fromarray(scene(ball(47))).save(whole)
    cut = tmp_path / f"cut.{ending}"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(Refusal) as refused:
        sources.frames_picture(cut)
    assert refused.value.code == "not_a_picture"


@pytest.mark.slow
def test_picture_shows_what_was_seen() -> None:
    photograph = scene(ball(47))
    told = balls_in(photograph)
    drawn = annotated(photograph, told)
    assert drawn.shape == photograph.shape
    changed = np.abs(drawn.astype(int) - photograph).sum(axis=2) > 60
    x, y, radius = (round(each) for each in (*told[0].spot.centre, told[0].spot.radius))
    assert changed[y, x + radius - 2 : x + radius + 3].any()
    assert not changed[400:, 400:].any()
    assert max(annotated(np.zeros((3000, 4000, 3), np.uint8), []).shape) == WIDEST


Colour = tuple[int, int, int]


def sheet(paper: Colour = (225, 240, 245), print: Colour = (20, 20, 20)) -> Picture:
    """Return a photograph of a number on paper that a lamp lights from one side."""
    page = np.full((300, 300, 3), paper, np.uint8)
    cv2.putText(page, "47", (75, 185), cv2.FONT_HERSHEY_DUPLEX, 3.6, print, 9, cv2.LINE_AA)
    lit = page * np.linspace(0.8, 1.0, 300)[None, :, None]
    return compressed(grained(np.asarray(lit, np.uint8)))


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.25, 0.35, 0.47])
@pytest.mark.parametrize(
    "colours", [((225, 240, 245), (20, 20, 20)), ((70, 40, 25), (250, 240, 240))]
)
def test_number_on_paper_stands_on_no_ball(colours: tuple[Colour, Colour], share: float) -> None:
    page = sheet(*colours)
    spot = Spot(149.5, 149.5, share * 300)
    assert lookalikes.is_flat(page, spot)
    # The same where something else begins beside a round rim.
    far = np.hypot(*(each - 149.5 for each in np.indices((300, 300))))
    page[far > spot.radius] = (60, 90, 40)
    assert not lookalikes.is_flat(page, spot)
    assert {one.reading.number for one in balls_in(sheet(*colours))} == {None}


@pytest.mark.slow
def test_rendered_balls_stand_on_nothing_flat() -> None:
    for seed in range(24):
        rng = np.random.default_rng(seed)
        picture, spot, _angle = shown(random_style(rng, unseen_fonts(), wear=0.0), 47, rng)
        assert not lookalikes.is_flat(picture, spot)


@pytest.mark.slow
def test_ball_in_a_mirror_is_told_by_its_other_side() -> None:
    rng = np.random.default_rng(11)
    look = random_style(rng, unseen_fonts(), wear=0.0, gloss=0.2)
    picture, spot, _angle = shown(look, 47, rng)
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    there = Spot(picture.shape[1] - 1 - spot.x, spot.y, spot.radius)
    assert not lookalikes.is_mirrored(picture, spot, EYE)
    assert lookalikes.is_mirrored(mirrored, there, EYE)


@pytest.mark.slow
def test_two_balls_that_fill_a_picture_are_two_answers() -> None:
    pair = np.concatenate([ball(47), ball(38, seed=12)], axis=1)
    assert pair.shape[1] == 2 * pair.shape[0]
    told = balls_in(pair)
    assert len(told) == 2
    assert {one.reading.number for one in told} <= {47, 38, None}
    assert len(balls_in(ball(47))) == 1
