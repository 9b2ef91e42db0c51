"""Render a draw before the camera: balls roll into the cup, rest and fall, while the bowl turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from draws.balls.vision import exit_area
from draws.balls.vision.exit_area import Area
from draws.balls.vision.rendering import style
from draws.balls.vision.rendering.ball import paint
from draws.balls.vision.rendering.lens import spoil
from draws.balls.vision.rendering.style import FLAP, MOUTH, Style, facing
from draws.balls.vision.values import Frame, Picture, Reals

GRAIN = 2.2  # grey levels
BLINK = 0.25  # seconds the lamp is on, then off
REACH = 3.4  # radii of the square around the cup that is painted anew
TILT = 32.0  # degrees a print may face away
SKIN = (120, 150, 205)


@dataclass(frozen=True, slots=True)
class Act:
    """What happens at the cup: ball, blank, two_balls, hand or empty; `fault` spoils its picture.

    A ball of another set is a `ball` whose number is none of the format's.
    """

    kind: str
    number: int | None = None
    fault: str = ""
    other: int | None = None


@dataclass(frozen=True, slots=True)
class ActTruth:
    """The truth about an act: frames and seconds from its rest to its leaving."""

    act: Act
    frame: int
    at: float
    until: float


@dataclass
class Scene:
    """A camera before a machine; the frames of `play` follow from `rng` alone.

    Seconds: `rest` from least to most a ball lies there, `roll` it takes to come and to fall,
    `gap` the cup stays empty. `paint` makes the balls, as `ball.paint` does. `tilt` degrees a print may face away from the camera. `lasting` says
    whether an act goes on when its time is over.
    """

    style: Style
    rng: np.random.Generator
    size: tuple[int, int] = (640, 360)
    radius: float | None = None
    fps: float = 30.0
    rest: tuple[float, float] = (0.8, 1.5)
    roll: tuple[float, float] = (0.2, 0.35)
    gap: tuple[float, float] = (0.2, 0.4)
    tilt: float = TILT
    grain: float = GRAIN
    lasting: Callable[[Act], bool] | None = None
    paint: Callable[..., tuple[Picture, Reals]] = paint
    labels: list[ActTruth] = field(default_factory=list)
    index: int = 0

    def __post_init__(self) -> None:
        """Draw what stands still."""
        self.plan = style.plan_machine(self.size, self.radius)
        self._front = style.front(self.plan, self.rng)
        self._noise = _noise(self.size, self.grain, self.rng)
        x, y = self.plan.cup
        reach = round(REACH * self.plan.radius)
        self._left, self._top = max(0, x - reach), max(0, y - reach)
        self._right = min(self.size[0], x + reach)
        self._bottom = min(self.size[1], y + reach)
        self._middle = (x - self._left, y - self._top)
        self._balls = _balls(self.plan, self.rng)

    def area(self) -> Area:
        """The exit area as somebody would set it on this machine, without the still scene."""
        x, y = self.plan.cup
        lamp_x, lamp_y, lamp = self.plan.lamp
        return exit_area.around(
            float(x), float(y), self.plan.radius, self.size, fps=self.fps,
            patch=(lamp_x - lamp, lamp_y - lamp, 2 * lamp + 1, 2 * lamp + 1),
        )  # fmt: skip

    def still(self, seconds: float) -> Iterator[Frame]:
        """Play so many seconds of an empty cup."""
        yield from self._hold(self._cup(), seconds)

    def play(self, acts: Iterable[Act]) -> Iterator[Frame]:
        """Play the acts, one after the other; their labels are added to `labels`."""
        for act in acts:
            yield from self.still(self._between(self.gap))
            match act.kind:
                case "ball" | "blank":
                    yield from self._ball(act)
                case "two_balls":
                    yield from self._two(act)
                case "hand":
                    yield from self._hand(act)
                case _:
                    yield from self._label(act, self._cup())
        yield from self.still(self._between(self.gap))

    def still_of(self, number: int) -> Frame:
        """Return one frame of a ball that lies there, turned at will."""
        sprite = self.paint(
            self.style, number, rotation=facing(self.rng, self.tilt),
            size=round(2 * self.plan.radius), rng=self.rng,
        )  # fmt: skip
        shown = self._cup()
        self._put(shown, sprite, *(self.rng.uniform(-0.12, 0.12, 2) * self.plan.radius))
        return self._frame(shown)

    def _ball(self, act: Act) -> Iterator[Frame]:
        turn = facing(self.rng, self.tilt)
        shade = int(self.rng.integers(1 << 30))
        off = self.rng.uniform(-0.12, 0.12, 2) * self.plan.radius
        spoiling = int(self.rng.integers(1 << 30))
        size = round(2 * self.plan.radius)
        number = act.number

        def at(x: float, y: float, rolled: float) -> Picture:
            turned = _rolled(rolled) @ turn
            sprite = self.paint(
                self.style, number, rotation=turned, size=size, rng=np.random.default_rng(shade)
            )
            shown = self._cup()
            self._put(shown, sprite, x + off[0], y + off[1])
            return self._spoilt(act.fault, shown, spoiling) if act.fault else shown

        steps = max(2, round(self._between(self.roll) * self.fps))
        start = (MOUTH + 1.1) * self.plan.radius
        for step in range(steps):
            # It slows down as it rolls into the hollow of the cup.
            x = start * (1 - step / steps) ** 2
            yield self._frame(at(x, 0.0, x / self.plan.radius))
        yield from self._label(act, at(0.0, 0.0, 0.0))
        for step in range(1, steps):
            y = (FLAP + 1.2) * self.plan.radius * (step / steps) ** 2
            yield self._frame(at(0.0, y, 0.0))

    def _spoilt(self, fault: str, shown: Picture, seed: int) -> Picture:
        spoilt = spoil(fault, shown, self.plan.radius, seed)
        if fault not in ("blur", "motion"):
            return spoilt
        # The ball is nearer than the machine: it may be blurred before a sharp front.
        near = np.zeros(shown.shape[:2], np.float32)
        cv2.circle(near, self._middle, round(1.6 * self.plan.radius), 1.0, -1)
        soft = cv2.GaussianBlur(near, (0, 0), 0.15 * self.plan.radius)[..., None]
        return np.asarray(shown + (spoilt.astype(np.float32) - shown) * soft, np.uint8)

    def _two(self, act: Act) -> Iterator[Frame]:
        shown = self._cup()
        size = round(2 * self.plan.radius)
        turn = self.rng.uniform(-0.9, 0.9)
        for number, side in ((act.number, -1), (act.other, 1)):
            sprite = self.paint(
                self.style, number, rotation=facing(self.rng, self.tilt), size=size, rng=self.rng
            )
            far = self.plan.radius * self.rng.uniform(0.96, 1.1) * side
            self._put(shown, sprite, far * np.cos(turn), far * np.sin(turn) * 0.8)
        yield from self._label(act, shown)

    def _hand(self, act: Act) -> Iterator[Frame]:
        reach = self.plan.radius
        for step in range(4):
            yield self._frame(self._with_hand((4 - step) * 0.8 * reach))
        yield from self._label(act, self._with_hand(0.0))
        for step in range(4):
            yield self._frame(self._with_hand((step + 1) * 0.8 * reach))

    def _with_hand(self, away: float) -> Picture:
        shown = self._cup()
        high, wide = shown.shape[:2]
        reach = self.plan.radius
        x, y = wide / 2, high / 2 + away
        for finger in range(4):
            tip = (
                round(x + (finger - 1.5) * 0.75 * reach),
                round(y - (0.7 - 0.25 * abs(finger - 1.5)) * reach),
            )
            root = (round(x + (finger - 1.5) * 0.5 * reach), round(y + 1.6 * reach))
            tint = tuple(int(level - 9 * finger) for level in SKIN)
            cv2.line(shown, tip, root, tint, round(0.62 * reach), cv2.LINE_AA)
        palm = (round(x), round(y + 2.2 * reach))
        cv2.ellipse(shown, palm, (round(1.5 * reach), round(1.3 * reach)), 0, 0, 360, SKIN, -1)
        return cv2.GaussianBlur(shown, (0, 0), max(0.6, reach * 0.02))  # type: ignore[return-value]

    def _label(self, act: Act, shown: Picture) -> Iterator[Frame]:
        first, begun = self.index, self.index / self.fps
        rest = self._between(self.rest)
        # Told before it is played: who reads a frame knows the truth about it already.
        self.labels.append(ActTruth(act, first, begun, begun + rest))
        yield from self._hold(shown, rest)
        while self.lasting is not None and self.lasting(act):
            yield self._frame(shown)

    def _hold(self, shown: Picture, seconds: float) -> Iterator[Frame]:
        for _count in range(max(1, round(seconds * self.fps))):
            yield self._frame(shown)

    def _frame(self, shown: Picture) -> Frame:
        """Return the whole frame around what the cup shows, with lamp, bowl and grain."""
        at = self.index / self.fps
        whole = self._front.copy()
        whole[self._top : self._bottom, self._left : self._right] = shown
        if int(at / BLINK) % 2:
            x, y, size = self.plan.lamp
            cv2.circle(whole, (x, y), size, (90, 240, 250), -1)
        self._stir(whole, at)
        frame = Frame(self._grainy(whole), at, self.index)
        self.index += 1
        return frame

    def _stir(self, whole: Picture, at: float) -> None:
        if not self.plan.bowl:
            return
        x, y, size = self.plan.bowl
        for far, speed, start, tint in self._balls:
            turn = start + speed * at
            place = (
                round(x + far * size * np.cos(turn)),
                round(y + far * size * np.sin(turn * 1.3 + far)),
            )
            ball = round(self.plan.radius * 0.6)
            dark = tuple(level * 0.7 for level in tint)
            cv2.circle(whole, place, ball, dark, -1, cv2.LINE_AA)
            lit = (place[0] - ball // 6, place[1] - ball // 6)
            cv2.circle(whole, lit, ball * 3 // 4, tint, -1, cv2.LINE_AA)

    def _grainy(self, whole: Picture) -> Picture:
        if self._noise is None:
            return whole
        more, less = self._noise
        wide, high = self.size
        x, y = self.rng.integers(0, 64, 2)
        cv2.add(whole, more[y : y + high, x : x + wide], dst=whole)
        x, y = self.rng.integers(0, 64, 2)
        return cv2.subtract(whole, less[y : y + high, x : x + wide], dst=whole)  # type: ignore[return-value]

    def _cup(self) -> Picture:
        return self._front[self._top : self._bottom, self._left : self._right].copy()

    def _put(self, shown: Picture, sprite: tuple[Picture, Reals], x: float, y: float) -> None:
        """Lay a ball over the cup, `x` and `y` off its middle; the front hides what lies beyond."""
        ball, cover = sprite
        size = ball.shape[0]
        left = round(self.plan.cup[0] - self._left + x - size / 2)
        top = round(self.plan.cup[1] - self._top + y - size / 2)
        right = min(left + size, round(self.plan.cup[0] - self._left + MOUTH * self.plan.radius))
        bottom = min(top + size, round(self.plan.cup[1] - self._top + FLAP * self.plan.radius))
        right, bottom = min(right, shown.shape[1]), min(bottom, shown.shape[0])
        first_x, first_y = max(0, left), max(0, top)
        if right <= first_x or bottom <= first_y:
            return
        cut = (slice(first_y - top, bottom - top), slice(first_x - left, right - left))
        under = shown[first_y:bottom, first_x:right]
        mixed = under + (ball[cut].astype(np.float32) - under) * cover[cut][..., None]
        shown[first_y:bottom, first_x:right] = mixed.astype(np.uint8)

    def _between(self, span: tuple[float, float]) -> float:
        return float(self.rng.uniform(*span))


def _rolled(angle: float) -> np.ndarray:
    """Return the turn of a ball that has yet to roll by `angle` radians to the left."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]])


def _noise(
    size: tuple[int, int], grain: float, rng: np.random.Generator
) -> tuple[Picture, Picture] | None:
    """Return what grain adds and takes, larger than a frame: each frame uses another part of it."""
    if not grain:
        return None
    shape = (size[1] + 64, size[0] + 64, 3)
    drawn = np.abs(rng.normal(0, grain, (2, *shape))).round().astype(np.uint8)
    return drawn[0], drawn[1]


def _balls(
    plan: style.ScenePlan, rng: np.random.Generator
) -> list[tuple[float, float, float, tuple[int, int, int]]]:
    """Return the balls in the bowl: how far out, how fast, where they begin, and their colour."""
    found = []
    for _ball in range(22 if plan.bowl else 0):
        blue, green, red = (int(level) for level in rng.integers(60, 256, 3))
        found.append(
            (float(rng.uniform(0.1, 0.58)), float(rng.uniform(2, 5)), float(rng.uniform(0, 6.3)),
             (blue, green, red))
        )  # fmt: skip
    return found
