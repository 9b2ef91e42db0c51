"""The board shows what is drawn and nothing else, in a picture every screen can show."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO

import pytest
from django.utils import translation
from PIL import Image, ImageColor

from draws.boards import board_png
from draws.boards.board_png import AMBER, GRID, LIT, TILE, BoardValues

VALUES = BoardValues(
    hall="Sala de Bingo",
    game=12,
    phase="Extracção",
    highest=90,
    drawn=(7, 90, 33, 1, 56),
    price=200,
    cards_sold=420,
    line=16_296,
    bingo=48_888,
    jackpot=1_234_567,
    language="pt",
    currency="CVE",
)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def picture(values: BoardValues) -> Image.Image:
    return Image.open(BytesIO(board_png.draw_board(values))).convert("RGB")


def colours(values: BoardValues) -> list[str]:
    """The colour of each number's tile, read in the picture beside its figures."""
    image = picture(values)
    columns = board_png.COLUMNS[values.highest]
    rows = -(-values.highest // columns)
    left, top, right, bottom = GRID
    named = {ImageColor.getrgb(colour): colour for colour in (AMBER, LIT, TILE)}
    found = []
    for number in range(values.highest):
        row, column = divmod(number, columns)
        x = left + (column + 0.5) * (right - left + 10) / columns - 5
        y = top + row * (bottom - top + 10) / rows + 5
        pixel = image.getpixel((int(x), int(y)))
        assert isinstance(pixel, tuple)
        found.append(named[pixel[0], pixel[1], pixel[2]])
    return found


@pytest.mark.parametrize("highest", [90, 80, 75, 30])
def test_board_lights_the_numbers_drawn_and_no_other(highest: int) -> None:
    drawn = (7, highest, 3, 1, 26)
    lit = colours(replace(VALUES, highest=highest, drawn=drawn))
    assert [n for n, colour in enumerate(lit, start=1) if colour == LIT] == [1, 3, 7, highest]
    assert [n for n, colour in enumerate(lit, start=1) if colour == AMBER] == [26]


def test_board_before_the_first_ball_is_dark() -> None:
    assert set(colours(replace(VALUES, drawn=()))) == {TILE}


def test_board_fills_a_high_definition_screen() -> None:
    image = Image.open(BytesIO(board_png.draw_board(VALUES)))
    assert (image.format, image.size) == ("PNG", (1920, 1080))


@pytest.mark.slow
@pytest.mark.rule(29)
@pytest.mark.parametrize(
    "change",
    [
        {"price": 300},
        {"cards_sold": 421},
        {"line": 16_297},
        {"bingo": 48_889},
        {"jackpot": 1_234_568},
        {"jackpot": None},
    ],
)
def test_board_shows_every_figure_the_law_names(change: dict[str, int | None]) -> None:
    image = picture(VALUES).crop((0, board_png.STRIP_TOP, board_png.WIDTH, board_png.HEIGHT))
    other = picture(replace(VALUES, **change))  # type: ignore[arg-type]  # one field at a time
    assert image != other.crop((0, board_png.STRIP_TOP, board_png.WIDTH, board_png.HEIGHT))


@pytest.mark.slow
def test_board_counts_the_balls() -> None:
    side = tuple(map(int, (board_png.SIDE[0], 590, board_png.SIDE[2], 680)))
    one = picture(replace(VALUES, drawn=(7, 56))).crop(side)  # type: ignore[arg-type]
    two = picture(replace(VALUES, drawn=(7, 8, 56))).crop(side)  # type: ignore[arg-type]
    assert one != two


@pytest.mark.slow
def test_board_is_the_same_picture_for_the_same_values() -> None:
    assert board_png.draw_board(VALUES) == board_png.draw_board(VALUES)


def test_board_keeps_long_words_inside_its_edges() -> None:
    wide = replace(VALUES, hall="Sala " * 60, phase="Fase " * 60, jackpot=10**15, line=10**15)
    image = picture(wide)
    night = image.getpixel((2, 2))
    edges = [image.crop((0, 0, 50, 1080)), image.crop((1870, 0, 1920, 1080))]
    assert all(edge.getcolors() == [(50 * 1080, night)] for edge in edges)
