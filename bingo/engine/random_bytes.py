"""The engine's source of randomness: bytes, and unbiased numbers made of them."""

import hashlib
import os
from collections.abc import MutableSequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

LABEL = b"bingo.engine.randomness"  # for good: a name gives the same series as ever
BLOCK = 2**16  # bytes made at once of a seed
WORD = 2**32


class ByteSource(Protocol):
    """Whatever gives `count` random bytes; however they are asked for, the stream is the same."""

    def __call__(self, count: int, /) -> bytes:
        """Return the next `count` bytes."""


class _Seeded:
    """The SHAKE-256 digests of a name and a counter, one after the other."""

    def __init__(self, name: str) -> None:
        # A name from the command line may hold bytes that are no UTF-8.
        named = name.encode(errors="surrogateescape")
        self._start = LABEL + len(named).to_bytes(8) + named
        self._blocks = 0
        self._rest = b""

    def __call__(self, count: int, /) -> bytes:
        parts = [self._rest]
        short = count - len(self._rest)
        while short > 0:
            block = hashlib.shake_256(self._start + self._blocks.to_bytes(8)).digest(BLOCK)
            self._blocks += 1
            parts.append(block)
            short -= BLOCK
        stream = b"".join(parts)
        self._rest = stream[count:]
        return stream[:count]


class PlainRandom:
    """A source as the plain rules know chance: `bingo.rules.strips.Rng`."""

    def __init__(self, source: ByteSource) -> None:
        self._source = source

    def randrange(self, start: int, /) -> int:
        """Return one of 0 to `start` - 1, all equally likely."""
        size = ((start - 1).bit_length() + 7) // 8 or 1
        most = 256**size // start * start
        while True:
            drawn = int.from_bytes(self._source(size))
            if drawn < most:
                return drawn % start

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        """Put `x` in random order."""
        for last in range(len(x) - 1, 0, -1):
            other = self.randrange(last + 1)
            x[last], x[other] = x[other], x[last]


def system() -> ByteSource:
    """Return the operating system's own randomness: what every series in use is made of."""
    return os.urandom


def seeded(name: str) -> ByteSource:
    """Return the stream that belongs to `name`, always the same: for tests and demonstrations."""
    return _Seeded(name)


def words(source: ByteSource, count: int) -> NDArray[np.uint32]:
    """Return `count` random 32-bit words, (count,)."""
    # The byte order is fixed, so that a name means the same series on every machine.
    return np.frombuffer(source(4 * count), dtype="<u4").astype(np.uint32, copy=False)


def halves(source: ByteSource, count: int) -> NDArray[np.uint16]:
    """Return `count` random 16-bit words, (count,)."""
    return np.frombuffer(source(2 * count), dtype="<u2").astype(np.uint16, copy=False)


def below(source: ByteSource, ends: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return for each of `ends` (1 to 2^32) a number from 0 to below it, all equally likely.

    The high word of word × end; a low word under 2^32 mod end is thrown away and drawn again,
    which leaves each number the same count of words.
    """
    wide = ends.astype(np.uint64)
    drawn = words(source, len(wide)) * wide
    again = np.flatnonzero((drawn & np.uint64(WORD - 1)) < np.uint64(WORD) % wide)
    numbers = (drawn >> np.uint64(32)).astype(np.int64)
    if len(again):
        numbers[again] = below(source, wide[again])
    return numbers
