"""Counts of what came of balls before the reader: by fault, and by numbers that turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from draws.balls.vision.facing import other_way_up
from draws.balls.vision.network_training.trial import ShownAct

Tally = Counter[str]


def by_fault(shown: Iterable[ShownAct]) -> dict[str, Tally]:
    """Count the outcomes of the balls that could be read, by fault; clean light is the empty one."""
    return _by(lambda one: one.act.fault, (one for one in shown if not one.must_ask))


def tally_by_pair(shown: Iterable[ShownAct]) -> dict[str, Tally]:
    """Count the outcomes of the numbers that read as others, with their marks and without."""
    return _by(_pair, (one for one in shown if _pair(one)))


def _pair(one: ShownAct) -> str:
    number = one.act.number or 0
    turned = other_way_up(number) if one.act.kind == "ball" else None
    if turned in (None, number):
        return ""
    return f"{min(number, turned or 0)}/{max(number, turned or 0)} " + (
        "unmarked" if one.must_ask else "marked"
    )


def _by(name: Callable[[ShownAct], str], shown: Iterable[ShownAct]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for one in shown:
        found.setdefault(name(one), Counter())[one.outcome] += 1
    return dict(sorted(found.items()))
