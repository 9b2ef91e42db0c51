"""What the tests of winners share with others."""

import random

from bingo.rules import formats, patterns, rulebooks, series

CAPE_VERDE = rulebooks.get("cape-verde-2017")


# More than one word of cards, and not a whole number of words.
CARDS = {
    highest: series.emit(count, format=format, rulebook=CAPE_VERDE, rng=random.Random(highest))
    for (highest, format), count in zip(formats.FORMATS.items(), (150, 70, 130, 66), strict=True)
}


PLAYED = {
    90: [patterns.combination_line(formats.NINETY), patterns.bingo(formats.NINETY)],
    80: [
        patterns.combination_line(formats.EIGHTY, patterns.LINES),
        patterns.bingo(formats.EIGHTY),
    ],
    75: [
        patterns.combination_line(formats.SEVENTY_FIVE, patterns.LINES),
        patterns.combination_corners(formats.SEVENTY_FIVE),
        patterns.bingo(formats.SEVENTY_FIVE, patterns.get("heart").cells),
    ],
    30: [
        patterns.column(formats.THIRTY),
        patterns.combination_corners(formats.THIRTY),
        patterns.bingo(formats.THIRTY),
    ],
}
