"""Curves as pictures: a bar for each moment in which something was sold, and words for everybody."""

import re

from django.utils import translation

from draws.sales.queries import STEP, SalesCurve
from draws.templatetags.words import SPARKLINE_HEIGHT, describe_curve, sparkline


def bars(picture: str) -> list[tuple[int, int]]:
    """Return place and height of every bar."""
    found = re.findall(rf"M(\d+) {SPARKLINE_HEIGHT}v-(\d+)h", picture)
    return [(int(place), int(height)) for place, height in found]


def test_highest_bar_is_as_high_as_the_picture_and_none_stands_for_nothing() -> None:
    assert bars(sparkline(SalesCurve(STEP, (5, 0, 10)))) == [
        (0, SPARKLINE_HEIGHT // 2),
        (2, SPARKLINE_HEIGHT),
    ]


def test_smallest_bar_can_be_seen() -> None:
    assert bars(sparkline(SalesCurve(STEP, (1, 10_000)))) == [(0, 2), (1, SPARKLINE_HEIGHT)]


def test_two_bars_make_no_wall() -> None:
    assert 'viewBox="0 0 20 20"' in sparkline(SalesCurve(STEP, (3, 4)))
    assert 'viewBox="0 0 40 20"' in sparkline(SalesCurve(STEP, (1,) * 40))


def test_nothing_sold_is_no_picture() -> None:
    assert "<svg" not in sparkline(SalesCurve())


def test_words_tell_the_step_the_most_and_the_last() -> None:
    with translation.override("en"):
        assert (
            describe_curve(SalesCurve(30, (5, 12, 3)))
            == "Cards sold in 30 seconds: 12 at most, 3 of late"
        )
        assert (
            describe_curve(SalesCurve(60, (5,))) == "Cards sold in a minute: 5 at most, 5 of late"
        )
        assert (
            describe_curve(SalesCurve(120, (5, 0)))
            == "Cards sold in 2 minutes: 5 at most, 0 of late"
        )


def test_picture_has_its_words_as_title() -> None:
    with translation.override("en"):
        assert "<title>Cards sold in 30 seconds: 2 at most" in sparkline(SalesCurve(30, (2,)))
