"""Counts of what came of balls before the reader: by fault, and by numbers that turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from draws.vision.marks import other_way_up
from draws.vision.training.trial import RIGHT, WRONG, Shown

Tally = Counter[str]


def share(shown: Iterable[Shown], outcome: str = RIGHT) -> float:
    """Give the share of the balls that could be read of which this came."""
    fair = [one.outcome for one in shown if not one.must_ask]
    return fair.count(outcome) / max(1, len(fair))


def wrong(shown: Iterable[Shown]) -> list[str]:
    """Name the balls announced as what they are not, or though nobody could tell."""
    return [
        f"{one.act.kind} {one.act.number} {one.act.fault} announced as {one.number}"
        for one in shown
        if one.outcome == WRONG
    ]


def by_fault(shown: Iterable[Shown]) -> dict[str, Tally]:
    """Count the outcomes of the balls that could be read, by fault; clean light is the empty one."""
    return _by(lambda one: one.act.fault, (one for one in shown if not one.must_ask))


def by_pair(shown: Iterable[Shown]) -> dict[str, Tally]:
    """Count the outcomes of the numbers that read as others, with their marks and without."""
    return _by(_pair, (one for one in shown if _pair(one)))


def _pair(one: Shown) -> str:
    number = one.act.number or 0
    turned = other_way_up(number) if one.act.kind == "ball" else None
    if turned in (None, number):
        return ""
    return f"{min(number, turned or 0)}/{max(number, turned or 0)} " + (
        "unmarked" if one.must_ask else "marked"
    )


def _by(name: Callable[[Shown], str], shown: Iterable[Shown]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for one in shown:
        found.setdefault(name(one), Counter())[one.outcome] += 1
    return dict(sorted(found.items()))
