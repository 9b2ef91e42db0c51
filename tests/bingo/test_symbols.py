"""Thirty symbols that nobody can take for one another, each a path that any program can fill."""

import itertools
import re

import numpy as np
import pytest
from numpy.typing import NDArray

from bingo.rules.formats import THIRTY
from bingo.symbols import SYMBOLS, Symbol
from tests.support import raster

CLEAR = 4  # units of paper around a drawing
HAIR = 2.4  # units; 2.5 are asked, a sample is a quarter of one
TIP = 3.5  # square units of a pointed end that no round nib can draw
DISTANCE = 0.22  # of their ink, that two symbols must not share
SHIFT = 5  # cells of 32 that one may be moved to hide the difference

CODES = {
    1: "sun", 2: "cloud", 3: "snowflake", 4: "mountain", 5: "palm",
    6: "flower", 7: "apple", 8: "cherries", 9: "banana", 10: "corn",
    11: "fish", 12: "cat", 13: "snail", 14: "butterfly", 15: "crab",
    16: "snake", 17: "rabbit", 18: "elephant", 19: "giraffe", 20: "penguin",
    21: "key", 22: "house", 23: "boat", 24: "umbrella", 25: "guitar",
    26: "bicycle", 27: "clock", 28: "scissors", 29: "teapot", 30: "chair",
}  # fmt: skip

Grey = NDArray[np.float64]
each_symbol = pytest.mark.parametrize("symbol", SYMBOLS, ids=lambda symbol: symbol.code)


@pytest.mark.rule(80)
def test_symbols_stand_one_to_one_for_the_numbers() -> None:
    assert {symbol.number: symbol.code for symbol in SYMBOLS} == CODES
    assert [symbol.number for symbol in SYMBOLS] == list(THIRTY.numbers)
    assert len({symbol.path for symbol in SYMBOLS}) == len(SYMBOLS)


@each_symbol
def test_symbol_is_written_in_four_absolute_commands(symbol: Symbol) -> None:
    number = r"-?\d+(\.\d)?"
    pair = rf" {number} {number}"
    subpath = rf"M{pair}( L{pair}| C{pair}{pair}{pair})+ Z"
    assert re.fullmatch(rf"{subpath}( {subpath})*", symbol.path)


@each_symbol
def test_symbol_leaves_a_clear_edge(symbol: Symbol) -> None:
    corners = np.array([point for line in raster.polygons(symbol.path) for point in line])
    assert round(corners.min(), 1) >= CLEAR
    assert round(corners.max(), 1) <= raster.BOX - CLEAR


@each_symbol
def test_symbol_fills_its_box(symbol: Symbol) -> None:
    ink = raster.filled(symbol.path)
    down, across = np.nonzero(ink)
    assert max(np.ptp(down), np.ptp(across)) / 8 > 45
    assert 0.15 < ink.mean() < 0.5


@each_symbol
def test_symbol_has_no_hair(symbol: Symbol) -> None:
    assert _thin(symbol.path) <= TIP


def test_symbol_with_a_hair_is_found() -> None:
    blot = "M 10 10 L 50 10 L 50 30 L 10 30 Z"
    assert _thin(blot) <= TIP
    assert _thin(f"{blot} M 30 30 L 32 30 L 32 60 L 30 60 Z") > TIP


@pytest.mark.slow
@pytest.mark.rule(80)
def test_symbols_cannot_be_taken_for_one_another() -> None:
    greys = {symbol.code: raster.grey(raster.filled(symbol.path), 32) for symbol in SYMBOLS}
    least, pair = min(
        (_distance(greys[one], greys[other]), (one, other))
        for one, other in itertools.combinations(greys, 2)
    )
    assert least >= DISTANCE, pair


def test_symbols_that_differ_by_little_or_by_their_place_are_found() -> None:
    apple = next(symbol.path for symbol in SYMBOLS if symbol.code == "apple")
    spotted = raster.filled(f"{apple} M 30 40 L 30 46 L 36 46 L 36 40 Z")
    moved = np.roll(raster.filled(apple), (32, 16), (0, 1))
    plain = raster.grey(raster.filled(apple), 32)
    assert 0 < _distance(plain, raster.grey(spotted, 32)) < DISTANCE
    assert _distance(plain, raster.grey(moved, 32)) == 0


def _thin(path: str) -> float:
    """Square units of the largest piece that is thinner than a hair may be."""
    ink = raster.filled(path, per_unit=4)
    return raster.largest_piece(ink & ~raster.opened(ink, HAIR * 4 / 2)) / 16


def _distance(one: Grey, other: Grey) -> float:
    """The share of both drawings' ink that does not coincide, at the most confusing shift."""
    still, room = np.pad(one, SHIFT), np.pad(other, SHIFT)
    moves = itertools.product(range(-SHIFT, SHIFT + 1), repeat=2)
    apart = min(float(np.abs(still - np.roll(room, move, (0, 1))).sum()) for move in moves)
    return apart / float(one.sum() + other.sum())
