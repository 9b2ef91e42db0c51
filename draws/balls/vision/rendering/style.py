"""The look of rendered ball sets and extractors: colours, typefaces, and how a ball lies.

One lot of typefaces is to train on, another to test with. The extractor is one still picture: its
front, bowl, chute and cup. Where a ball's prints point are (3, 3) rotations, with axes as in a
picture: x to the right, y down, z to the viewer; the columns of a print's rotation are its reading
direction, its downward direction and its outward one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.facing import has_other_way_up
from draws.balls.vision.values import Picture

Rotation = NDArray[np.float64]

SIX = ((0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))
CORNERS = tuple((x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1))


def prints(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Return (count, 3, 3): the first print faces the viewer upright, the others turned at will."""
    others = (
        looking(np.asarray(outward, float)) @ roll(rng.uniform(0, 2 * math.pi))
        for outward in _directions(rng, count)[1:]
    )
    return np.stack([np.eye(3), *others])


def _directions(rng: np.random.Generator, count: int) -> list[Any]:
    if count <= len(SIX):
        return list(SIX[:count])
    if count == len(CORNERS):
        # The cube's corners, turned so that one of them faces the viewer.
        facing_first = looking(np.asarray(CORNERS[0], float) / math.sqrt(3))
        return [facing_first.T @ (np.asarray(corner, float) / math.sqrt(3)) for corner in CORNERS]
    steps = np.arange(count) + 0.5
    high = 1 - 2 * steps / count
    turn = math.pi * (1 + 5**0.5) * steps + rng.uniform(0, 1)
    flat = np.sqrt(1 - high**2)
    points = np.stack([flat * np.cos(turn), flat * np.sin(turn), high], axis=1)
    first = looking(points[0])
    return [first.T @ point for point in points]


def looking(outward: NDArray[np.float64]) -> Rotation:
    """Return a rotation whose third column is this unit vector."""
    helper = np.array([0.0, 1.0, 0.0]) if abs(outward[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    right = np.cross(helper, outward)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(outward, right), outward], axis=1)


def roll(angle: float) -> Rotation:
    """Return the turn by `angle` radians in the picture's plane, clockwise as seen."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def tilt(angle: float, towards: float) -> Rotation:
    """Return the turn by `angle` radians that moves what faces the viewer to `towards` radians."""
    axis = np.array([-math.sin(towards), math.cos(towards), 0.0])
    cross = np.array(
        [[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]], float
    )
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)


def facing(rng: np.random.Generator, within: float) -> Rotation:
    """Return a ball's rotation with its first print at most `within` degrees off the viewer."""
    off = math.radians(within) * math.sqrt(rng.random())
    turn, towards = rng.uniform(0, 2 * math.pi, 2)
    return np.asarray(tilt(off, towards) @ roll(turn))


def tumbling(rng: np.random.Generator) -> Rotation:
    """Return any rotation, each equally likely."""
    made, upper = np.linalg.qr(rng.standard_normal((3, 3)))
    made = made * np.sign(np.diag(upper))
    if np.linalg.det(made) < 0:
        made[:, 0] = -made[:, 0]
    return np.asarray(made)


def angle_of(seen: Rotation) -> float:
    """Return how far a print is turned clockwise in the picture, in degrees from 0 to 360."""
    return math.degrees(math.atan2(seen[1, 0], seen[0, 0])) % 360


CUP = 1.6  # ball radii
FLAP = 1.75  # radii below the cup's middle where the front hides a ball that falls
MOUTH = 2.7  # radii to the right of it where the chute comes out of the front


@dataclass(frozen=True, slots=True)
class ScenePlan:
    """Where things are, in pixels: the cup's middle, a ball's radius, bowl and lamp if any."""

    size: tuple[int, int]
    cup: tuple[int, int]
    radius: float
    bowl: tuple[int, int, int] | None
    lamp: tuple[int, int, int]


def plan_machine(size: tuple[int, int], radius: float | None = None) -> ScenePlan:
    """Lay a machine out for frames of this width and height."""
    wide, high = size
    ball = radius or high * 0.09
    close = ball * 8 > wide * 0.75
    cup = (wide // 2, high // 2) if close else (round(wide * 0.66), round(high * 0.58))
    bowl = None if close else (round(wide * 0.27), round(high * 0.45), round(high * 0.36))
    lamp_size = max(3, round(high * 0.016))
    lamp = (wide - 4 * lamp_size, 4 * lamp_size, lamp_size)
    return ScenePlan(size, cup, ball, bowl, lamp)


def front(plan: ScenePlan, rng: np.random.Generator) -> Picture:
    """Draw the front of the machine with an empty cup."""
    wide, high = plan.size
    tint = rng.integers(70, 150, 3)
    slope = np.linspace(1.15, 0.8, high)[:, None, None]
    drawn = np.clip(np.full((high, wide, 3), tint) * slope, 0, 255).astype(np.uint8)
    drawn = _textured(drawn, rng)
    _fittings(drawn, plan, rng)
    _chute(drawn, plan)
    _cup(drawn, plan, rng)
    if plan.bowl:
        _bowl(drawn, plan.bowl)
    return drawn


def _textured(drawn: Picture, rng: np.random.Generator) -> Picture:
    high, wide = drawn.shape[:2]
    coarse = rng.normal(0, 9, (max(2, high // 6), max(2, wide // 6), 1)).astype(np.float32)
    grain = cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(drawn + grain[..., None], 0, 255), np.uint8)


def _fittings(drawn: Picture, plan: ScenePlan, rng: np.random.Generator) -> None:
    """Put panels, bolts, slots and writing on the front."""
    wide, high = plan.size
    step = max(40, high // 5)
    for x in range(step // 2, wide, step):
        for y in range(step // 2, high, step):
            shade = int(rng.integers(30, 200))
            cv2.circle(drawn, (x, y), max(2, high // 90), (shade, shade, shade), -1, cv2.LINE_AA)
            corner = (x - step // 3, y + step // 4)
            end = (corner[0] + int(rng.integers(step // 4, step // 2)), corner[1] + step // 14)
            cv2.rectangle(drawn, corner, end, (shade // 2, shade // 2, shade // 2), -1)
    for at in (high // 3, 2 * high // 3):
        cv2.line(drawn, (0, at), (wide, at), (40, 40, 40), max(1, high // 240))
    scale, thick = high / 500, max(1, high // 300)
    for text, place in (
        ("BINGO", (wide // 24, high - high // 30)),
        ("30-75-90", (wide // 2, high // 9)),
    ):
        cv2.putText(
            drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, (225, 225, 225), thick, cv2.LINE_AA
        )


def _chute(drawn: Picture, plan: ScenePlan) -> None:
    x, y = plan.cup
    reach, half = round(MOUTH * plan.radius), round(plan.radius * 1.25)
    cv2.rectangle(drawn, (x, y - half), (x + reach, y + half), (62, 60, 58), -1)
    cv2.line(drawn, (x, y + half), (x + reach, y + half), (120, 120, 120), 2)


def _cup(drawn: Picture, plan: ScenePlan, rng: np.random.Generator) -> None:
    x, y = plan.cup
    size = round(CUP * plan.radius)
    base = int(rng.integers(25, 75))
    for part in range(6):
        shade = base + part * 6
        cv2.circle(drawn, (x, y), round(size * (1 - part / 7)), (shade, shade + 2, shade + 4), -1)
    cv2.circle(drawn, (x, y), size, (170, 175, 178), max(1, size // 18), cv2.LINE_AA)


def _bowl(drawn: Picture, bowl: tuple[int, int, int]) -> None:
    x, y, size = bowl
    glass = drawn.copy()
    cv2.circle(glass, (x, y), size, (175, 170, 160), -1)
    cv2.addWeighted(glass, 0.45, drawn, 0.55, 0, dst=drawn)
    cv2.circle(drawn, (x, y), size, (215, 215, 215), max(1, size // 40), cv2.LINE_AA)


SYSTEM = Path("/usr/share/fonts")
FEWEST = 100  # faces that it takes to teach with
# Debian's packages of these are named in docs/reading-balls.md. Faces with old-style figures,
# whose 6 stands higher than their 9, are left out.
TRAINED = (
    "truetype/liberation*/Liberation*.ttf",
    "truetype/freefont/Free*.ttf",
    "opentype/urw-base35/Nimbus*.otf",
    "opentype/urw-base35/URWGothic*.otf",
    "opentype/urw-base35/URWBookman*.otf",
    "opentype/urw-base35/C059*.otf",
    "truetype/lato/Lato-*.ttf",
    "opentype/inter/Inter-*.otf",
    "truetype/dejavu/DejaVu*.ttf",
    "truetype/open-sans/OpenSans*.ttf",
    "**/Cantarell*.otf",
    "truetype/quicksand/Quicksand*.ttf",
    "truetype/crosextra/Carlito*.ttf",
    "truetype/jura/Jura*.ttf",
    "truetype/play/Play*.ttf",
    "truetype/league-spartan/*.ttf",
    "opentype/league-spartan/*.otf",
    "truetype/roboto-slab/*.ttf",
    "**/RobotoSlab*.*tf",
    "truetype/hack/Hack*.ttf",
    "**/BebasNeue*.otf",
    "truetype/dosis/Dosis*.ttf",
    "**/Cabin*.*tf",
    "truetype/noto/NotoSans-*.ttf",
    "truetype/noto/NotoSerif-*.ttf",
    "truetype/noto/NotoSansDisplay-*.ttf",
)
UNFIT = ("Thin", "Hairline", "ExtraLight", "UltraLight", "FreeSerif", "SansMonoOblique", "Dingbats")
# Packages of the Python index, none of whose faces is among those trained on.
TESTED = (
    "font_roboto",
    "font_manrope",
    "font_hanken_grotesk",
    "font_fredoka_one",
    "font_source_sans_pro",
    "font_caladea",
)


def training_fonts() -> tuple[Path, ...]:
    """Return the files of the faces trained on that this machine has, in a fixed order."""
    found = {path for pattern in TRAINED for path in SYSTEM.glob(pattern)}
    return tuple(sorted(path for path in found if not any(word in path.name for word in UNFIT)))


def enough_training_fonts() -> tuple[Path, ...]:
    """Return the faces trained on. Raises LookupError, in words, where too few are installed."""
    found = training_fonts()
    if len(found) < FEWEST:
        words = f"{len(found)} typefaces found, {FEWEST} needed: see docs/reading-balls.md"
        raise LookupError(words)
    return found


def unseen_fonts() -> tuple[Path, ...]:
    """Return the files of the faces kept for tests that are installed, in a fixed order."""
    found = (path for name in TESTED for path in _files(name))
    return tuple(sorted(path for path in found if not any(word in path.name for word in UNFIT)))


def house_font() -> Path:
    """Return the face that is always installed: that of the documents, bold."""
    return next(path for path in _files("font_source_sans_pro") if path.stem.endswith("-Bold"))


def _files(package: str) -> list[Path]:
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return [path for folder in folders or () for path in sorted(Path(folder).rglob("*.[to]tf"))]


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
    read as another number upside down. `seam` is how plainly the join of a ball's two halves is
    seen, from 0, not at all, to 1; each ball's crosses its print, or nearly, at will.
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
    seam: float = 0.0

    def is_marked(self, number: int) -> bool:
        """Whether the set marks the foot of this number."""
        if self.marked == "turning":
            return has_other_way_up(number, zeros=self.zeros)
        return self.marked == "all"

    def text(self, number: int) -> str:
        """Return the digits as printed."""
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
    """Return the look of a set that there might be; `marks`: what turns is always marked.

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
    """Return an ink that can be told from what it is printed on."""
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
