"""What an RNG binds itself to before the sale, and the balls that follow from it (docs/randomness.md)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import Any

from bingo.rules import formats, shuffling
from bingo.rules.chain import canonical
from bingo.rules.drbg import ENTROPY, NONCE, Drbg

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

    def told(self) -> dict[str, str]:
        """Give it as the journal has it, in hex."""
        return {"seed": self.seed.hex(), "nonce": self.nonce.hex()}


def opening(told: Any) -> Opening | None:
    """Give an opening as the journal or a message has it; None when it is none."""
    if not isinstance(told, dict) or set(told) != {"seed", "nonce"}:
        return None
    seed, nonce = told["seed"], told["nonce"]
    if not isinstance(seed, str) or not isinstance(nonce, str):
        return None
    if not SEED.fullmatch(seed) or not GIVEN.fullmatch(nonce):
        return None
    return Opening(bytes.fromhex(seed), bytes.fromhex(nonce))


def commitment(draw: Draw, opened: Opening) -> str:
    """Give the SHA-256, in hex, of the canonical JSON of label, draw, seed and nonce.

    The label and the draw keep an opening from serving for another game or another purpose.
    """
    value = {
        "label": COMMITMENT,
        "hall": draw.hall,
        "session": draw.session,
        "game": draw.game,
        "format": draw.format,
        **opened.told(),
    }
    return hashlib.sha256(canonical(value)).hexdigest()


def balls(opened: Opening, *, head: str, format: int) -> tuple[int, ...]:
    """Give all balls of a draw in their order.

    `head` is the digest, in hex, of the entry that announces the draw: it is not known before the
    sale has closed, so that nobody could choose a seed for the cards sold. Raises Refusal
    unknown_format, ValueError when `head` is no hex.
    """
    generator = Drbg(opened.seed, opened.nonce, BALLS + bytes.fromhex(head))
    return shuffling.order(list(formats.get(format).numbers), generator.generate)
