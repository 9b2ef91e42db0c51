"""Enrol balls whose numbers are given: take several pictures of each, and read them as in a game.

`measure_measurement` says what they prove of the reader: right, refused and wrong, and how sure it
must be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bingo.rules.refusal import Refusal
from draws.balls.vision import calibration, jpeg_pictures, tracking
from draws.balls.vision.balls_in_files import SHARES, look, look_again, whole_spots
from draws.balls.vision.exit_area import Area
from draws.balls.vision.facing import has_other_way_up, other_way_up, taken_for
from draws.balls.vision.finding import Finder
from draws.balls.vision.network import Glance
from draws.balls.vision.tracking import ExitState, FrameChange, Rest
from draws.balls.vision.values import Frame, Picture, Reals, Spot
from draws.balls.vision.verdict import FROZEN, ReadingVerdict, verdict
from draws.balls.vision.watching import BallReader

MOST = 6  # pictures of one stay
GLANCES = 3  # looks at one pose, on frames that follow each other
OTHER_POSE = 0.88  # correlation with an earlier pose below which it is another one
REACH = 1.25  # radii of a ball's picture
SURELY = 0.5  # share from which a number read means something
TROUBLES = {FrameChange.SEVERAL: "two_balls", FrameChange.OTHER: "hand"}


@dataclass(frozen=True, slots=True)
class Pose:
    """One picture of a ball that rests: `spot` in that picture's own pixels, `picture` its JPEG.

    `plain` reads a 6 printed as 6, `padded` one printed as 06. Poses of one `stay` are of one ball.
    `guess` is the number read whether or not the set has it, None where nothing was; it, `marked`
    and `angle` are as the reader of the set sees them, which `zeros` tells.
    """

    stay: int
    plain: ReadingVerdict
    padded: ReadingVerdict
    guess: int | None
    marked: float
    angle: float
    spot: Spot
    picture: bytes
    at: float
    frame: int


class Eyes(Protocol):
    """The same reader twice, for sets that print 6 and for those that print 06."""

    @property
    def plain(self) -> BallReader:
        """Reads 6 as 6."""

    @property
    def padded(self) -> BallReader:
        """Reads 06 as 6 too."""


class Enroller:
    """One camera before which balls are shown; keeps nothing that grows.

    `trouble` is what lies there that is no single ball: two_balls, hand, or nothing.
    """

    def __init__(self, area: Area, *, format: int, zeros: bool, eyes: Eyes) -> None:
        """Prepare to look at an area for the balls of a format, whose single figures have `zeros`."""
        self.area, self.format, self.zeros = area, format, zeros
        self.stay = 0
        self.trouble = ""
        self._eyes = eyes
        self._finder = Finder(area)
        self._rest = Rest()
        self._poses: list[Reals] = []
        self._number: int | None = None
        self._plain: list[Glance] = []
        self._padded: list[Glance] = []

    def see(self, frame: Frame) -> list[Pose]:
        """Take the next frame; return the pose that it completed, if any.

        Raises Refusal resolution_changed(width, height) when it is not of the area's size.
        """
        height, width = frame.picture.shape[:2]
        if (width, height) != self.area.size:
            raise Refusal("resolution_changed", width=width, height=height)
        sight = self._finder.look(self._finder.crop(frame.picture))
        moment = self._rest.see(sight, frame.picture, frame.at)
        self.trouble = TROUBLES.get(moment, self.trouble) if moment else self.trouble
        if sight.kind in ("empty", "ball"):
            self.trouble = ""
        if self._rest.state is ExitState.EMPTY:
            self._begin()
        if self._rest.state is ExitState.RESTING and sight.spot:
            return self._look(frame, sight.spot)
        self._plain, self._padded = [], []
        return []

    def _begin(self) -> None:
        """The next ball is another one."""
        self._poses, self._number = [], None

    def _look(self, frame: Frame, spot: Spot) -> list[Pose]:
        seen = look_of(frame.picture, spot)
        if len(self._poses) >= MOST or any(
            tracking.correlation(seen, pose) > OTHER_POSE for pose in self._poses
        ):
            return []
        self._plain.append(self._glance(self._eyes.plain, frame.picture, spot, self._plain))
        self._padded.append(self._glance(self._eyes.padded, frame.picture, spot, self._padded))
        if len(self._plain) < GLANCES:
            return []
        pose = self._pose(frame, spot)
        self._poses.append(seen)
        self._plain, self._padded = [], []
        return [pose]

    def _glance(self, eye: BallReader, shown: Picture, spot: Spot, before: list[Glance]) -> Glance:
        near = before[0].angle if before and before[0].number is not None else None
        return eye.look(shown, centre=spot.centre, radius=spot.radius, near=near, turn=len(before))

    def _pose(self, frame: Frame, spot: Spot) -> Pose:
        guess = _best(self._padded if self.zeros else self._plain)
        if not self._poses:
            self.stay += 1
        else:
            self._split(guess)
        self._number = guess or self._number
        return _pose(
            frame, spot, self._plain, self._padded, stay=self.stay, format=self.format,
            zeros=self.zeros,
        )  # fmt: skip

    def _split(self, number: int | None) -> None:
        """Begin another stay where a hand put another ball in the place of the first, unseen."""
        if None in (number, self._number):
            return
        if number != self._number and number != other_way_up(self._number or 0, zeros=True):
            self._begin()
            self.stay += 1


def posed(frame: Frame, *, stay: int, format: int, zeros: bool, eyes: Eyes) -> Pose:
    """Read a picture that shows one ball and nothing is known of, as `balls_in_files` does."""
    found = calibration.suggest(frame.picture, at_most=1, shares=SHARES)
    spot = (found or whole_spots(frame.picture))[0]
    plain, padded = (
        look_again(eye, frame.picture, spot, look(eye, frame.picture, spot))
        for eye in (eyes.plain, eyes.padded)
    )
    return _pose(frame, spot, plain, padded, stay=stay, format=format, zeros=zeros)


def _pose(
    frame: Frame, spot: Spot, plain: list[Glance], padded: list[Glance], *,
    stay: int, format: int, zeros: bool,
) -> Pose:  # fmt: skip
    cut, place = cut_out(frame.picture, spot)
    used = padded if zeros else plain
    best = max(used, key=lambda glance: glance.confidence)
    return Pose(
        stay=stay, plain=verdict(plain, format=format),
        padded=verdict(padded, format=format, zeros=True), guess=_best(used),
        marked=min(glance.marked for glance in used), angle=best.angle, spot=place,
        picture=jpeg_pictures.whole(cut), at=frame.at, frame=frame.index
    )  # fmt: skip


def cut_out(shown: Picture, spot: Spot, *, widest: int = 160) -> tuple[Picture, Spot]:
    """Return a ball's own small picture, at most `widest` pixels a side, and where it is in it."""
    reach = round(spot.radius * REACH)
    left, top = max(0, round(spot.x) - reach), max(0, round(spot.y) - reach)
    cut = shown[top : round(spot.y) + reach, left : round(spot.x) + reach]
    scale = min(1.0, widest / max(cut.shape[:2]))
    # The middle of a large pixel lies half a pixel off its corner, and so does that of a small one.
    x, y = ((at + 0.5) * scale - 0.5 for at in (spot.x - left, spot.y - top))
    return jpeg_pictures.smaller(cut, scale), Spot(x, y, spot.radius * scale)


def look_of(shown: Picture, spot: Spot) -> Reals:
    """Return a ball small and grey with mean 0, (LOOK, LOOK), its inner square."""
    grey = tracking.look_of(shown, spot, reach=0.7)
    return np.asarray(grey - grey.mean(), np.float32)


def _best(glances: list[Glance]) -> int | None:
    """Return the number that the looks at a pose agree on, if they are sure enough to mean anything."""
    numbers = {glance.number for glance in glances if glance.confidence >= SURELY}
    return numbers.pop() if len(numbers) == 1 else None


BUILT_IN = round(
    FROZEN.sure * 1000
)  # per mille: no certificate lets a reader be less sure than this
HIGHEST = 990  # per mille: a wrong reading surer than this is held back by no threshold
NEVER = 0
SEEN = 200  # per mille of a second number from which a pair is worth naming
PAIRS = 24


@dataclass(frozen=True, slots=True)
class ReadPicture:
    """What was read on one picture: the number given or None, its share and others' per mille."""

    number: int | None
    confidence: int
    reason: str
    candidates: tuple[tuple[int, int], ...]

    def share(self, number: int) -> int:
        """Return how likely a number was, per mille."""
        return dict(self.candidates).get(number, 0)


@dataclass(frozen=True, slots=True)
class Proof:
    """One picture of a ball whose `number` is known, read both ways; `marked` per mille."""

    number: int
    plain: ReadPicture
    padded: ReadPicture
    marked: int


@dataclass(frozen=True, slots=True)
class NumberReadings:
    """How the pictures of one number were read."""

    number: int
    pictures: int
    right: int
    refused: int
    wrong: int
    least: int


@dataclass(frozen=True, slots=True)
class ConfusedPair:
    """A ball, the other number it was taken for or doubted as, and on how many of its pictures."""

    number: int
    other: int
    times: int


@dataclass(frozen=True, slots=True)
class Measured:
    """The reader on a set before a camera, at the sureness built in.

    `threshold` per mille from which a ball may be announced by itself, NEVER where none may;
    `announced` the pictures right at it. `zeros` whether 6 is printed as 06, None where it cannot
    be told. `unmarked` are the numbers that read as another upside down and whose mark is not seen.
    """

    tallies: tuple[NumberReadings, ...]
    missing: tuple[int, ...]
    pairs: tuple[ConfusedPair, ...]
    threshold: int
    announced: int
    zeros: bool | None
    marked: tuple[int, ...]
    unmarked: tuple[int, ...]

    def total(self, name: str) -> int:
        """Return the sum of a field of all tallies."""
        return sum(int(getattr(tally, name)) for tally in self.tallies)


def read_measurement(found: ReadingVerdict) -> ReadPicture:
    """Return a verdict in whole numbers, as it is kept."""
    return ReadPicture(
        found.number,
        round(found.confidence * 1000),
        found.reason,
        tuple((number, round(share * 1000)) for number, share in found.candidates),
    )


def measure_measurement(
    proofs: Sequence[Proof], *, numbers: Iterable[int], zeros: bool
) -> Measured:
    """Measure the reader on pictures of known balls; `numbers` are those of the whole set.

    It reads as games do: `zeros` is how the set is registered, whatever is found to be printed.
    """
    used = [(proof.number, proof.padded if zeros else proof.plain) for proof in proofs]
    threshold = least_sure(used)
    given = [found for number, found in used if threshold and found.number == number]
    marked, unmarked = _marks(proofs, zeros=zeros)
    return Measured(
        tallies=tuple(_tally(number, used) for number in sorted({one for one, _read in used})),
        missing=tuple(sorted(set(numbers) - {number for number, _read in used})),
        pairs=_pairs(used),
        threshold=threshold,
        announced=sum(found.confidence >= threshold for found in given),
        zeros=prints_zeros(proofs),
        marked=marked,
        unmarked=unmarked,
    )


def least_sure(used: Sequence[tuple[int, ReadPicture]]) -> int:
    """Return the least confidence, per mille, at which none of the balls is read wrong.

    Never below the one built in; NEVER where nothing was read right at it, or where a wrong reading
    was so sure that no threshold holds it back.
    """
    wrong = [found.confidence for number, found in used if found.number not in (None, number)]
    needed = max([BUILT_IN, *(confidence + 1 for confidence in wrong)])
    right = any(found.number == number and found.confidence >= needed for number, found in used)
    return needed if right and needed <= HIGHEST else NEVER


def prints_zeros(proofs: Iterable[Proof]) -> bool | None:
    """Return whether the set prints 06 for 6: its single figures are read only so; None: not told."""
    votes: Counter[bool] = Counter()
    for proof in proofs:
        if proof.number > 9:
            continue
        plain, padded = proof.plain.share(proof.number), proof.padded.share(proof.number)
        if plain >= 500:
            votes[False] += 1
        elif padded >= 500 and plain * 2 < padded:
            votes[True] += 1
    return votes[True] > votes[False] if votes else None


def _tally(number: int, used: Sequence[tuple[int, ReadPicture]]) -> NumberReadings:
    found = [one for shown, one in used if shown == number]
    right = [one.confidence for one in found if one.number == number]
    refused = sum(one.number is None for one in found)
    return NumberReadings(
        number, len(found), len(right), refused, len(found) - len(right) - refused,
        min(right, default=0)
    )  # fmt: skip


def _pairs(used: Sequence[tuple[int, ReadPicture]]) -> tuple[ConfusedPair, ...]:
    times: Counter[tuple[int, int]] = Counter()
    for number, found in used:
        if found.number not in (None, number):
            times[number, int(found.number or 0)] += 1
            continue
        doubts = {other for other, share in found.candidates if share >= SEEN and other != number}
        if found.reason == "no_mark" and (turned := taken_for(number)):
            doubts.add(turned)
        times.update((number, other) for other in doubts)
    best = sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))[:PAIRS]
    return tuple(ConfusedPair(number, other, count) for (number, other), count in best)


def _marks(proofs: Iterable[Proof], *, zeros: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers that need a mark at their foot: those where it is mostly seen, and the rest."""
    seen: dict[int, list[bool]] = {}
    for proof in proofs:
        if has_other_way_up(proof.number, zeros=zeros):
            seen.setdefault(proof.number, []).append(proof.marked >= FROZEN.marked * 1000)
    mostly: Mapping[int, bool] = {number: sum(one) * 2 > len(one) for number, one in seen.items()}
    told = sorted(mostly)
    return tuple(n for n in told if mostly[n]), tuple(n for n in told if not mostly[n])
