"""Sources of bytes, and numbers made of them without bias."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.engine import random_bytes
from bingo.engine.random_bytes import ByteSource, PlainRandom, below, halves, seeded, system, words
from tests.support.engine_chance import FAR, distance, unfair


def saying(*parts: bytes) -> ByteSource:
    """A source that says these bytes and no more."""
    stream = iter(b"".join(parts))
    return lambda count: bytes(next(stream) for _byte in range(count))


def word(value: int) -> bytes:
    return value.to_bytes(4, "little")


@settings(deadline=None)
@given(st.text(), st.lists(st.integers(0, 100_000), max_size=6))
def test_seeded_stream_is_the_same_in_pieces_of_any_size(name: str, sizes: list[int]) -> None:
    source = seeded(name)

    pieces = [source(size) for size in sizes]

    assert [len(piece) for piece in pieces] == sizes
    assert b"".join(pieces) == seeded(name)(sum(sizes))


def test_seeded_stream_of_a_name_never_changes() -> None:
    # A demonstration's cards would be others than its pictures show.
    assert seeded("demonstration")(8).hex() == "41fb45a974cb8af5"


@pytest.mark.parametrize("other", ["", "a ", "A", "ab", "b", "\udcff"])
def test_seeded_streams_of_other_names_differ(other: str) -> None:
    assert seeded("a")(64) != seeded(other)(64)


def test_seeded_stream_does_not_repeat_itself() -> None:
    stream = seeded("long")(4 * random_bytes.BLOCK)
    blocks = [stream[at : at + 64] for at in range(0, len(stream), 64)]

    assert len(set(blocks)) == len(blocks)
    counts = np.bincount(np.frombuffer(stream, np.uint8), minlength=256)
    assert abs(distance(counts, freedom=255)) < FAR


def test_system_source_gives_what_is_asked_and_never_the_same() -> None:
    source = system()

    assert [len(source(count)) for count in (0, 1, 100_000)] == [0, 1, 100_000]
    assert source(32) != source(32)


def test_words_and_halves_read_the_lowest_byte_first() -> None:
    assert words(saying(b"\x01\x02\x03\x04"), 1).tolist() == [0x04030201]
    assert halves(saying(b"\x01\x02\x03\x04"), 2).tolist() == [0x0201, 0x0403]


def test_below_takes_the_high_half_of_the_product() -> None:
    drawn = below(saying(word(2**31 + 1), word(2**32 - 1)), np.array([10, 10]))

    assert drawn.tolist() == [5, 9]


def test_below_draws_again_what_would_favour_a_number() -> None:
    # 2^32 = 3 x 1431655765 + 1: word 0 alone, whose low half is under 1, is one too many.
    drawn = below(saying(word(0), word(1), word(0), word(2**32 - 1)), np.array([3, 3]))

    assert drawn.tolist() == [2, 0]


@pytest.mark.parametrize("end", [2, 3, 7, 90, 1710])
def test_below_is_fair(end: int) -> None:
    drawn = below(seeded("fair"), np.full(200_000, end))

    counts = np.bincount(drawn, minlength=end)
    assert len(counts) == end
    assert distance(counts, freedom=end - 1) < FAR


def test_below_shows_an_unfair_source() -> None:
    drawn = below(unfair(seeded("fair")), np.full(50_000, 90))

    assert distance(np.bincount(drawn, minlength=90), freedom=89) > FAR


def test_rng_draws_again_above_the_last_whole_range() -> None:
    # 255 and 250 are not under 250 = 25 x 10.
    assert PlainRandom(saying(bytes([255, 250, 249, 0]))).randrange(10) == 9
    assert PlainRandom(saying(b"\x00")).randrange(1) == 0
    assert PlainRandom(saying(b"\x01\x00")).randrange(257) == 256


def test_rng_shuffles_fairly() -> None:
    rng = PlainRandom(seeded("shuffle"))
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(12_000):
        held = [0, 1, 2, 3]
        rng.shuffle(held)
        seen[tuple(held)] += 1

    assert len(seen) == 24
    assert distance([*seen.values()], freedom=23) < FAR


def test_rng_leaves_nothing_and_one_as_they_are() -> None:
    for held in ([], [1]):
        before = list(held)
        PlainRandom(saying()).shuffle(held)
        assert held == before


def test_rng_shuffles_what_stands_beside_each_other_apart() -> None:
    held = list(range(1000))
    PlainRandom(seeded("apart")).shuffle(held)

    assert sorted(held) == list(range(1000))
    assert sum(second - first == 1 for first, second in pairwise(held)) < 10
