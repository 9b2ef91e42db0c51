"""Who completes what and when, for a whole series: the engine beside the plain rules."""

import random
import time

import numpy as np

from bingo.engine.winners import completion
from bingo.rules import cards, formats, rulebooks, series
from tests.bench.measure import Row, compare

CARDS = series.emit(
    1680,
    format=formats.NINETY,
    rulebook=rulebooks.get("cape-verde-2017"),
    rng=random.Random("bench"),
)
ORDER = random.Random("order").sample(range(1, 91), 90)


def rows() -> list[Row]:
    """Compare whole games a second."""
    return [compare("winners", _ours, _plain, unit="games of 1,680 cards/s")]


def _ours() -> float:
    table = np.array([[[number or 0 for number in row] for row in card] for card in CARDS])
    began = time.perf_counter()
    completion(table, np.array(ORDER))
    return 1 / (time.perf_counter() - began)


def _plain() -> float:
    began = time.perf_counter()
    at = {number: count for count, number in enumerate(ORDER, start=1)}
    for card in CARDS:
        min(max(at[number] for number in line) for line in cards.lines(card))
        max(at[number] for number in cards.numbers(card))
    return 1 / (time.perf_counter() - began)
