"""Who completes what with each ball: the engine beside a compiled scan of all cards."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

from bingo.engine import emission, random_bytes
from bingo.engine.winners import Table, Winners
from bingo.rules import patterns, rulebooks
from bingo.rules.formats import NINETY
from tests.bench.measure import Row, against, compare

BOOK = rulebooks.get("cape-verde-2017")
PLAYED = [patterns.combination_line(NINETY), patterns.bingo(NINETY)]
# Balls a second asked for at the median, by cards sold; and games played to measure it.
ASKED = {1_680: (1 / 5e-6, 50), 100_000: (1 / 60e-6, 5), 1_000_000: (1 / 0.6e-3, 2)}
BESIDE_SCAN = {1_000_000: 4.0}  # times as fast as a scan
BYTES = 64  # a card, at most
STEADY = 5  # medians within which ninety-nine balls of a hundred are
SCANS = 10  # balls of a game after which all cards are scanned


@dataclass(frozen=True, slots=True)
class Game:
    """Balls a second of one game, at the median and of all but one in a hundred."""

    median: float
    slow: float


def rows() -> list[Row]:
    """Compare balls a second, by cards sold."""
    return [row for count in ASKED for row in _measured(count)]


def _measured(count: int) -> list[Row]:
    cards = emission.emit(
        count, format=NINETY, rulebook=BOOK, source=random_bytes.seeded("bench"), compiled=True
    )
    floor, games = ASKED[count]
    played = (
        _game(cards, np.random.default_rng(seed).permutation(90) + 1) for seed in range(games)
    )
    scanned = _Scan(cards)
    unit = f"balls/s of {count:,} cards"
    measured: list[Game] = []

    def ours() -> float:
        measured.append(next(played))
        return measured[-1].median

    beside = compare(
        f"winners-{count} beside a scan", ours, scanned.rate, unit=unit,
        asked=BESIDE_SCAN.get(count), rounds=games,
    )  # fmt: skip
    median = statistics.median(game.median for game in measured)
    slow = statistics.median(game.slow for game in measured)
    size = Winners(cards, format=NINETY, combinations=PLAYED).nbytes / count
    return [
        beside,
        against(f"winners-{count}", lambda: median, floor=floor, unit=unit, rounds=1),
        against(
            f"winners-{count} slow balls", lambda: slow, floor=median / STEADY, unit=unit, rounds=1
        ),
        against(
            f"winners-{count} memory",
            lambda: 1 / size,
            floor=1 / BYTES,
            unit="cards/byte",
            rounds=1,
        ),
    ]


def _game(cards: Table, order: NDArray[np.integer]) -> Game:
    sold = Winners(cards, format=NINETY, combinations=PLAYED)
    taken = []
    for ball in order.tolist():
        began = time.perf_counter()
        sold.announce(ball)
        taken.append(time.perf_counter() - began)
    return Game(1 / statistics.median(taken), 1 / float(np.percentile(taken, 99)))


class _Scan:
    """The plain way, compiled: after each ball every card is looked through."""

    def __init__(self, cards: Table) -> None:
        flat = cards.reshape(len(cards), -1)
        # The fifteen numbers of a card, row by row, without the blanks.
        self._numbers = flat[flat > 0].reshape(len(cards), -1)
        self._lacking = np.empty((len(cards), 2), np.uint8)
        self._run: Callable[..., None] = numba.njit()(_scan)
        self._run(self._numbers[:1], np.zeros(91, np.uint8), self._lacking)

    def rate(self) -> float:
        """Return balls a second."""
        drawn = np.zeros(91, np.uint8)
        taken = []
        for ball in np.linspace(1, 90, SCANS).astype(int):
            drawn[ball] = 1
            began = time.perf_counter()
            self._run(self._numbers, drawn, self._lacking)
            taken.append(time.perf_counter() - began)
        return 1 / statistics.median(taken)


def _scan(numbers: NDArray[np.uint8], drawn: NDArray[np.uint8], lacking: NDArray[np.uint8]) -> None:
    """Set what each card (cards, 15) lacks of its nearest line and of its bingo."""
    for card in range(len(numbers)):
        nearest, found = 5, 0
        for row in range(3):
            held = 0
            for at in range(5 * row, 5 * row + 5):
                held += drawn[numbers[card, at]]
            found += held
            nearest = min(nearest, 5 - held)
        lacking[card, 0], lacking[card, 1] = nearest, 15 - found
