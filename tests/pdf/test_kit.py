"""The look of documents holds on a grey photocopy."""

import pytest
from reportlab.lib.colors import Color

from bingo.pdf import kit


def luminance(colour: Color) -> float:
    """WCAG 2.2's relative luminance."""
    linear: list[float] = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (colour.red, colour.green, colour.blue)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("paper", [kit.PAPER, kit.WASH])
@pytest.mark.parametrize("ink", [kit.INK, kit.QUIET])
def test_text_stands_out_by_its_grey_alone(ink: Color, paper: Color) -> None:
    assert (luminance(paper) + 0.05) / (luminance(ink) + 0.05) > 4.5


def test_plain_text_is_printed_as_it_is() -> None:
    assert kit.paragraph("a < b & <b>c</b>").getPlainText() == "a < b & <b>c</b>"
