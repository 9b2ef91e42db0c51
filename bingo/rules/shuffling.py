"""The order in which a drum empties, each order equally likely: rejection, and no remainder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

BLOCK = 256  # bytes asked for at once; part of the format, as a generator moves on by requests
WIDEST = 256  # numbers among which one byte can choose

Generate = Callable[[int], bytes]


def order(numbers: Sequence[int], generate: Generate) -> tuple[int, ...]:
    """Take all numbers out of the drum one by one: ball n is the n-th taken.

    The numbers lie in the drum in the order given; each ball is taken from the place that `place`
    gives. `generate(count)` gives fresh random bytes. Raises ValueError for more than WIDEST.
    """
    if len(numbers) > WIDEST:
        raise ValueError("too many numbers for one byte")
    drum = list(numbers)
    stream = _stream(generate)
    return tuple(drum.pop(place(len(drum), stream)) for _ball in range(len(drum)))


def place(count: int, stream: Iterator[int]) -> int:
    """Give one of the places 0 to `count` - 1.

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
