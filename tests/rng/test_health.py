"""Entropy that sticks or leans is noticed, and the system's own is not complained of."""

import os
import random

import pytest

from draws.rng.seeds import FOUND, REPEATED, STARTING, WINDOW, Entropy, EntropyFailed, EntropyTests


@pytest.mark.slow
def test_entropy_of_the_system_passes_for_long() -> None:
    watch = EntropyTests()
    for _block in range(64):
        watch.see(os.urandom(4096))


def test_byte_repeated_too_often_is_noticed_at_once() -> None:
    watch = EntropyTests()
    watch.see(b"\x07" * (REPEATED - 1) + b"\x08" + b"\x07" * (REPEATED - 1))
    with pytest.raises(EntropyFailed, match="repetition"):
        watch.see(b"\x07")


def test_byte_repeated_across_two_takings_is_noticed() -> None:
    taken = iter([b"\x01\x02\x03", b"\x03" * (REPEATED - 1)])
    entropy = Entropy(lambda _count: next(taken))
    assert entropy.take(3) == b"\x01\x02\x03"
    with pytest.raises(EntropyFailed, match="repetition"):
        entropy.take(REPEATED - 1)


def test_value_that_comes_too_often_in_a_window_is_noticed() -> None:
    # The watched value comes every twelfth byte, never twice together.
    leaning = bytes(0 if at % 12 == 0 else 1 + at % 251 for at in range(WINDOW))
    assert leaning.count(0) > FOUND
    with pytest.raises(EntropyFailed, match="proportion"):
        EntropyTests().see(leaning)


def test_source_with_a_tenth_of_one_value_is_noticed_before_anything_is_made_of_it() -> None:
    chance = random.Random(1)
    leaning = Entropy(
        lambda count: bytes(
            0 if chance.random() < 0.1 else chance.randrange(256) for _ in range(count)
        )
    )
    with pytest.raises(EntropyFailed):
        leaning.take(10 * STARTING)


def test_window_is_left_behind() -> None:
    spread = bytes(range(256)) * (4 * WINDOW // 256)
    EntropyTests().see(spread)


def test_start_looks_at_as_much_as_the_standard_asks() -> None:
    asked: list[int] = []

    def source(count: int) -> bytes:
        asked.append(count)
        return os.urandom(count)

    Entropy(source).start()
    assert sum(asked) == STARTING >= 1024


def test_too_little_entropy_at_once_is_an_error() -> None:
    with pytest.raises(OSError, match="too little"):
        Entropy(lambda count: os.urandom(count - 1)).take(8)
