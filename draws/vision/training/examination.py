"""How well the reader reads: rendered balls shown to it once each, and what it said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from draws.vision.glance import Eye, Glance
from draws.vision.marks import has_other_way_up
from draws.vision.training.samples import NO_NUMBER, RADIUS, SIDE, Sample, samples
from draws.vision.verdict import verdict

MIDDLE = ((SIDE - 1) / 2, (SIDE - 1) / 2)


@dataclass(frozen=True, slots=True)
class Shown:
    """A ball that was shown, and the glance at it."""

    sample: Sample
    glance: Glance


def show(eye: Eye, *, fonts: Sequence[Path], count: int, seed: int) -> list[Shown]:
    """Show `count` balls, through all sorts of lenses, to a reader."""
    rng = np.random.default_rng(seed)
    return [
        Shown(sample, eye.look(sample.picture, centre=MIDDLE, radius=RADIUS))
        for sample in samples(rng, fonts, count)
    ]


def outcome(shown: Shown, *, format: int = 90) -> str:
    """Tell what came of a ball: right, wrong, or why it was not announced."""
    truth = shown.sample.number
    found = verdict([shown.glance], format=format)
    if found.number is None:
        return found.reason
    if truth == NO_NUMBER:
        return "wrong: unreadable"
    if has_other_way_up(truth) and not shown.sample.marked:
        return "wrong: unmarked"
    return "right" if found.number == truth else "wrong"


def outcomes(shown: Iterable[Shown]) -> Counter[str]:
    """Count what came of the balls that could be read."""
    return Counter(outcome(one) for one in shown if one.sample.number != NO_NUMBER)
