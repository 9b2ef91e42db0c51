"""Balls from the operating system's randomness, without bias."""

import secrets
from collections.abc import Sequence


def draw(left: Sequence[int]) -> int:
    """Give one of the numbers still in the drum, each equally likely (rejection, no remainder)."""
    return left[secrets.randbelow(len(left))]
