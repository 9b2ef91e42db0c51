"""Tests of entropy as it comes, byte by byte (NIST SP 800-90B, 4.4): a source that sticks is noticed."""

from __future__ import annotations

# For eight bits of entropy a byte, and a false alarm in one of 2^40 bytes or windows.
REPEATED = 6  # 4.4.1: 1 + ceil(40 / 8) equal bytes one after another
WINDOW = 512  # bytes of a window (4.4.2, not binary)
FOUND = 20  # 4.4.2: a value that has come once comes 19 times more in 511 bytes rarer than that


class EntropyFailed(Exception):
    """The operating system's entropy does not look like entropy; tells which test failed."""


class Watch:
    """The two tests that run on all the entropy ever taken."""

    __slots__ = ("_first", "_found", "_last", "_left", "_run")

    def __init__(self) -> None:
        self._last = self._first = -1
        self._run = self._found = self._left = 0

    def see(self, entropy: bytes) -> None:
        """Look at bytes in the order in which they came. Raises EntropyFailed."""
        for byte in entropy:
            self._repetition(byte)
            self._proportion(byte)

    def _repetition(self, byte: int) -> None:
        self._run = self._run + 1 if byte == self._last else 1
        self._last = byte
        if self._run >= REPEATED:
            raise EntropyFailed("repetition")

    def _proportion(self, byte: int) -> None:
        if not self._left:
            self._first, self._found, self._left = byte, 0, WINDOW
        self._left -= 1
        self._found += byte == self._first
        if self._found >= FOUND:
            raise EntropyFailed("proportion")
