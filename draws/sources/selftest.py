"""Known answers: the generator and the shuffle must still give what they have always given."""

from __future__ import annotations

from bingo.rules.commitments import Draw, Opening, balls, commitment
from bingo.rules.drbg import Drbg

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
    """Tell whether generator, commitment and order give their known answers."""
    generator = Drbg(ENTROPY, NONCE)
    generator.generate(len(RETURNED))
    if generator.generate(len(RETURNED)) != RETURNED:
        return False
    order = balls(OPENED, head=HEAD, format=EXAMPLE.format)
    return order[: len(FIRST)] == FIRST and commitment(EXAMPLE, OPENED) == COMMITTED
