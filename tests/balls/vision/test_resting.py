"""What the exit held, frame by frame, and what is told of it."""

from __future__ import annotations

import numpy as np
import pytest

from draws.balls.vision.tracking import FrameChange, Rest
from draws.balls.vision.values import Sight, Spot

PICTURE = np.full((120, 160, 3), 120, np.uint8)
FRAME = 1 / 15
EMPTY, ODD = Sight("empty"), Sight("other")


def moments(*sights: Sight) -> list[FrameChange]:
    rest = Rest()
    told = [rest.see(sight, PICTURE, at * FRAME) for at, sight in enumerate(sights)]
    return [moment for moment in told if moment]


def ball(x: float) -> Sight:
    return Sight("ball", Spot(x, 60.0, 30.0))


@pytest.mark.parametrize(
    ("sights", "told"),
    [
        # A poor picture's blocks: hardly a frame in which it is a disc, and nowhere twice alike.
        ([*[ODD] * 5, ball(60), *[ODD] * 4, ball(90)], [FrameChange.PASSED]),
        # On its way through.
        ([ODD, ball(60), ball(90), ODD], []),
        # No ball at all: what lasts is told as what it is, once.
        ([*[ODD] * 5], []),
        ([*[ODD] * 12], [FrameChange.OTHER]),
        # A hand that was told of, and between its fingers a disc.
        ([*[ODD] * 8, ball(60), *[ODD] * 3], [FrameChange.OTHER]),
    ],
)
def test_ball_that_was_there_for_long_and_never_lay_still_is_told_of(
    sights: list[Sight], told: list[FrameChange]
) -> None:
    assert moments(EMPTY, *sights, *[EMPTY] * 3) == told
    # What went before does not count for the next.
    again = [EMPTY] * 3
    assert moments(*sights, *again, *sights, *again) == told * 2
