"""Tell a coin from a ball: its number stands out of the metal, and nothing is printed on it.

Asked of single pictures alone, which may show anything; before the camera of a draw lies no coin.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from draws.balls.vision.network import Network, sureness
from draws.balls.vision.second_look import View, evened, views
from draws.balls.vision.values import Picture, Spot

NETWORK = Path(__file__).with_name("coin.onnx")
VIEWS = tuple(View(float(angle), 1.05) for angle in range(0, 360, 45))
LIKELY = 0.5


def is_coin(picture: Picture, spot: Spot) -> bool:
    """Return whether what lies there is a coin rather than a ball, by the mean of several views."""
    seen = evened(views(picture, VIEWS, centre=spot.centre, radius=spot.radius))
    return bool(sureness(_network().look(seen)).mean() > LIKELY)


@cache
def _network() -> Network:
    return Network(NETWORK)
