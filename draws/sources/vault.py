"""What the RNG's process keeps, in its memory alone: the seed of each hall's game until it is opened."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field

from bingo.rules import commitments
from bingo.rules.commitments import Draw, Opening
from bingo.rules.drbg import ENTROPY, NONCE
from bingo.rules.refusal import Refusal
from draws.sources import selftest
from draws.sources.entropy import Entropy
from draws.sources.health import EntropyFailed

KNOWN_ANSWER, REPEATED_SEED = "known_answer", "repeated_seed"


@dataclass(slots=True)
class Kept:
    """One game: what opens it, the head it is bound to, its balls, and how many of them are out.

    `begun` is the digest of the entry by which the game began, which tells it from a game of the
    same number in another copy of the hall's books. A repr shows no secret.
    """

    draw: Draw
    begun: str
    sealed: Opening = field(repr=False)
    commitment: str
    head: str = ""
    balls: tuple[int, ...] = field(default=(), repr=False)
    given: int = 0
    opened: bool = False


class Vault:
    """Commits, gives ball after ball, and opens; after a failed test it gives nothing more.

    Every refusal is a Refusal: rng_failed, rng_lost, rng_opened, rng_other_head, stale_page.
    """

    def __init__(self, entropy: Entropy | None = None) -> None:
        """Test generator and entropy; what fails here is told to whoever asks for anything."""
        self._entropy = entropy or Entropy()
        self._lock = threading.Lock()
        self._games: dict[str, Kept] = {}
        self._used: set[bytes] = set()
        self.failure = ""
        try:
            self._test()
            self._entropy.start()
        except (EntropyFailed, OSError) as error:
            self._fail(_named(error))
        except Refusal:
            pass  # `failure` says what it was

    def commit(self, draw: Draw, *, begun: str) -> str:
        """Give the commitment for a game, the same one however often it is asked for.

        Another game of the hall that was kept until now is forgotten: one game is open at a time.
        """
        with self._lock:
            self._test()
            kept = self._games.get(draw.hall)
            if kept is None or (kept.draw, kept.begun) != (draw, begun):
                kept = self._games[draw.hall] = self._sealed(draw, begun)
            if kept.opened:
                raise Refusal("rng_opened")
            return kept.commitment

    def ball(self, draw: Draw, *, commitment: str, head: str, order: int) -> int:
        """Give ball `order` of a game, from 1: one that is out again, or the one after the last.

        The first asking binds the game to `head`, the digest of the entry announcing its draw.
        """
        with self._lock:
            kept = self._find(draw, commitment)
            self._require_sound()
            if kept.opened:
                raise Refusal("rng_opened")
            if not kept.head:
                self._bind(kept, head)
            if head != kept.head:
                raise Refusal("rng_other_head")
            if not 1 <= order <= min(kept.given + 1, draw.format):
                raise Refusal("stale_page", number=order)
            kept.given = max(kept.given, order)
            return kept.balls[order - 1]

    def open(self, draw: Draw, *, commitment: str) -> Opening:
        """Give what opens a game's commitment, and no ball of it any more."""
        with self._lock:
            kept = self._find(draw, commitment)
            kept.opened = True
            return kept.sealed

    def _find(self, draw: Draw, commitment: str) -> Kept:
        kept = self._games.get(draw.hall)
        if kept is None or (kept.draw, kept.commitment) != (draw, commitment):
            raise Refusal("rng_lost")
        return kept

    def _sealed(self, draw: Draw, begun: str) -> Kept:
        try:
            taken = self._entropy.take(ENTROPY + NONCE)
        except (EntropyFailed, OSError) as error:
            raise self._fail(_named(error)) from None
        sealed = Opening(taken[:ENTROPY], taken[ENTROPY:])
        mark = hashlib.sha256(sealed.seed).digest()
        if mark in self._used:
            raise self._fail(REPEATED_SEED)
        self._used.add(mark)
        return Kept(draw, begun, sealed, commitments.commitment(draw, sealed))

    def _bind(self, kept: Kept, head: str) -> None:
        self._test()
        if not commitments.DIGEST.fullmatch(head):
            raise Refusal("rng_other_head")
        kept.balls = commitments.balls(kept.sealed, head=head, format=kept.draw.format)
        kept.head = head

    def _test(self) -> None:
        """Ask the known answers again, which takes less time than a ball its way to the page."""
        self._require_sound()
        if not selftest.passes():
            raise self._fail(KNOWN_ANSWER)

    def _require_sound(self) -> None:
        if self.failure:
            raise Refusal("rng_failed", test=self.failure)

    def _fail(self, test: str) -> Refusal:
        self.failure = test
        return Refusal("rng_failed", test=test)


def _named(error: Exception) -> str:
    return str(error) if isinstance(error, EntropyFailed) else "entropy"
