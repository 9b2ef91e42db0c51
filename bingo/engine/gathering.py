"""Gathering a series out of batches of strips or cards, each tested against all before."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bingo.engine.keys import again, keys
from bingo.rules.refusal import Refusal

BATCH = 4096  # strips made at once: what the processor's cache holds
CAUTION = 0.9  # of the last batch's yield is counted upon in the next

Cards = NDArray[np.uint8]


def gather(size: int, *, strip: int, attempts: int, draw: Callable[[int], Cards]) -> Cards:
    """Gather `size` cards, no two of equal numbers, in strips of `strip` cards; the last is cut.

    `draw` tries as many strips as it is told and gives those, (cards, rows, columns), that repeat
    no line of any it gave before. Refusal series_too_large with bound "attempts" when that is
    fewer than one in so many.
    """
    parts: list[Cards] = []
    found = tried = 0
    yielded = 1.0
    while found < size:
        count = min(math.ceil((size - found) / strip / yielded), BATCH)
        part = draw(count)
        parts.append(part)
        found += len(part)
        gained = len(part) // strip
        yielded = CAUTION * max(gained, 1) / count
        tried = 0 if gained * attempts >= tried + count else tried + count
        if found < size and tried >= attempts:
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
