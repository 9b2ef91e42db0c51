"""Contrast is that of WCAG 2.2, and every pair of our colours keeps it in both themes."""

import pytest

from draws.web import components
from draws.web.components import pairs


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("white", "black", 21.0),
        ("white", "white", 1.0),
        ("oklch(100% 0 0)", "black", 21.0),
        ("oklch(62.8% 0.2577 29.23)", "white", 4.0),  # #f00
        ("oklch(51.98% 0.1769 142.5)", "white", 5.14),  # #008000
    ],
)
def test_contrast_is_that_of_the_standard(one: str, other: str, expected: float) -> None:
    found = components.ratio(components.colour(one), components.colour(other))
    assert found == pytest.approx(expected, abs=0.05)


def test_what_is_no_colour_is_refused() -> None:
    with pytest.raises(ValueError, match="#fff"):
        components.colour("#fff")


def test_every_pair_is_read_in_both_themes() -> None:
    poor = [one for one in pairs() if min(one["light"], one["dark"]) < one["least"]]
    assert poor == []


def test_a_pale_pair_is_found() -> None:
    light, dark = components.themes("--a: light-dark(white, black);\n--b: oklch(90% 0 0);")
    assert components.ratio(light["a"], light["b"]) < 4.5 < components.ratio(dark["a"], dark["b"])
