"""The RNG of the draw: HMAC_DRBG with SHA-256, the shuffle, and the commitment to a game's balls.

The generator is that of NIST SP 800-90A revision 1, section 10.1.2. The shuffle makes each order
equally likely, by rejection and without remainder. The commitment is published before the sale, and
the balls follow from it (docs/randomness.md).
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from bingo.rules import formats
from bingo.rules.journal_json_and_chain import canonical

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
        """Return the next `count` bytes (10.1.2.5).

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


BLOCK = 256  # bytes asked for at once; part of the format, as a generator moves on by requests
WIDEST = 256  # numbers among which one byte can choose

Generate = Callable[[int], bytes]


def order_shuffle(numbers: Sequence[int], generate: Generate) -> tuple[int, ...]:
    """Take all numbers out of the drum one by one: ball n is the n-th taken.

    The numbers lie in the drum in the order given; each ball is taken from the place that `place`
    gives. `generate(count)` gives fresh random bytes. Raises ValueError for more than WIDEST.
    """
    if len(numbers) > WIDEST:
        raise ValueError("too many numbers for one byte")
    drum = list(numbers)
    stream = _stream(generate)
    return tuple(drum.pop(shuffle_place(len(drum), stream)) for _ball in range(len(drum)))


def shuffle_place(count: int, stream: Iterator[int]) -> int:
    """Return one of the places 0 to `count` - 1.

    As many low bits of the next byte as `count` - 1 has; a value that is no place is thrown away
    and the next byte taken, so that every place keeps the same number of bytes. Where only one is
    left nothing is asked.
    """
    bits = (count - 1).bit_length()
    if not bits:
        return 0
    mask = (1 << bits) - 1
    return next(value for byte in stream if (value := byte & mask) < count)


def _stream(generate: Generate) -> Iterator[int]:
    while True:
        yield from generate(BLOCK)


COMMITMENT = "bingo draw commitment 1"
BALLS = b"bingo draw balls 1"
DIGEST = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(rf"[0-9a-f]{{{2 * ENTROPY}}}")
GIVEN = re.compile(rf"[0-9a-f]{{{2 * NONCE}}}")


@dataclass(frozen=True, slots=True)
class Draw:
    """Which draw it is: the hall's code, the session's and the game's number, the balls' count."""

    hall: str
    session: int
    game: int
    format: int


@dataclass(frozen=True, slots=True)
class Opening:
    """What opens a commitment: the seed's 32 bytes and the nonce's 16; a repr shows neither."""

    seed: bytes = field(repr=False)
    nonce: bytes = field(repr=False)

    def to_data(self) -> dict[str, str]:
        """Return it as the journal has it, in hex."""
        return {"seed": self.seed.hex(), "nonce": self.nonce.hex()}


def opening(told: Any) -> Opening | None:
    """Return an opening as the journal or a message has it; None when it is none."""
    if not isinstance(told, dict) or set(told) != {"seed", "nonce"}:
        return None
    seed, nonce = told["seed"], told["nonce"]
    if not isinstance(seed, str) or not isinstance(nonce, str):
        return None
    if not SEED.fullmatch(seed) or not GIVEN.fullmatch(nonce):
        return None
    return Opening(bytes.fromhex(seed), bytes.fromhex(nonce))


def commitment(draw: Draw, opened: Opening) -> str:
    """Return the SHA-256, in hex, of the canonical JSON of label, draw, seed and nonce.

    The label and the draw keep an opening from serving for another game or another purpose.
    """
    value = {
        "label": COMMITMENT,
        "hall": draw.hall,
        "session": draw.session,
        "game": draw.game,
        "format": draw.format,
        **opened.to_data(),
    }
    return hashlib.sha256(canonical(value)).hexdigest()


def balls(opened: Opening, *, head: str, format: int) -> tuple[int, ...]:
    """Return all balls of a draw in their order.

    `head` is the digest, in hex, of the entry that announces the draw: it is not known before the
    sale has closed, so that nobody could choose a seed for the cards sold. Raises Refusal
    unknown_format, ValueError when `head` is no hex.
    """
    generator = Drbg(opened.seed, opened.nonce, BALLS + bytes.fromhex(head))
    return order_shuffle(list(formats.get_format(format).numbers), generator.generate)
