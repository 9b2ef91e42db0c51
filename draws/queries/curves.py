"""How many cards were sold moment by moment, as the bars of a small picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

STEP = 30  # seconds
BARS = 40

Moments = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Curve:
    """Cards sold in each `step` seconds, the oldest first; empty where nothing was sold."""

    step: int = STEP
    counts: tuple[int, ...] = ()


def curve(sold: Moments, *, within: Iterable[int] | None = None, bars: int = BARS) -> Curve:
    """Give the curve of cards sold by the number of their moment, each STEP seconds long.

    It reaches from the first to the last moment of `within`, those sold in themselves when None;
    when they are more than `bars`, several moments make one bar.
    """
    reached = list(sold if within is None else within)
    if not reached or not sold:
        return Curve()
    first, last = min(reached), max(reached)
    moments = last - first + 1
    merged = -(-moments // bars)
    counts = [0] * -(-moments // merged)
    for moment, cards in sold.items():
        counts[(moment - first) // merged] += cards
    return Curve(STEP * merged, tuple(counts))


def total(parts: Iterable[Moments]) -> dict[int, int]:
    """Add moments up."""
    added: dict[int, int] = {}
    for part in parts:
        for moment, cards in part.items():
            added[moment] = added.get(moment, 0) + cards
    return added
