"""Random orders: sorted by drawn keys, all equally likely."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.engine import strips
from bingo.engine.random_bytes import seeded
from tests.support.engine_chance import FAR, distance


def sorted_by(network: tuple[tuple[int, int], ...], values: list[int]) -> list[int]:
    held = list(values)
    for upper, lower in network:
        if held[upper] > held[lower]:
            held[upper], held[lower] = held[lower], held[upper]
    return held


@pytest.mark.parametrize("size", range(1, 12))
def test_network_sorts_all_zeros_and_ones_and_therefore_all(size: int) -> None:
    for values in product((0, 1), repeat=size):
        assert sorted_by(strips.network(size), list(values)) == sorted(values)


@settings(deadline=None)
@given(
    st.integers(12, 40).flatmap(lambda size: st.lists(st.integers(), min_size=size, max_size=size))
)
def test_network_of_any_size_sorts(values: list[int]) -> None:
    assert sorted_by(strips.network(len(values)), values) == sorted(values)


@pytest.mark.parametrize(("size", "count"), [(1, 5), (10, 1), (11, 300), (20, 300), (32, 50)])
def test_orders_hold_every_place_once(size: int, count: int) -> None:
    drawn = strips.orders(seeded("orders"), size, count)

    assert drawn.shape == (size, count)
    assert (np.sort(drawn, axis=0) == np.arange(size)[:, np.newaxis]).all()


def test_orders_are_all_equally_likely() -> None:
    drawn = strips.orders(seeded("fair"), 4, 24_000)
    seen = Counter(map(tuple, drawn.T.tolist()))

    assert len(seen) == 24
    assert distance([*seen.values()], freedom=23) < FAR


def test_orders_put_every_place_everywhere() -> None:
    drawn = strips.orders(seeded("places"), 20, 20_000)
    counts = [np.bincount(row, minlength=20) for row in drawn]

    assert distance(counts, freedom=19 * 19) < FAR


def test_orders_show_a_source_that_rises() -> None:
    drawn = strips.orders(lambda count: bytes(at * 256 // count for at in range(count)), 2, 900)

    assert distance(np.bincount(drawn[0], minlength=2), freedom=1) > FAR


def test_shuffled_keeps_each_column_s_labels() -> None:
    labels = np.array([[0, 3], [0, 3], [1, 2], [5, 9]], dtype=np.uint8)

    drawn = strips.shuffled(seeded("labels"), np.tile(labels, 50))

    for column in range(100):
        assert sorted(drawn[:, column]) == sorted(labels[:, column % 2])


def test_shuffled_draws_equal_keys_again() -> None:
    said = iter([bytes([0, 0, 0, 0]), bytes([0, 255, 0, 0])])

    # Two keys of nought leave the order open; then the first label gets the higher key.
    drawn = strips.shuffled(lambda _count: next(said), np.array([[0], [1]], dtype=np.uint8))

    assert drawn.ravel().tolist() == [1, 0]
    assert next(said, None) is None
