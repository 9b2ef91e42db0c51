"""A rectangle of a page, and how it is divided."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """Left, bottom, width and height in points; y grows upwards, as in PDF."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def inset(self, sides: float, ends: float | None = None) -> Box:
        """Give the box without `sides` at left and right and `ends` above and below."""
        ends = sides if ends is None else ends
        return Box(self.x + sides, self.y + ends, self.width - 2 * sides, self.height - 2 * ends)

    def moved(self, x: float, y: float) -> Box:
        """Give the box elsewhere."""
        return Box(self.x + x, self.y + y, self.width, self.height)

    def across(self, *widths: float | None) -> list[Box]:
        """Divide from left to right; the one None takes what is left."""
        boxes, x = [], self.x
        for width in _filled(widths, self.width):
            boxes.append(Box(x, self.y, width, self.height))
            x += width
        return boxes

    def down(self, *heights: float | None) -> list[Box]:
        """Divide from the top down; the one None takes what is left."""
        boxes, top = [], self.top
        for height in _filled(heights, self.height):
            top -= height
            boxes.append(Box(self.x, top, self.width, height))
        return boxes

    def cells(self, rows: int, columns: int) -> list[list[Box]]:
        """Divide into equal cells, the top row first."""
        return [
            row.across(*[self.width / columns] * columns)
            for row in self.down(*[self.height / rows] * rows)
        ]


def _filled(parts: tuple[float | None, ...], whole: float) -> list[float]:
    left = whole - sum(part for part in parts if part is not None)
    return [left if part is None else part for part in parts]
