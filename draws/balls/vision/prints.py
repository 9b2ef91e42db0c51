"""Give a second opinion on a ball by the prints of the set's own balls, as a person named them.

`Prints` compare a ball with those; the `Opinion` is what they say of its number, and how clearly.

It is never trained: what stands where the networks find a number is compared with what stood there
on the balls of the enrolment. It errs otherwise than the networks do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from draws.balls.vision import print_match
from draws.balls.vision.facing import NumberPlace, has_other_way_up, with_less, with_more
from draws.balls.vision.network import Glance
from draws.balls.vision.print_match import Pose, Relief
from draws.balls.vision.values import Picture, Reals, Spot

LEGIBLE = 0.15  # the share from which a number is taken to stand where it is clearest
PLACES = 2  # of a ball that are compared, each the other way up too
LIKELY = 3  # numbers whose places these are
CLOSELY = 8  # numbers that are compared closely
EACH = 2  # prints of one number that are
RIVALS = 3  # numbers that the likest is measured against
APART = 0.02  # two prints differ by so much at least
TOGETHER = 8  # reliefs made in one step
TWO = 10  # numbers from here on have two figures
GLARING = 0.02  # of one side blown out, from which a part of a number may be
MARKED = 0.5  # how surely a picture shows a mark at the foot, or at the head
# In which part of the pictures of what turns a mark shows, if the set marks it, and if it does not.
MARKING, UNMARKING = 0.6, 0.45

# docs/reading-balls.md says how these were chosen, and what they let through.
AGREES = 0.65  # likeness from which a ball may be one that is known
DIFFERS = 0.70  # likeness to another number from which one is doubted
AHEAD = 0.05  # by how much of the difference to any other number it must lead to be given
CONTRARY = 0.25  # likewise, to speak against a number that the networks would give
# Likeness that it takes, with such a lead, where another number is nearly the same print.
SURELY = 0.92
# Likeness and lead from which prints are heard on which way up a ball lies.
UPRIGHT, UPRIGHT_AHEAD = 0.90, 0.30
# What a lead and the networks' share weigh together, and how sure both must be.
LED, SHARED, BOTH, ENOUGH = 7.0, 0.8, 2.0, 0.924
LEAST = 0.001  # a share that weighs no less
# By how much it must lead before what it would be if light had washed a part of it out.
UNWASHED = 0.07

Shown = tuple[int, Picture, Spot]  # a ball's number, a picture of it, and where it is in that


@dataclass(frozen=True, slots=True)
class Opinion:
    """The number whose prints a ball is likest, how like from -1 to 1, and its lead.

    A lead of 1 is all that two prints differ by, 0 none of it. `known` are the numbers compared;
    `unwashed` is its lead, where nothing is washed out, before numbers that have more print;
    `marked` tells whether the set's own ball of that number bears a mark at the foot, `unmarked`
    whether none of the set does.
    """

    number: int
    likeness: float
    lead: float
    known: frozenset[int]
    unwashed: float = 1.0
    marked: bool = False
    unmarked: bool = False

    def is_of(self, number: int) -> bool:
        """Return whether it says this number, be it hardly."""
        return self.number == number and self.likeness >= AGREES and self.lead >= AHEAD

    def sureness(self, share: float) -> float:
        """Return how sure its number is, 0 to 1, of which the networks' share is 0 to 1."""
        share = min(max(share, LEAST), 1 - LEAST)
        weight = LED * self.lead + SHARED * math.log(share / (1 - share)) + BOTH
        return 1 / (1 + math.exp(-weight))

    def settles(self, share: float) -> bool:
        """Return whether its number may be given: the smaller the share, the farther it must lead."""
        sure = self.is_of(self.number) and self.sureness(share) >= ENOUGH
        return sure and self.unwashed >= UNWASHED

    def is_surely(self, number: int) -> bool:
        """Return whether it says this number beyond what another's print may be taken for."""
        return self.number == number and self.likeness >= SURELY and self.lead >= CONTRARY

    def is_upright(self) -> bool:
        """Return whether it is clear on its number beyond what that is upside down."""
        return self.likeness >= UPRIGHT and self.lead >= UPRIGHT_AHEAD

    def is_against(self, number: int) -> bool:
        """Return whether it says another number, and says it clearly."""
        return self.number != number and self.likeness >= DIFFERS and self.lead >= CONTRARY


class PrintReader(Protocol):
    """What reads a ball whose place is known: `draws.balls.vision.reader.Eye`."""

    def look(self, picture: Picture, *, centre: tuple[float, float], radius: float) -> Glance:
        """Read one picture of a ball."""


@dataclass(frozen=True, slots=True)
class _Print:
    number: int
    relief: Relief
    core: Reals
    coarse: Reals


class Prints:
    """Those of one set before one camera; `compare` gives an opinion. Holds nothing that grows."""

    def __init__(
        self,
        found: Iterable[tuple[int, Relief]],
        *,
        reach: float,
        marked: frozenset[int] = frozenset(),
        unmarked: bool = False,
    ) -> None:
        """Keep the reliefs of numbers, made at this reach in ball radii.

        `marked` are those whose balls bear a mark at the foot; `unmarked` says that none does.
        """
        self.reach, self._marked, self._unmarked = reach, marked, unmarked
        self._prints = [_Print(number, each, each.core(), each.coarse()) for number, each in found]
        self.numbers = frozenset(each.number for each in self._prints)
        # Light on light print adds strokes, on dark print it takes them.
        self._is_light = float(np.mean([each.core**3 for each in self._prints])) > 0
        self._coarse = np.stack([each.coarse for each in self._prints])
        self._alike: dict[tuple[int, int], float] = {}

    def compare(self, picture: Picture, spot: Spot, glance: Glance) -> Opinion | None:
        """Say which number a ball is, of which `glance` was had; None where nothing was found."""
        planes = [
            print_match.relief(picture, place, spot, reach=self.reach) for place in _places(glance)
        ]
        if not planes:
            return None
        order = sorted(self._closely(planes, glance).items(), key=lambda one: -one[1])
        (first, like), rivals = order[0], order[1 : RIVALS + 1]
        lead = min((self._lead(first, like, *rival) for rival in rivals), default=0.0)
        unwashed = self._unwashed(first, picture, spot, glance) if _is_lit(glance) else 1.0
        marked = first in self._marked
        return Opinion(first, like, lead, self.numbers, unwashed, marked, self._unmarked)

    def _unwashed(self, number: int, picture: Picture, spot: Spot, glance: Glance) -> float:
        """Return by how much a number leads, where light washed nothing out, those with more print."""
        others = with_more(number) | (with_less(number) if self._is_light else frozenset())
        more = others & self.numbers
        likes = dict.fromkeys((number, *more), -1.0)
        compared = [each for each in self._prints if each.number in likes]
        for place in _places(glance):
            parted = print_match.unwashed(picture, place, spot, reach=self.reach)
            for known, like in zip(compared, _likes_of_left(*parted, compared), strict=True):
                likes[known.number] = max(likes[known.number], like)
        ours = likes.pop(number)
        return min((self._lead(number, ours, *other) for other in likes.items()), default=1.0)

    def _closely(self, planes: Sequence[Relief], glance: Glance) -> dict[int, float]:
        """Return the likest numbers, and those that the networks find likely, with their likeness."""
        looked = [self._roughly(plane) for plane in planes]
        rough = np.stack([fits for fits, _poses in looked])
        wanted = {int(number) for number in np.argsort(-glance.weights)[:LIKELY]}
        found: dict[int, list[float]] = {}
        for place in np.argsort(-rough.max(axis=0)):
            known = self._prints[place]
            if known.number not in found and len(found) >= CLOSELY and known.number not in wanted:
                continue
            likes = found.setdefault(known.number, [])
            if len(likes) < EACH:
                side = int(rough[:, place].argmax())
                likes.append(planes[side].closest(known.core, looked[side][1][place]))
        return {number: max(likes) for number, likes in found.items()}

    def _roughly(self, plane: Relief) -> tuple[Reals, list[Pose]]:
        """Return how like a relief is to each print, and at which pose."""
        rows, poses = plane.roughly()
        fits = print_match.likeness(rows, self._coarse)
        return fits.max(axis=0), [poses[int(best)] for best in fits.argmax(axis=0)]

    def _lead(self, number: int, like: float, other: int, less: float) -> float:
        """Return by how much a number is likelier than another, as a part of how they differ.

        What is wholly the one has 1, what is as much the other has 0, however alike the two are.
        """
        key = (number, other)
        if key not in self._alike:
            self._alike[key] = self._likeness(number, other)
        return (like - less) / max(APART, 1 - self._alike[key])

    def _likeness(self, number: int, other: int) -> float:
        ours, theirs = (
            [each for each in self._prints if each.number == wanted][:EACH]
            for wanted in (number, other)
        )
        return max(one.relief.closest(two.core) for one in ours for two in theirs)


class _Marks:
    """Which balls of a set bear a mark; a set marks all that turns or nothing.

    A ring looks like a mark here and there, a mark is missed in some pictures: the set's pictures
    tell together.
    """

    def __init__(self) -> None:
        self._always: dict[int, bool] = {}
        self._turning: list[bool] = []

    def see(self, number: int, glance: Glance) -> None:
        """Take a picture of a ball of that number."""
        seen = glance.marked >= MARKED
        self._always[number] = self._always.get(number, True) and seen
        if has_other_way_up(number):
            self._turning.append(seen and glance.headed < MARKED)

    def numbers(self) -> frozenset[int]:
        """Return those of which each picture shows a mark, if the set marks any."""
        if self._share() < MARKING:
            return frozenset()
        return frozenset(number for number, always in self._always.items() if always)

    def are_none(self) -> bool:
        """Return whether the set marks none, as far as its balls were shown."""
        return bool(self._turning) and self._share() < UNMARKING

    def _share(self) -> float:
        return sum(self._turning) / max(1, len(self._turning))


def learning(shown: Iterable[Shown], eye: PrintReader) -> Iterator[Prints | None]:
    """Learn pictures of balls that were named: None after each small step, the prints at the end.

    A step takes some hundredths of a second, so that a camera can be watched meanwhile. None comes
    last too where no picture is legible.
    """
    found: list[tuple[Shown, NumberPlace]] = []
    marks = _Marks()
    for one in shown:
        number, picture, spot = one
        glance = eye.look(picture, centre=spot.centre, radius=spot.radius)
        marks.see(number, glance)
        place = _standing(number, glance)
        if place:
            found.append((one, place))
        yield None
    tall = [place.tall for (number, *_ball), place in found if number >= TWO]
    if not tall:
        return
    reach = float(np.median(tall))
    planes: list[tuple[int, Relief]] = []
    for (number, picture, spot), place in found:
        planes.append((number, print_match.relief(picture, place, spot, reach=reach)))
        if len(planes) % TOGETHER == 0:
            yield None
    yield Prints(planes, reach=reach, marked=marks.numbers(), unmarked=marks.are_none())


def learned(shown: Iterable[Shown], eye: PrintReader) -> Prints | None:
    """Learn them at once; None where no picture is legible."""
    last: Prints | None = None
    for last in learning(shown, eye):  # noqa: B007 (the last is what is wanted)
        pass
    return last


def _standing(number: int, glance: Glance) -> NumberPlace | None:
    """Return where a ball's number stands, None where it is nowhere legible."""
    if not glance.places or glance.each is None:
        return None
    best = int(glance.each[:, number].argmax())
    return glance.places[best] if glance.each[best, number] >= LEGIBLE else None


def _is_lit(glance: Glance) -> bool:
    return glance.glare > GLARING


def _likes_of_left(seen: Relief, left: Relief, compared: Sequence[_Print]) -> list[float]:
    """Return how like each print is to what is left of a relief, at its best pose."""
    (rows, poses), (weights, _same) = seen.about(), left.about()
    halves = np.stack([each.relief.plain(half=True) for each in compared])
    rough = print_match.likeness_of_left(rows, weights, halves)
    likes = []
    for print_, fits in zip(compared, rough.T, strict=True):
        pose, best = poses[int(fits.argmax())], -1.0
        core = print_.relief.plain()[None]
        for step in print_match.CLOSER:
            (near, poses_near), (weight, _same) = seen.near(pose, *step), left.near(pose, *step)
            closer = print_match.likeness_of_left(near, weight, core)[:, 0]
            pose, best = poses_near[int(closer.argmax())], max(best, float(closer.max()))
        likes.append(best)
    return likes


def _places(glance: Glance) -> list[NumberPlace]:
    """Return the places of the likeliest numbers, and each the other way up."""
    if not glance.places or glance.each is None:
        return []
    likely = np.argsort(-glance.each.max(axis=0))[:LIKELY]
    order = dict.fromkeys(int(glance.each[:, number].argmax()) for number in likely)
    found = [glance.places[place] for place in order][:PLACES]
    return [each for place in found for each in (place, place.upside_down)]
