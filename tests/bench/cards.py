"""Emission of series: machine code and NumPy beside the plain rules, and above what is asked.

In seconds of one core's time, so that what else the machine does counts as little as it can.
"""

import random
import time
from collections.abc import Callable

from bingo.engine import emission, random_bytes
from bingo.rules import cards, rulebooks, series
from bingo.rules.cards import Card
from bingo.rules.formats import EIGHTY, NINETY, SEVENTY_FIVE, Format
from tests.bench.measure import Row, against, compare

K = 1_680
BOOK = rulebooks.get("cape-verde-2017")
UNIT = "cards/s of a core"
# Cards of 90 a second that are asked for, by size of the series.
COMPILED = {K: 2_000_000, 100_000: 2_000_000, 1_000_000: 1_000_000}
NUMPY = {100_000: 300_000}
# Small series are measured many times over, up to so many cards.
LEAST = 20_000


# Beside the plain rules: series K. (30 is the same code in both.)
BESIDE = (
    (NINETY, K, False),
    (NINETY, K, True),
    (EIGHTY, K, False),
    (SEVENTY_FIVE, K, False),
)


def rows() -> list[Row]:
    """Compare cards a second."""
    return [
        compare("cards", _plain(NINETY, K), _rate(K, _one_by_one), unit=UNIT, rounds=3),
        *(_beside_plain(format, size, compiled=compiled) for format, size, compiled in BESIDE),
        *(_above(size, floor, compiled=True) for size, floor in COMPILED.items()),
        *(_above(size, floor, compiled=False) for size, floor in NUMPY.items()),
    ]


def _beside_plain(format: Format, size: int, *, compiled: bool) -> Row:
    name = f"cards-{format.highest}{'-compiled' if compiled else ''}"
    engine = _engine(format, size, compiled=compiled)
    return compare(name, engine, _plain(format, size), unit=UNIT, rounds=3)


def _above(size: int, floor: int, *, compiled: bool) -> Row:
    name = f"cards-{'compiled' if compiled else 'numpy'}-{size}"
    return against(name, _engine(NINETY, size, compiled=compiled), floor=floor, unit=UNIT)


def _engine(format: Format, size: int, *, compiled: bool) -> Callable[[], float]:
    def emit() -> object:
        return emission.emit(
            size,
            format=format,
            rulebook=BOOK,
            source=random_bytes.system(),
            compiled=compiled,
        )

    emit()  # load the machine code and the tables
    return _rate(size, emit, times=-(-LEAST // size))


def _plain(format: Format, size: int) -> Callable[[], float]:
    rng = random.SystemRandom()
    return _rate(size, lambda: series.emit(size, format=format, rulebook=BOOK, rng=rng))


def _rate(size: int, emit: Callable[[], object], *, times: int = 1) -> Callable[[], float]:
    """Return what measures cards a second of processor time, over so many series."""

    def measured() -> float:
        began = time.process_time()
        for _time in range(times):
            emit()
        return times * size / (time.process_time() - began)

    return measured


def _one_by_one() -> object:
    """Draw cards one by one, and throw them away until they are legal and new."""
    rng = random.SystemRandom()
    made: list[Card] = []
    seen: set[frozenset[int]] = set()
    while len(made) < K:
        card = _any_card(rng)
        lines = set(cards.lines(card))
        if cards.faults(card, format=NINETY, rulebook=BOOK) or seen & lines:
            continue
        seen |= lines
        made.append(card)
    return made


def _any_card(rng: random.Random) -> Card:
    columns = [sorted(rng.sample(pool, 3)) for pool in NINETY.pools]
    held = [set(rng.sample(range(9), 5)) for _row in range(3)]
    return tuple(
        tuple(columns[column][row] if column in held[row] else None for column in range(9))
        for row in range(3)
    )
