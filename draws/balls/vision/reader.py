"""Read one picture of one ball: a number is located, faced and read, with how sure one may be.

Two trained networks do it: one says where a number stands on a ball, the other reads it there.
`ReaderPair` is the reader twice, once for each way a set may print its single figures.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from draws.balls.vision import facing, second_look, third_look
from draws.balls.vision.facing import NumberPlace
from draws.balls.vision.network import (
    NUMBERS,
    TENS,
    UNITS,
    Glance,
    Network,
    Scores,
    number_shares,
    sureness,
)
from draws.balls.vision.second_look import SecondLook
from draws.balls.vision.third_look import ThirdLook

FOLDER = Path(__file__).parent
LOCATOR = FOLDER / "locator.onnx"
# Taught apart: what one takes for another number, in a typeface that is new to it, the next does not.
READERS = tuple(FOLDER / f"reader{each}.onnx" for each in (1, 2, 3))
ALL = (LOCATOR, *READERS, *second_look.NETWORKS)
Picture = NDArray[np.uint8]

STEP = 30.0  # degrees between two looks of the search; the locator finds what is 20 askew
ASKEW, USUAL = 20.0, 0.55  # degrees and ball radii that the locator tells its findings by
SEEN = 0.15  # how likely upright a look must be for its number to be read
MOST = 4  # places read
SEEN_HARDLY, MANY = 0.02, 6  # the same for a third look
SAME = 0.3, 25.0  # ball radii and degrees within which two places are one
# Degrees and scales at which a place is read.
NUDGES = ((0.0, 1.0), (-7.0, 1.08), (7.0, 0.93))


@dataclass(frozen=True, slots=True)
class Looks:
    """What looks at places come to: shares (places, looks, 100), mark, glare and sharpness (places,)."""

    shares: Scores
    marked: Scores
    glare: Scores
    sharp: Scores


class Eye:
    """Reads balls with the networks; not to be shared between threads.

    `zeros`: the balls read 06, not 6. Who says so of a set that has none would have 90, upside
    down, doubted for nothing; who keeps silent of one that has would have 06 read as 90.
    """

    def __init__(
        self, locator: Path = LOCATOR, readers: Sequence[Path] = READERS, *, zeros: bool = False
    ) -> None:
        self._locator, self._readers = Network(locator), [Network(reader) for reader in readers]
        self._zeros = zeros
        self._second: SecondLook | None = None
        self._third: ThirdLook | None = None

    def look_closely(
        self, picture: Picture, *, centre: tuple[float, float], radius: float, first: Glance
    ) -> Sequence[Glance]:
        """Look a second time at a ball that is left in doubt, by networks that see it whole."""
        return self.second.look(picture, centre=centre, radius=radius, first=first)

    def spell(
        self, picture: Picture, *, centre: tuple[float, float], radius: float
    ) -> Scores | None:
        """Return each number's share (100,) to a recogniser of text, None where there is none."""
        file = third_look.model()
        if file is None:
            return None
        self._third = self._third or ThirdLook(file, zeros=self._zeros)
        angles = np.arange(0.0, 360.0, STEP)
        shown = facing.turned(picture, angles, centre=centre, radius=radius)
        places = _places(self._locator.look(shown), angles, seen=SEEN_HARDLY, most=MANY)
        return self._third.look(picture, places, centre=centre, radius=radius)

    @property
    def second(self) -> SecondLook:
        """Return the second look, whose networks are loaded once somebody asks for it."""
        self._second = self._second or SecondLook(zeros=self._zeros)
        return self._second

    def look(
        self,
        picture: Picture,
        *,
        centre: tuple[float, float],
        radius: float,
        near: float | None = None,
        turn: int = 0,
    ) -> Glance:
        """Read the ball at this centre and radius, in pixels, of a picture (h, w, 3) in BGR.

        `near`, an angle found before, has only its neighbourhood searched. `turn` counts the
        glances at one ball, from 0: the readers take turns.
        """
        reader = self._readers[turn % len(self._readers)]
        angles = np.arange(0.0, 360.0, STEP) if near is None else near + np.array([-8.0, 8.0])
        shown = facing.turned(picture, angles, centre=centre, radius=radius)
        places = _places(self._locator.look(shown), angles)
        if not places:
            return Glance(None, 0.0, None, 0.0, 0.0, 0.0, np.zeros(NUMBERS))
        looks = self._read(reader, picture, places, centre, radius)
        # A number's share is what all looks at a place come to.
        each = looks.shares.mean(axis=1)
        behind = places[int(each.max(axis=1).argmax())].upside_down
        if near is None and not any(_is_same(behind, place) for place in places):
            # The locator may not have seen that this 67 is a 49 from there: one clear look will do.
            other = self._read(reader, picture, [behind], centre, radius)
            return _glance(
                [*places, behind], np.concatenate([each, other.shares.max(axis=1)]), looks, other
            )
        return _glance(places, each, looks)

    def _read(
        self,
        reader: Network,
        picture: Picture,
        places: Sequence[NumberPlace],
        centre: tuple[float, float],
        radius: float,
    ) -> Looks:
        """Read all places at once, each a little turned and scaled too."""
        seen = [
            facing.faced(picture, _nudged(place, *nudge), centre=centre, radius=radius)
            for place in places
            for nudge in NUDGES
        ]
        faces = np.stack(seen)
        plain = facing.plain(faces)
        scores = reader.look(plain)
        blown = facing.blown_beside(faces)
        shares = number_shares(scores, 1 - blown, zeros=self._zeros)
        shares *= sureness(scores[:, TENS + UNITS])[:, None]
        marked = sureness(scores[:, TENS + UNITS + 1])
        return Looks(
            shares.reshape(len(places), len(NUDGES), NUMBERS),
            marked.reshape(len(places), -1).mean(axis=1),
            blown.reshape(len(places), -1).max(axis=1),
            facing.sharpness(plain).reshape(len(places), -1).mean(axis=1),
        )


def _glance(places: Sequence[NumberPlace], each: Scores, *looks: Looks) -> Glance:
    # A number is as likely as the place where it is clearest.
    weights = each.max(axis=0)
    first, second = (int(number) for number in np.argsort(-weights)[:2])
    best = int(each[:, first].argmax())
    marked = np.concatenate([some.marked for some in looks])
    behind = places[best].upside_down
    heads = [float(marked[at]) for at, place in enumerate(places) if _is_same(behind, place)]
    return Glance(
        number=first,
        confidence=float(weights[first]),
        runner_up=second,
        second=float(weights[second]),
        angle=places[best].angle,
        marked=float(marked[best]),
        weights=weights,
        glare=float(np.concatenate([some.glare for some in looks])[best]),
        sharp=float(np.concatenate([some.sharp for some in looks])[best]),
        places=tuple(places),
        each=each,
        headed=max(heads, default=0.0),
    )


def _places(
    scores: Scores, angles: NDArray[np.float64], *, seen: float = SEEN, most: int = MOST
) -> list[NumberPlace]:
    """Return where numbers stand, the likeliest first, each once."""
    upright = sureness(scores[:, 0])
    found: list[NumberPlace] = []
    for look in np.argsort(-upright):
        if upright[look] < seen or len(found) == most:
            break
        place = _place(scores[look], float(angles[look]))
        if not any(_is_same(place, other) for other in found):
            found.append(place)
    return found


def _place(told: Scores, angle: float) -> NumberPlace:
    """Return where a look found a number, in the picture as it was before it was turned."""
    _upright, askew, x, y, tall = (float(one) for one in told)
    turn = math.radians(angle)
    towards = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
    far = max(1.0, math.hypot(*towards) / 0.9)
    return NumberPlace(
        (angle + max(-1.0, min(1.0, askew)) * ASKEW) % 360,
        (towards[0] / far, towards[1] / far),
        USUAL * math.exp(max(-1.5, min(1.0, tall))),
    )


def _is_same(place: NumberPlace, other: NumberPlace) -> bool:
    apart = math.dist(place.towards, other.towards)
    turned = abs((place.angle - other.angle + 180) % 360 - 180)
    return apart < SAME[0] and turned < SAME[1]


def _nudged(place: NumberPlace, turn: float, scale: float) -> NumberPlace:
    return NumberPlace(place.angle + turn, place.towards, place.tall * scale)


class ReaderPair:
    """`plain` reads a 6 as 6, `padded` a 06 too; not to be shared between threads."""

    def __init__(self) -> None:
        """Load the networks for both."""
        self.plain = Eye()
        self.padded = Eye(zeros=True)


def is_taught(*networks: Path) -> bool:
    """Return whether the networks to read by are there; by default those of the reader."""
    return all(network.is_file() for network in networks or ALL)


def readers_digest() -> str:
    """Return the SHA-256 of all the networks in hex, by which a certificate names the reader."""
    digested = hashlib.sha256()
    for network in networks():
        digested.update(network.read_bytes())
    return digested.hexdigest()


def networks() -> tuple[Path, ...]:
    """Return the files of all networks that read here, the third look's only where it is there."""
    recogniser = third_look.model()
    return (*ALL, recogniser) if recogniser else ALL
