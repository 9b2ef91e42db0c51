"""What a number may be of which light has washed a stroke or a figure out: a 13 may be an 18."""

from __future__ import annotations

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
        found |= {other + text for other in FIGURES} | {text + other for other in FIGURES}
    return frozenset(int(each) for each in found if not each.startswith("0")) - {number}
