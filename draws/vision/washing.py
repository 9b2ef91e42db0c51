"""What a number may be of which light has washed a stroke or a figure out: a 13 may be an 18."""

from __future__ import annotations

from functools import cache
from itertools import product

# Figures that have the strokes of one, as most typefaces draw them, and more.
MORE = {
    "0": "8", "1": "47", "2": "", "3": "89", "4": "", "5": "689", "6": "8", "7": "", "8": "",
    "9": "8",
}  # fmt: skip
FIGURES = "0123456789"


def with_more(number: int) -> frozenset[int]:
    """Give the numbers of one or two figures that have all its strokes and more; not itself."""
    text = str(number)
    found = {"".join(each) for each in product(*(MORE[figure] + figure for figure in text))}
    if len(text) == 1:
        found |= {other + each for other in FIGURES for each in found}
        found |= {each + other for other in FIGURES for each in found if len(each) == 1}
    return frozenset(int(each) for each in found if not each.startswith("0")) - {number}


@cache
def with_less(number: int) -> frozenset[int]:
    """Give the numbers that have a part of its strokes, as whose light may show it on light print."""
    return frozenset(other for other in range(1, 100) if number in with_more(other))
