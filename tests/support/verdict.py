"""What the tests of verdict share with others."""

from collections.abc import Mapping

import numpy as np

from draws.balls.vision.network import Glance

Seen = Mapping[int, float]


def glance(
    seen: Seen,
    *,
    marked: float = 0.0,
    glare: float = 0.0,
    sharp: float = 1.0,
    headed: float = 0.0,
) -> Glance:
    weights = np.zeros(100)
    for number, share in seen.items():
        weights[number] = share
    first, second = (int(number) for number in np.argsort(-weights)[:2])
    return Glance(
        first, weights[first], second, weights[second], 0.0, marked, weights, glare, sharp,
        headed=headed,
    )  # fmt: skip
