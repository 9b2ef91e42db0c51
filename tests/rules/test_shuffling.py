"""The order of the balls: every place equally likely, worked out by hand and counted through."""

from collections import Counter
from collections.abc import Callable
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import rng
from bingo.rules.formats import FORMATS


def giving(told: bytes) -> Callable[[int], bytes]:
    """A source that gives these bytes, and then zeros."""
    blocks = iter([told.ljust(rng.BLOCK, b"\0")])
    return lambda count: next(blocks, bytes(count))


def test_order_is_as_worked_out_by_hand() -> None:
    # Of 5 places the low three bits choose: 7 and 6 are none, 2 is the third: ball 30. Then of
    # 10 20 40 50 two bits: 3, ball 50. Of 10 20 40: 3 is none, 0xf1 has 1: 20. Of 10 40: 1.
    source = giving(bytes([7, 0xFE, 2, 3, 3, 0xF1, 0xFF]))
    assert rng.order_shuffle([10, 20, 30, 40, 50], source) == (30, 50, 20, 40, 10)


def test_every_order_of_four_has_the_same_count_of_bytes() -> None:
    """All bytes that can decide: four places two bits, three places two bits, two places one."""
    seen: Counter[tuple[int, ...]] = Counter()
    for first, second, third in product(range(4), range(3), range(2)):
        seen[rng.order_shuffle("abcd", giving(bytes([first, second, third])))] += 1  # type: ignore[arg-type]
    assert seen == dict.fromkeys(permutations("abcd"), 1)


@pytest.mark.parametrize("count", [2, 3, 5, 30, 64, 65, 75, 80, 90, 256])
def test_every_place_has_the_same_count_of_bytes(count: int) -> None:
    seen: Counter[int] = Counter()
    for byte in range(256):
        # A byte that is no place is followed by one that is the first.
        taken = iter([byte, 0])
        place = rng.shuffle_place(count, taken)
        if next(taken, None) is not None:
            seen[place] += 1
    assert sorted(seen) == list(range(count))
    assert len(set(seen.values())) == 1


def test_last_ball_asks_for_nothing() -> None:
    taken = iter([7])
    assert rng.shuffle_place(1, taken) == 0
    assert list(taken) == [7]


@given(st.binary(min_size=600, max_size=600), st.sampled_from(sorted(FORMATS)))
def test_order_has_every_number_once(told: bytes, format: int) -> None:
    numbers = list(FORMATS[format].numbers)
    assert sorted(rng.order_shuffle(numbers, giving(told))) == numbers


def test_source_is_asked_for_more_when_a_block_is_used_up() -> None:
    asked: list[int] = []

    def generate(count: int) -> bytes:
        asked.append(count)
        # 127 is no place among 90; later ones take it.
        return b"\xff" * count if len(asked) < 3 else bytes(count)

    assert rng.order_shuffle(range(1, 91), generate) == tuple(range(1, 91))
    assert asked == [rng.BLOCK] * 3


def test_more_than_a_byte_can_choose_among_is_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        rng.order_shuffle(range(257), bytes)
