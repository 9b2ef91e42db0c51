"""Columns whose pools are equally long: they are shuffled in one go."""

from collections import defaultdict
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bingo.rules.formats import Format


@cache
def alike(format: Format) -> tuple[tuple[list[int], NDArray[np.uint8]], ...]:
    """Give for each length the columns and their numbers, (numbers, columns)."""
    columns = defaultdict(list)
    for column, pool in enumerate(format.pools):
        columns[len(pool)].append(column)
    return tuple(
        (held, np.array([format.pools[column] for column in held], dtype=np.uint8).T)
        for held in columns.values()
    )
