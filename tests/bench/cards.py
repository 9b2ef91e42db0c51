"""Emission of a K series in strips, beside cards drawn one by one and thrown away until legal."""

import random
import time

from bingo.rules import cards, formats, rulebooks, series
from bingo.rules.cards import Card
from tests.bench.measure import Row, compare

SIZE = 1680
BOOK = rulebooks.get("cape-verde-2017")
NINETY = formats.NINETY


def rows() -> list[Row]:
    """Compare cards a second."""
    return [compare("cards", _ours, _plain, unit="cards/s", rounds=3)]


def _ours() -> float:
    rng = random.Random()
    began = time.perf_counter()
    series.emit(SIZE, format=NINETY, rulebook=BOOK, rng=rng)
    return SIZE / (time.perf_counter() - began)


def _plain() -> float:
    rng = random.Random()
    began = time.perf_counter()
    made: list[Card] = []
    seen: set[frozenset[int]] = set()
    while len(made) < SIZE:
        card = _any_card(rng)
        lines = set(cards.lines(card))
        if cards.faults(card, format=NINETY, rulebook=BOOK) or seen & lines:
            continue
        seen |= lines
        made.append(card)
    return SIZE / (time.perf_counter() - began)


def _any_card(rng: random.Random) -> Card:
    columns = [sorted(rng.sample(pool, 3)) for pool in NINETY.pools]
    held = [set(rng.sample(range(9), 5)) for _row in range(3)]
    return tuple(
        tuple(columns[column][row] if column in held[row] else None for column in range(9))
        for row in range(3)
    )
