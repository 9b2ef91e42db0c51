"""A card's key: one integer that says whether two cards can hold the same numbers."""

from functools import cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from bingo.rules.formats import NINETY

BITS = 56  # of a weight: the sum of a card's fits 64


@cache
def weights() -> NDArray[np.int64]:
    """Give each number's weight, 0 for a blank.

    Cards of equal numbers have equal keys, so none gets past. Others hardly ever have, and then
    only a card is drawn again that need not be.
    """
    drawn = [int.from_bytes(sha256(b"%d" % number).digest()) for number in NINETY.numbers]
    return np.array([0, *(weight >> 256 - BITS for weight in drawn)], dtype=np.int64)


def keys(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Give the sums of the weights of cards (cards, rows, columns), (cards,)."""
    by_cell = cards.reshape(len(cards), -1).T
    total = np.zeros(len(cards), dtype=np.int64)
    for numbers in by_cell:
        total += weights()[numbers]
    return total


def again(keys: NDArray[np.int64]) -> NDArray[np.intp]:
    """Give the places, ascending, of keys that stand at an earlier place too."""
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return np.zeros(0, dtype=np.intp)
    order = np.argsort(keys, kind="stable")
    return np.sort(order[1:][keys[order[1:]] == keys[order[:-1]]])
