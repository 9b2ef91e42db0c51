"""One measurement: ours and a reference, taken in turns."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """A line of bench.json; `ratio` is ours over reference, `asked` the least or None."""

    name: str
    ours: float
    reference: float
    ratio: float
    asked: float | None
    met: bool | None
    unit: str


def compare(
    name: str,
    ours: Callable[[], float],
    reference: Callable[[], float],
    *,
    unit: str,
    asked: float | None = None,
    rounds: int = ROUNDS,
) -> Row:
    """Measure both in turns, each giving a rate in `unit`, and set their medians side by side."""
    pairs = [(ours(), reference()) for _round in range(rounds)]
    mine = statistics.median(pair[0] for pair in pairs)
    other = statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
    met = None if asked is None else ratio >= asked
    return Row(name, mine, other, ratio, asked, met, unit)


def against(
    name: str, ours: Callable[[], float], *, floor: float, unit: str, rounds: int = ROUNDS
) -> Row:
    """Measure a rate in `unit` that may not fall below `floor`, which stands as the reference."""
    mine = statistics.median(ours() for _round in range(rounds))
    return Row(name, mine, floor, mine / floor, 1.0, mine >= floor, unit)
