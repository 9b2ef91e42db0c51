"""Gathering a series out of batches of strips or cards, each tested against all before."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bingo.engine.keys import again, keys
from bingo.rules.refusal import Refusal

BATCH = 4096  # strips made at once: what the processor's cache holds

Cards = NDArray[np.uint8]


def gather(size: int, *, strip: int, attempts: int, draw: Callable[[int], Cards]) -> Cards:
    """Gather `size` cards, no two of equal numbers, in strips of `strip` cards; the last is cut.

    `draw` tries as many strips as it is told and gives those, (cards, rows, columns), that repeat
    no line of any it gave before. Refusal series_too_large with bound "attempts" when it gave
    fewer than one in so many.
    """
    parts: list[Cards] = []
    found = tried = 0
    while found < size:
        count = min(-(-(size - found) // strip), BATCH)
        parts.append(draw(count))
        found += len(parts[-1])
        tried += count
        if len(parts[-1]) // strip * attempts >= tried:
            tried = 0
        if tried >= attempts:
            raise Refusal("series_too_large", size=size, limit=found, bound="attempts")
        if found >= size:
            parts = [_unlike(np.concatenate(parts), strip)]
            found = len(parts[0])
    return parts[0][:size]


def _unlike(cards: Cards, strip: int) -> Cards:
    """Leave out the strips of cards whose numbers an earlier one has."""
    repeated = again(keys(cards))
    if not len(repeated):
        return cards
    kept = np.ones(len(cards) // strip, dtype=np.bool_)
    kept[repeated // strip] = False
    return cards[np.repeat(kept, strip)]
