"""HMAC_DRBG with SHA-256: the generator of NIST SP 800-90A revision 1, section 10.1.2."""

from __future__ import annotations

import hmac
from typing import NoReturn

LENGTH = 32  # bytes of a digest, of the key and of the value
ENTROPY = 32  # bytes at the least for 256 bits of security (table 2)
NONCE = 16  # bytes at the least: half of that (8.6.7)
MOST_REQUESTED = 2**16  # bytes of one request (table 2: 2^19 bits)
RESEED_AFTER = 2**20  # requests; table 2 allows 2^48, and a game needs one or two


class ReseedNeeded(Exception):
    """Too much has been asked of one seed (9.3.1)."""


class Drbg:
    """One instance; whoever has its inputs has all it will ever give, so it shows and copies none."""

    __slots__ = ("_key", "_requests", "_value")

    def __init__(self, entropy: bytes, nonce: bytes, personalisation: bytes = b"") -> None:
        """Instantiate (10.1.2.3). Raises ValueError when entropy or nonce is too short."""
        if len(entropy) < ENTROPY or len(nonce) < NONCE:
            raise ValueError("too little entropy")
        self._key = bytes(LENGTH)
        self._value = b"\x01" * LENGTH
        self._update(entropy + nonce + personalisation)
        self._requests = 1

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """Mix fresh entropy in (10.1.2.4). Raises ValueError when it is too short."""
        if len(entropy) < ENTROPY:
            raise ValueError("too little entropy")
        self._update(entropy + additional)
        self._requests = 1

    def generate(self, count: int, additional: bytes = b"") -> bytes:
        """Give the next `count` bytes (10.1.2.5).

        Raises ValueError for more than MOST_REQUESTED, ReseedNeeded after RESEED_AFTER requests.
        """
        if not 0 <= count <= MOST_REQUESTED:
            raise ValueError("too much at once")
        if self._requests > RESEED_AFTER:
            raise ReseedNeeded
        if additional:
            self._update(additional)
        parts = []
        for _block in range(-(-count // LENGTH)):
            self._value = self._mac(self._value)
            parts.append(self._value)
        self._update(additional)
        self._requests += 1
        return b"".join(parts)[:count]

    def _update(self, provided: bytes) -> None:
        """Move key and value on (10.1.2.2)."""
        for mark in (b"\x00", b"\x01"):
            self._key = self._mac(self._value + mark + provided)
            self._value = self._mac(self._value)
            if not provided:
                return

    def _mac(self, message: bytes) -> bytes:
        return hmac.digest(self._key, message, "sha256")

    def __repr__(self) -> str:
        return "<Drbg>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a generator is not copied")
