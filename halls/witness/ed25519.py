"""Ed25519 (RFC 8032, 5.1) with nothing but Python's integers, for the few signatures of a witness.

Python's integers do not take the same time for every value: whoever can measure the signer to a
microsecond is not kept out. A witness signs once a checkpoint, what the hall's key signed before.
"""

from __future__ import annotations

import hashlib

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493  # of the base point
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME  # d of the curve's equation
ROOT = pow(2, (PRIME - 1) // 4, PRIME)  # a square root of -1
SEED = 32  # bytes of a secret, of a public key, and of each half of a signature

# A point (x, y) as X, Y, Z, T with x = X/Z, y = Y/Z and xy = T/Z (RFC 8032, 5.1.4).
Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


def _add(one: Point, other: Point) -> Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    less = (y1 - x1) * (y2 - x2) % PRIME
    more = (y1 + x1) * (y2 + x2) % PRIME
    mixed = 2 * t1 * t2 * CURVE % PRIME
    scale = 2 * z1 * z2 % PRIME
    e, f, g, h = more - less, scale - mixed, scale + mixed, more + less
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def _times(factor: int, point: Point) -> Point:
    """Multiply, with one addition and one doubling for every bit whatever it is."""
    low, high = NEUTRAL, point
    for at in reversed(range(256)):
        total = _add(low, high)
        low, high = (total, _add(high, high)) if factor >> at & 1 else (_add(low, low), total)
    return low


def _written(point: Point) -> bytes:
    x, y, z, _t = point
    inverse = pow(z, -1, PRIME)
    return ((x * inverse % PRIME & 1) << 255 | y * inverse % PRIME).to_bytes(SEED, "little")


def _read(content: bytes) -> Point | None:
    """Return the point that 32 bytes write, None where they write none or in another way than one."""
    if len(content) != SEED:
        return None
    value = int.from_bytes(content, "little")
    odd, y = value >> 255, value & (1 << 255) - 1
    if y >= PRIME:
        return None
    x = _recovered(y, odd)
    return None if x is None else (x, y, 1, x * y % PRIME)


def _recovered(y: int, odd: int) -> int | None:
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * ROOT % PRIME
    if (x * x - square) % PRIME or (x == 0 and odd):
        return None
    return x if x & 1 == odd else PRIME - x


def _base() -> Point:
    point = _read((4 * pow(5, -1, PRIME) % PRIME).to_bytes(SEED, "little"))
    assert point is not None
    return point


BASE = _base()


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def _secret(seed: bytes) -> tuple[int, bytes]:
    """Return the factor and the prefix of a seed."""
    expanded = hashlib.sha512(seed).digest()
    factor = int.from_bytes(expanded[:SEED], "little")
    return factor & (1 << 254) - 8 | 1 << 254, expanded[SEED:]


def public_key(seed: bytes) -> bytes:
    """Return the 32 bytes of the public key of a 32-byte seed."""
    return _written(_times(_secret(seed)[0], BASE))


def sign(seed: bytes, message: bytes) -> bytes:
    """Return the 64 bytes of the signature; the same seed and message give the same."""
    factor, prefix = _secret(seed)
    public = _written(_times(factor, BASE))
    chosen = _number(prefix, message)
    shown = _written(_times(chosen, BASE))
    answer = (chosen + _number(shown, public, message) * factor) % ORDER
    return shown + answer.to_bytes(SEED, "little")


def is_key(public: bytes) -> bool:
    """Return whether 32 bytes are a key; those of small order, which anything fits, are none."""
    point = _read(public)
    return point is not None and _written(_times(8, point)) != _written(NEUTRAL)


def verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether a signature is a key's over a message; one that is written otherwise is not."""
    point = _read(public)
    answer = int.from_bytes(signature[SEED:], "little")
    if point is None or len(signature) != 2 * SEED or answer >= ORDER:
        return False
    factor = _number(signature[:SEED], public, message)
    x, y, z, t = _times(factor, point)
    found = _add(_times(answer, BASE), (PRIME - x, y, z, PRIME - t))
    return _written(found) == signature[:SEED]
