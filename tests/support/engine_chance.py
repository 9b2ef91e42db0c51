"""How far counts stand from what fair chance gives, and a source that is not fair."""

import math

import numpy as np
from numpy.typing import ArrayLike

from bingo.engine.random_bytes import ByteSource

# So many standard deviations a fair source reaches about once in three million times.
FAR = 5.0


def distance(*groups: ArrayLike, freedom: int) -> float:
    """Return chi-square of counts that should be equal within each group, less its mean.

    In standard deviations; `freedom` is how many counts are free.
    """
    square = 0.0
    for counts in groups:
        held = np.asarray(counts, dtype=float)
        expected = held.mean()
        square += float(((held - expected) ** 2 / expected).sum())
    return (square - freedom) / math.sqrt(2 * freedom)


def unfair(source: ByteSource) -> ByteSource:
    """Take the highest bit off every byte."""
    return lambda count: bytes(byte & 127 for byte in source(count))
