"""Loops turned into machine code, which is kept where there is a folder to keep it in."""

from collections.abc import Callable

# Only its error: the store that raises it is Numba's.
from pickle import UnpicklingError  # nosec B403
from typing import TypeVar

import numba

R = TypeVar("R")


def compiled(function: Callable[..., R], *example: object) -> Callable[..., R]:
    """Load or compile a function for arguments such as `example`, on which it is run once.

    Without the store where neither the program's folder nor the user's can be written, where the
    disk is full, and where a loss of power has left half of what was stored.
    """
    try:
        kept: Callable[..., R] = numba.njit(cache=True, nogil=True)(function)
        kept(*example)
    except (RuntimeError, OSError, EOFError, UnpicklingError):
        fresh: Callable[..., R] = numba.njit(nogil=True)(function)
        return fresh
    return kept
