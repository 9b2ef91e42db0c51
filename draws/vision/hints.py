"""How well a camera stands, in figures with their good ranges, for whoever sets it up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2

from bingo.rules.refusal import Refusal
from draws.vision import area as areas
from draws.vision import calibration, health, still
from draws.vision.area import Area
from draws.vision.calibration import GOOD_FOCUS, GOOD_LIGHT, GOOD_RADIUS
from draws.vision.survey import Survey
from draws.vision.taking import Shelf
from draws.vision.values import Frame, Picture, Spot

TILES = 6  # of the scene that can be recognised, the fewest


@dataclass(frozen=True, slots=True)
class Hint:
    """One figure: `value` between `least` and `most`, good from `low` to `high`."""

    name: str
    value: float
    least: float
    low: float
    high: float
    most: float

    @property
    def verdict(self) -> str:
        """Whether it is good, too low or too high."""
        if self.value < self.low:
            return "low"
        return "high" if self.value > self.high else "good"


def suggested(picture: Picture, empty: Picture | None = None) -> Spot:
    """Give the likeliest ball of a still, or a circle in its middle where none is seen.

    `empty` is the same scene without it: what differs is the ball, whatever else is round.
    """
    found: list[Spot] = []
    if empty is not None and empty.shape == picture.shape:
        change = cv2.absdiff(picture, empty).max(axis=2)
        found = calibration.suggest(cv2.cvtColor(change, cv2.COLOR_GRAY2BGR), at_most=1)
    found = found or calibration.suggest(picture, at_most=1)
    height, width = picture.shape[:2]
    return found[0] if found else Spot(width / 2, height / 2, min(width, height) / 8)


def hints(picture: Picture, spot: Spot) -> tuple[Hint, ...]:
    """Give light, focus, size and what the scene is known by; Raises Refusal bad_camera_settings."""
    height, width = picture.shape[:2]
    drawn = areas.around(spot.x, spot.y, spot.radius, (width, height))
    learned = calibration.learn(drawn, [picture], empty=[])
    left, top, right, bottom = drawn.box
    light = float(cv2.cvtColor(picture[top:bottom, left:right], cv2.COLOR_BGR2GRAY).mean())
    tiles = still.Still(learned).tiles if learned.still else 0
    sharp = health.sharpness(picture, drawn)
    return (
        Hint("light", light, 0, GOOD_LIGHT[0], GOOD_LIGHT[1], 255),
        Hint("focus", sharp, 0, GOOD_FOCUS, 1000, GOOD_FOCUS * 4),
        Hint("size", spot.radius, 0, GOOD_RADIUS, 10_000, GOOD_RADIUS * 4),
        Hint("scene", float(tiles), 0, TILES, 10_000, still.ROWS * still.COLUMNS),
    )


def learned(shelves: Iterable[Shelf], spot: Spot, *, fps: float, moving: bool) -> Area:
    """Give the settings of a camera from the frames kept of it; `moving`: something always moves.

    Raises Refusal: no_still, bad_camera_settings.
    """
    survey = Survey()
    pictures = [picture for shelf in shelves for picture in shelf.pictures()]
    if not pictures:
        raise Refusal("no_still")
    shape = pictures[0].shape
    alike = [picture for picture in pictures if picture.shape == shape]
    survey.take(Frame(picture, place / fps, place) for place, picture in enumerate(alike))
    area = survey.area(fps=fps, spot=spot)
    patch = survey.lively() if moving else None
    return areas.read(area.document() | {"moving_patch": list(patch) if patch else None})


def read(shelf: Shelf) -> Picture | None:
    """Give the last frame kept, None where there is none."""
    file = shelf.still()
    return cv2.imread(str(file)) if file.is_file() else None  # type: ignore[return-value]
