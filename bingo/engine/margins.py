"""How many numbers of each column each card of a strip holds, and how that is drawn."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bingo.rules.formats import Format


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """Heights begin at `start`; each of `units`, a column each, is dealt to a card and adds `step`.

    Every card gets as many units; a deal that takes a height beyond `last` is thrown away. Of
    least and most the one that needs fewer units is the start, so that few deals are.
    """

    units: NDArray[np.uint8]
    start: int
    step: int
    last: int


def margins(format: Format, counts: tuple[int, int]) -> Margins:
    """Give the margins of a strip with least to most numbers a column.

    One or two a column: 18 columns with one number less than two; with none twice on a card, all
    such strips are equally likely. One to three: 36 numbers above one.
    """
    least, most = counts
    above = [len(pool) - least * format.strip for pool in format.pools]
    below = [most * format.strip - len(pool) for pool in format.pools]
    columns = np.arange(format.columns, dtype=np.uint8)
    if sum(above) < sum(below):
        return Margins(np.repeat(columns, above), start=least, step=1, last=most)
    return Margins(np.repeat(columns, below), start=most, step=-1, last=least)
