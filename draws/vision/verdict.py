"""What the glances at one ball come to: a number, or why somebody must be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from draws.vision.glance import Glance
from draws.vision.marks import other_way_up, taken_for
from draws.vision.network import Scores

GUESSES = 4
FEWEST = 0.01  # a share worth telling a caller
LEGIBLE = 0.30  # a share under which nothing was legible at all
# As much blown out beside a number, of the one side, as a figure may lack and be another to anybody.
GLARE = 0.15
# Figures that in some typeface are others upside down: 44 is 77 there, and 49 is 67.
TURNING = frozenset("146789")
# How many times as sure one must be of either.
IN_GLARE, TURNED = 4.0, 2.5


@dataclass(frozen=True, slots=True)
class Limits:
    """How sure one must be, 0 to 1.

    `sure` is the best number's share at least, `doubt` another's at most, as a part of the
    best's, at any glance, `marked` that of a mark at least.
    """

    sure: float
    doubt: float
    marked: float

    def surer(self, times: float) -> Limits:
        """Give those of a number that may be another to anybody who looks at it."""
        return Limits(1 - (1 - self.sure) / times, self.doubt / times, self.marked)


# docs/reading-balls.md says how they were chosen, and what they let through.
FROZEN = Limits(sure=0.50, doubt=0.30, marked=0.90)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be done with a ball.

    `number` is None where somebody must be asked, and `reason` says why: low, close, no_mark,
    out_of_range, drawn_already or blank. `candidates` are the likeliest numbers of the format with
    their shares, best first; `confidence` is the best number's share, 0 to 1.
    """

    number: int | None
    confidence: float
    runner_up: int | None
    candidates: tuple[tuple[int, float], ...]
    reason: str


def verdict(
    glances: Sequence[Glance],
    *,
    format: int,
    drawn: frozenset[int] = frozenset(),
    zeros: bool = False,
    limits: Limits = FROZEN,
) -> Verdict:
    """Judge the glances at one ball; `drawn` have come already, `zeros` as the set prints them.

    A number is given only when every glance reads it, it is sure, nothing else is likely but what
    a mark at its foot rules out, and where a ball of another number may read so upside down it has
    that mark.
    """
    if not glances:
        return Verdict(None, 0.0, None, (), "blank")
    shares: Scores = np.mean([glance.weights for glance in glances], axis=0)
    first = int(shares.argmax())
    candidates = _candidates(shares, format, drawn, zeros=zeros)
    runner_up = next((number for number, _share in candidates if number != first), None)
    reason = _doubt(glances, shares, format, drawn, zeros=zeros, limits=limits)
    sure = float(shares[first])
    return Verdict(None if reason else first, sure, runner_up, candidates, reason)


def _doubt(
    glances: Sequence[Glance],
    shares: Scores,
    format: int,
    drawn: frozenset[int],
    *,
    zeros: bool,
    limits: Limits,
) -> str:
    """Give why the likeliest number may not be announced, or nothing."""
    first = int(shares.argmax())
    upright = _is_marked(glances, limits)
    if any(glance.glare > GLARE for glance in glances):
        limits = limits.surer(IN_GLARE)
    elif TURNING.issuperset(str(first)) and not upright:
        limits = limits.surer(TURNED)
    if shares[first] < LEGIBLE:
        return "blank"
    if not 1 <= first <= format:
        return "out_of_range"
    if any(glance.number != first for glance in glances) or shares[first] < limits.sure:
        return "low"
    ruled_out = other_way_up(first, zeros=zeros) if upright else None
    if any(_another(glance, first, ruled_out) > limits.doubt for glance in glances):
        return "close"
    if taken_for(first, zeros=zeros) is not None and not upright:
        return "no_mark"
    return "drawn_already" if first in drawn else ""


def _another(glance: Glance, number: int, ruled_out: int | None) -> float:
    """Give the share of the likeliest other number, as a part of that of this one."""
    known = [each for each in (number, ruled_out) if each is not None]
    others = np.delete(glance.weights, known)
    return float(others.max() / glance.weights[number])


def _is_marked(glances: Sequence[Glance], limits: Limits) -> bool:
    return min(glance.marked for glance in glances) >= limits.marked


def _candidates(
    shares: Scores, format: int, drawn: frozenset[int], *, zeros: bool
) -> tuple[tuple[int, float], ...]:
    """Give the likeliest numbers that may still come, each with what it is upside down."""
    order = (int(number) for number in np.argsort(-shares))
    likely = [n for n in order if 1 <= n <= format and shares[n] >= FEWEST][:GUESSES]
    turned = (taken_for(number, zeros=zeros) for number in likely[:1])
    found = dict.fromkeys([*likely[:1], *(n for n in turned if n and n <= format), *likely[1:]])
    left = [number for number in found if number not in drawn] or list(found)
    return tuple((number, float(shares[number])) for number in left[:GUESSES])
