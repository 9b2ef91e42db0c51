"""Drawing a series of any size at speed: the twin of `bingo.rules.emission`."""

from importlib import import_module
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from bingo.engine import squares, strips
from bingo.engine.randomness import Rng, Source
from bingo.rules import packing
from bingo.rules.bounds import require
from bingo.rules.formats import NINETY, Format
from bingo.rules.rulebooks import Rulebook

# From here on machine code saves more time than it takes to load.
COMPILED_FROM = 1_000_000


def emit(
    size: int,
    *,
    format: Format,
    rulebook: Rulebook,
    source: Source,
    columns: bool = False,
    compiled: bool | None = None,
) -> NDArray[np.uint8]:
    """Draw a series of `size` cards: no card and no line, row or diagonal, twice as a set (R14).

    Gives (size, rows, columns), 0 for a blank and a free cell. With `columns` no column twice
    either. 90 comes in strips of six that hold 1 to 90 once. `compiled` says whether machine code
    makes the strips: None leaves it to size and to what is installed; True raises ImportError
    without Numba. A seeded source gives the same series again only with the same `size` and the
    same choice. Refusals: those of `bounds.require`; series_too_large with bound "attempts" and
    how many were found as `limit`.
    """
    require(size, format=format, rulebook=rulebook, columns=columns)
    if packing.fits(format):
        return _packed(size, format, source, columns=columns)
    if columns:
        return squares.emit_by_columns(size, format=format, source=source)
    if format.full:
        return squares.emit(size, format=format, source=source)
    counts = rulebook.column_count(format)
    machine = _machine(size, compiled) if format == NINETY else None
    if machine is None:
        return strips.emit(size, format=format, counts=counts, source=source)
    cards: NDArray[np.uint8] = machine.emit(size, counts=counts, source=source)
    return cards


def _packed(size: int, format: Format, source: Source, *, columns: bool) -> NDArray[np.uint8]:
    cards = packing.cards(format, rng=Rng(source), columns=columns)
    return np.array(cards[:size], dtype=np.uint8)


def _machine(size: int, wish: bool | None) -> ModuleType | None:
    """Load `bingo.engine.compiled` where it is wished for, or worth while and to be had."""
    if wish is False or (wish is None and size < COMPILED_FROM):
        return None
    try:
        return import_module("bingo.engine.compiled")
    except ImportError:
        if wish:
            raise
        return None
