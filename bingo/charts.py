"""Charts as numbers: lines and bars as the templates draw them, in units of the picture.

What a chart shows stands in a table beside it, for whoever cannot see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 600, 160  # units of the picture
GAP = 0.25  # of a bar's place that stays empty


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a picture: `name` of what it shows, its points as SVG has them, its last value."""

    name: str
    points: str
    last: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a picture, standing on its foot: where it is, and how tall."""

    x: float
    width: float
    height: float

    @property
    def y(self) -> float:
        """Where its head is."""
        return HEIGHT - self.height


def line(name: str, values: Sequence[int], lowest: int, highest: int) -> Line:
    """Return a line through values, at equal steps; `lowest` is the foot of the picture."""
    last, high = max(1, len(values) - 1), max(1, highest - lowest)
    points = " ".join(
        f"{place * WIDTH / last:.1f},{HEIGHT - (value - lowest) * HEIGHT / high:.1f}"
        for place, value in enumerate(values)
    )
    return Line(name, points, values[-1])


def bars(values: Sequence[int], highest: int) -> tuple[Bar, ...]:
    """Return a bar for each value, side by side; none is below the foot."""
    place = WIDTH / max(1, len(values))
    return tuple(
        Bar(
            round((at + GAP / 2) * place, 1),
            round(place * (1 - GAP), 1),
            round(max(0, value) * HEIGHT / max(1, highest), 1),
        )
        for at, value in enumerate(values)
    )
