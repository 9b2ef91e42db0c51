"""Which of all possible lines a series has taken."""

import numpy as np
from numpy.typing import NDArray


class Register:
    """A place for each of `total` lines, all free."""

    def __init__(self, total: int) -> None:
        self._taken = np.zeros(total, dtype=np.bool_)

    def take(self, lines: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Take all lines, (cards, lines of one), of the cards that repeat none; tell which those are.

        Cards that repeat a line of each other are both refused.
        """
        ordered = np.sort(lines, axis=None)
        shared = ordered[1:][ordered[1:] == ordered[:-1]]
        shared = shared[~self._taken[shared]]
        self._taken[shared] = True
        new: NDArray[np.bool_] = ~self._taken[lines].any(axis=1)
        self._taken[shared] = False
        self._taken[lines[new]] = True
        return new

    def free(self, lines: NDArray[np.integer]) -> None:
        """Give lines back that were taken."""
        self._taken[lines] = False
