"""The RNG's entropy and seeds: tested as they come, held in memory alone until a game is opened.

The operating system's entropy is looked at byte by byte before it is used (NIST SP 800-90B, 4.4): a
source that sticks is noticed. Known answers prove that the generator and the shuffle still give
what they have always given.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field

from bingo.rng_memory import Kept
from bingo.rules import rng
from bingo.rules.refusal import Refusal
from bingo.rules.rng import ENTROPY as RNG_ENTROPY
from bingo.rules.rng import NONCE as RNG_NONCE
from bingo.rules.rng import Draw, Drbg, Opening, balls, commitment

# For eight bits of entropy a byte, and a false alarm in one of 2^40 bytes or windows.
REPEATED = 6  # 4.4.1: 1 + ceil(40 / 8) equal bytes one after another
WINDOW = 512  # bytes of a window (4.4.2, not binary)
FOUND = 20  # 4.4.2: a value that has come once comes 19 times more in 511 bytes rarer than that


class EntropyFailed(Exception):
    """The operating system's entropy does not look like entropy; tells which test failed."""


class EntropyTests:
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


STARTING = 4096  # bytes looked at and thrown away at the start; SP 800-90B, 4.3 asks for 1,024


class Entropy:
    """Gives entropy as long as it looks like it; `source(count)` gives so many bytes."""

    def __init__(self, source: Callable[[int], bytes] = os.getrandom) -> None:
        self._source = source
        self._watch = EntropyTests()

    def start(self) -> None:
        """Look at the source before anything is made of it. Raises EntropyFailed."""
        self.take(STARTING)

    def take(self, count: int) -> bytes:
        """Return `count` bytes. Raises EntropyFailed, OSError."""
        taken = self._source(count)
        if len(taken) != count:
            raise OSError("too little entropy at once")
        self._watch.see(taken)
        return taken


# NIST's CAVP, drbgvectors_no_reseed, HMAC_DRBG.rsp, [SHA-256], no personalisation, COUNT = 0: what
# the second request gives.
ENTROPY = bytes.fromhex("ca851911349384bffe89de1cbdc46e6831e44d34a4fb935ee285dd14b71a7488")
NONCE = bytes.fromhex("659ba96c601dc69fc902940805ec0ca8")
RETURNED = bytes.fromhex(
    "e528e9abf2dece54d47c7e75e5fe302149f817ea9fb4bee6f4199697d04d5b89"
    "d54fbb978a15b5c443c9ec21036d2460b6f73ebad0dc2aba6e624abf07745bc1"
    "07694bb7547bb0995f70de25d6b29e2d3011bb19d27676c07162c8b5ccde0668"
    "961df86803482cb37ed6d5c0bb8d50cf1f50d476aa0458bdaba806f48be9dcb8"
)
# The same seed as a game of ours: docs/randomness.md works this example out.
EXAMPLE = Draw(hall="sala", session=1, game=1, format=90)
OPENED = Opening(ENTROPY, NONCE)
HEAD = "ab" * 32
COMMITTED = "68ca1e9987a90dcc5d2fc00835d434b2ddd3b1e6deaa317482d5c6a7d07d7f34"
FIRST = (44, 75, 84, 21, 85, 46, 79, 13, 22, 2, 12, 39, 86, 20, 56)


def passes() -> bool:
    """Return whether generator, commitment and order give their known answers."""
    generator = Drbg(ENTROPY, NONCE)
    generator.generate(len(RETURNED))
    if generator.generate(len(RETURNED)) != RETURNED:
        return False
    order = balls(OPENED, head=HEAD, format=EXAMPLE.format)
    return order[: len(FIRST)] == FIRST and commitment(EXAMPLE, OPENED) == COMMITTED


KNOWN_ANSWER, REPEATED_SEED = "known_answer", "repeated_seed"
# What is kept has its bounds: whoever may ask could fill the memory otherwise, and end all draws.
MOST_HALLS = 256  # halls whose game is kept
MOST_USED = 4096  # seeds that are known again, the newest


@dataclass(slots=True)
class GameSeed:
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

    def __init__(self, entropy: Entropy | None = None, *, kept: Kept | None = None) -> None:
        """Test generator and entropy; what fails here is told to whoever asks for anything.

        What a process before this one has kept goes on as it was: the seed, the head it is bound
        to, the balls that are out, and that it was opened.
        """
        self._entropy = entropy or Entropy()
        self._lock = threading.Lock()
        self._kept = kept
        self._games, self._used = _restored(kept.read() if kept else b"")
        self.failure = ""
        try:
            self._test()
            self._entropy.start()
        except (EntropyFailed, OSError) as error:
            self._fail(_named(error))
        except Refusal:
            pass  # `failure` says what it was

    def commit(self, draw: Draw, *, begun: str) -> str:
        """Return the commitment for a game, the same one however often it is asked for.

        Another game of the hall that was kept until now is forgotten: one game is open at a time.
        """
        with self._lock:
            self._test()
            kept = self._games.get(draw.hall)
            if kept is None or (kept.draw, kept.begun) != (draw, begun):
                kept = self._sealed(draw, begun)
                self._put(kept)
                self._keep()
            if kept.opened:
                raise Refusal("rng_opened")
            return kept.commitment

    def ball(self, draw: Draw, *, commitment: str, head: str, order: int) -> int:
        """Return ball `order` of a game, from 1: one that is out again, or the one after the last.

        The first asking binds the game to `head`, the digest of the entry announcing its draw.
        """
        with self._lock:
            kept = self._find(draw, commitment)
            self._require_sound()
            if kept.opened:
                raise Refusal("rng_opened")
            if not kept.head:
                self._bind(kept, head)
                self._keep()
            if head != kept.head:
                raise Refusal("rng_other_head")
            if not 1 <= order <= min(kept.given + 1, draw.format):
                raise Refusal("stale_page", number=order)
            if order > kept.given:
                kept.given = order
                self._keep()
            return kept.balls[order - 1]

    def open(self, draw: Draw, *, commitment: str) -> Opening:
        """Return what opens a game's commitment, and no ball of it any more."""
        with self._lock:
            kept = self._find(draw, commitment)
            kept.opened = True
            self._keep()
            return kept.sealed

    def _put(self, begun: GameSeed) -> None:
        """Hold a game in the place of its hall's last; beyond the bounds what is oldest is forgotten."""
        self._games.pop(begun.draw.hall, None)
        self._games[begun.draw.hall] = begun
        while len(self._games) > MOST_HALLS:
            del self._games[next(iter(self._games))]
        while len(self._used) > MOST_USED:
            del self._used[next(iter(self._used))]

    def _keep(self) -> None:
        """Keep all of it before anything of it is told: what was told once stays so."""
        if self._kept is None:
            return
        try:
            self._kept.write(_written(self._games, self._used))
        except OSError:
            raise self._fail("memory") from None

    def _find(self, draw: Draw, commitment: str) -> GameSeed:
        kept = self._games.get(draw.hall)
        if kept is None or (kept.draw, kept.commitment) != (draw, commitment):
            raise Refusal("rng_lost")
        return kept

    def _sealed(self, draw: Draw, begun: str) -> GameSeed:
        try:
            taken = self._entropy.take(RNG_ENTROPY + RNG_NONCE)
        except (EntropyFailed, OSError) as error:
            raise self._fail(_named(error)) from None
        sealed = Opening(taken[:RNG_ENTROPY], taken[RNG_ENTROPY:])
        mark = hashlib.sha256(sealed.seed).digest()
        if mark in self._used:
            raise self._fail(REPEATED_SEED)
        self._used[mark] = None
        return GameSeed(draw, begun, sealed, rng.commitment(draw, sealed))

    def _bind(self, kept: GameSeed, head: str) -> None:
        self._test()
        if not rng.DIGEST.fullmatch(head):
            raise Refusal("rng_other_head")
        kept.balls = rng.balls(kept.sealed, head=head, format=kept.draw.format)
        kept.head = head

    def _test(self) -> None:
        """Ask the known answers again, which takes less time than a ball its way to the page."""
        self._require_sound()
        if not passes():
            raise self._fail(KNOWN_ANSWER)

    def _require_sound(self) -> None:
        if self.failure:
            raise Refusal("rng_failed", test=self.failure)

    def _fail(self, test: str) -> Refusal:
        self.failure = test
        return Refusal("rng_failed", test=test)


def _written(games: Mapping[str, GameSeed], used: Collection[bytes]) -> bytes:
    told = [
        {
            "draw": asdict(one.draw),
            "begun": one.begun,
            "opening": one.sealed.to_data(),
            "head": one.head,
            "given": one.given,
            "opened": one.opened,
        }
        for one in games.values()
    ]
    return json.dumps({"games": told, "used": [one.hex() for one in used]}).encode()


def _restored(written: bytes) -> tuple[dict[str, GameSeed], dict[bytes, None]]:
    if not written:
        return {}, {}
    told = json.loads(written)
    games = {}
    for one in told["games"]:
        draw, sealed = Draw(**one["draw"]), rng.opening(one["opening"])
        if sealed is None:
            continue
        order = balls(sealed, head=one["head"], format=draw.format) if one["head"] else ()
        games[draw.hall] = GameSeed(
            draw, one["begun"], sealed, rng.commitment(draw, sealed), one["head"], order,
            one["given"], one["opened"],
        )  # fmt: skip
    return games, {bytes.fromhex(mark): None for mark in told["used"]}


def _named(error: Exception) -> str:
    return str(error) if isinstance(error, EntropyFailed) else "entropy"
