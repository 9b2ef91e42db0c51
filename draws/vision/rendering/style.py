"""How the balls of one set look: colours, typeface, what is printed beside the number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from draws.vision.marks import has_other_way_up
from draws.vision.rendering.pose import prints

Colour = tuple[int, int, int]  # blue, green, red
LETTERS = "BINGO"
WHITES: tuple[Colour, ...] = ((250, 250, 250), (235, 240, 245), (225, 235, 240), (215, 230, 240))
DARKS: tuple[Colour, ...] = (
    (20, 20, 20), (40, 30, 25), (130, 30, 20), (30, 30, 160), (40, 90, 20), (90, 20, 90), (10, 60, 110),
)  # fmt: skip
# How far from its middle a print may reach where there are so many, so that none meets another.
ROOM = {1: 0.8, 2: 0.8, 4: 0.68, 6: 0.66, 8: 0.54, 12: 0.48}


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """The look of a set; lengths in ball radii.

    `body`, `ink`, `cap` (the disc under a number) and `ring` are colours; `squeeze` is how wide
    the digits are against their typeface, `slant` how far they lean over; `prints` is (n, 3, 3),
    where the number stands on the ball, the first facing the viewer at rest. `mark` is underline,
    dot or nothing; `marked`: which numbers bear it (all, turning or none); `turning` are those that
    read as another number upside down.
    """

    body: Colour
    ink: Colour
    font: Path
    height: float
    prints: NDArray[np.float64]
    cap: Colour | None = None
    cap_radius: float = 0.62
    ring: Colour | None = None
    ring_width: float = 0.06
    squeeze: float = 1.0
    slant: float = 0.0
    weight: int = 0
    mark: str = "underline"
    marked: str = "turning"
    letter: bool = False
    zeros: bool = False
    stripe: Colour | None = None
    gloss: float = 0.5
    wear: float = 0.0

    def is_marked(self, number: int) -> bool:
        """Whether the set marks the foot of this number."""
        if self.marked == "turning":
            return has_other_way_up(number, zeros=self.zeros)
        return self.marked == "all"

    def text(self, number: int) -> str:
        """Give the digits as printed."""
        return f"{number:02d}" if self.zeros else str(number)


def random_style(
    rng: np.random.Generator,
    fonts: Sequence[Path],
    *,
    format: int = 90,
    marks: bool = True,
    zeros: float = 0.0,
    wear: float = 1.0,
    gloss: float = 1.0,
) -> Style:
    """Give the look of a set that there might be; `marks`: what turns is always marked.

    `zeros` is the chance that it prints 6 as 06; `wear` and `gloss` are the most there may be.
    """
    body = _body(rng)
    cap = _light(rng) if rng.random() < (0.25 if _is_light(body) else 0.7) else None
    ground = cap or body
    ink = _ink(rng, ground)
    ring = ink if rng.random() < 0.5 else _ink(rng, ground)
    marked = ("turning", "all")[int(rng.random() < 0.35)] if marks else "none"
    count = int(rng.choice([1, 2, 2, 4, 6, 6, 8, 12]))
    widest = ROOM[count]
    return Style(
        body=body,
        ink=ink,
        font=fonts[int(rng.integers(len(fonts)))],
        height=float(rng.uniform(0.55, 0.95)),
        prints=prints(rng, count),
        cap=cap,
        cap_radius=float(rng.uniform(0.75 * widest, widest)),
        ring=ring if rng.random() < 0.3 else None,
        ring_width=float(rng.uniform(0.03, 0.09)),
        squeeze=float(rng.choice([1.0, rng.uniform(0.75, 1.1)])),
        slant=float(rng.choice([0.0, 0.0, rng.uniform(-0.1, 0.25)])),
        weight=int(rng.integers(0, 4)),
        mark=str(rng.choice(["underline", "underline", "underline", "dot"])),
        marked=marked,
        letter=format == 75 and rng.random() < 0.6,
        zeros=bool(rng.random() < zeros),
        stripe=_dark(rng) if rng.random() < 0.08 else None,
        gloss=gloss * float(rng.uniform(0.0, 1.0)),
        wear=wear * float(rng.choice([0.0, 0.0, rng.uniform(0, 1)])),
    )


def _body(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.5:
        return WHITES[int(rng.integers(len(WHITES)))]
    return _any(rng)


def _any(rng: np.random.Generator) -> Colour:
    levels = rng.permutation([rng.integers(0, 90), rng.integers(30, 220), rng.integers(150, 256)])
    return (int(levels[0]), int(levels[1]), int(levels[2]))


def _light(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.8:
        return WHITES[int(rng.integers(len(WHITES)))]
    blue, green, red = (int(level) for level in rng.integers(175, 256, 3))
    return blue, green, red


def _dark(rng: np.random.Generator) -> Colour:
    return DARKS[int(rng.integers(len(DARKS)))]


def _ink(rng: np.random.Generator, ground: Colour) -> Colour:
    """Give an ink that can be told from what it is printed on."""
    for _try in range(20):
        ink = _dark(rng) if rng.random() < 0.6 else _any(rng)
        if rng.random() < 0.35:
            ink = WHITES[int(rng.integers(len(WHITES)))]
        if abs(_luma(ink) - _luma(ground)) > 70:
            return ink
    return (20, 20, 20) if _is_light(ground) else (250, 250, 250)


def _luma(colour: Colour) -> float:
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def _is_light(colour: Colour) -> bool:
    return _luma(colour) > 128
