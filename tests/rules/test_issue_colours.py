"""Colours that tell what an issue is: its price by the face, its series by the back."""

from __future__ import annotations

import pytest

from bingo.rules.refusal import Refusal
from bingo.rules.series import Colours, require_colours

HAVE = (Colours("A", 200, "yellow", "blue"), Colours("B", 200, "yellow", "orange"))


@pytest.mark.rule(18)
@pytest.mark.parametrize(
    ("issue", "expected"),
    [
        (
            Colours("A", 200, "green", "blue"),
            Refusal("face_colour_differs", face=200, colour="green", expected_colour="yellow"),
        ),
        (
            Colours("A", 500, "yellow", "blue"),
            Refusal("face_colour_taken", colour="yellow", face=200),
        ),
        (
            Colours("A", 500, "green", "pink"),
            Refusal("back_colour_differs", letter="A", colour="pink", expected_colour="blue"),
        ),
        (
            Colours("C", 500, "green", "orange"),
            Refusal("back_colour_taken", colour="orange", letter="B"),
        ),
    ],
)
def test_colours_that_would_not_tell_price_or_series_are_refused(
    issue: Colours, expected: Refusal
) -> None:
    with pytest.raises(Refusal) as refused:
        require_colours(issue, others=HAVE)
    assert refused.value == expected


@pytest.mark.rule(18)
def test_colours_that_tell_price_and_series_are_let_in() -> None:
    for issue in (*HAVE, Colours("A", 500, "green", "blue"), Colours("C", 200, "yellow", "pink")):
        require_colours(issue, others=HAVE)
