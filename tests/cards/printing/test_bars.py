"""The bars are those of Code 128, as a reader that is not ours takes them."""

from re import findall

import pytest
import zxingcpp
from PIL import Image, ImageDraw

from draws.cards.printing import codes


def picture(code: str) -> Image.Image:
    width = codes.LENGTH + 2 * codes.BARS_QUIET
    image = Image.new("L", (width * 3, 60), 255)
    pen = ImageDraw.Draw(image)
    for x, wide in findall(r"(\d+) 0 (\d+) 1 re", codes.bars_rectangles(code)):
        left = (int(x) + codes.BARS_QUIET) * 3
        pen.rectangle((left, 0, left + int(wide) * 3 - 1, 60), 0)
    return image


@pytest.mark.parametrize("first", range(0, 100, 8))
def test_every_pair_of_digits_is_read_back(first: int) -> None:
    code = "".join(f"{(first + pair) % 100:02}" for pair in range(8))
    (read,) = zxingcpp.read_barcodes(picture(code))
    assert (read.text, str(read.format)) == (code, "Code 128")


def test_bars_of_a_wrong_check_are_refused() -> None:
    image = picture("0000043100167529")
    pen = ImageDraw.Draw(image)
    pen.rectangle((200, 0, 210, 60), 0)
    assert zxingcpp.read_barcodes(image) == []


def test_every_symbol_is_eleven_modules_and_none_is_another() -> None:
    assert {sum(map(int, str(widths))) for widths in codes.WIDTHS} == {codes.SYMBOL}
    assert len(set(codes.WIDTHS)) == 106
