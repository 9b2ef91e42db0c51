"""The QR code that a thermal printer is told to draw, taken out of what it is sent."""

from __future__ import annotations

BEGIN = b"\x1d(k"
STORE = b"1P0"


def coded(sent: bytes) -> tuple[str, bytes]:
    """Return the text of the one code, and what is left to print; GS ( k with its length is obeyed."""
    left, stored, drawn = b"", [], 0
    while BEGIN in sent:
        before, _begin, rest = sent.partition(BEGIN)
        length = rest[0] + 256 * rest[1]
        order, sent = rest[2 : 2 + length], rest[2 + length :]
        left += before
        if order.startswith(STORE):
            stored.append(order.removeprefix(STORE).decode())
        drawn += order == b"1Q0"
    (text,) = stored
    assert drawn == 1
    return text, left + sent
