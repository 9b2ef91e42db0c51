"""The counter: who comes meanwhile is served together, nobody stays behind for others."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from django.db import OperationalError

from bingo.rules.refusal import Refusal
from draws.sales import batching
from draws.sales.batching import LATER, Batcher

PATIENCE = 10.0  # seconds

Asked = tuple[int, str]  # a place and a name


class Desk:
    """What is done at a counter: each group waits until it is let through, if any is held."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []
        self.gates: list[Event] = []
        self.held_elsewhere: set[int] = set()
        self.counter: Batcher[Asked, str] = Batcher(self.together)

    def together(self, asked: Sequence[Asked]) -> list[Any]:
        """Do a group's work."""
        turn = len(self.groups)
        self.groups.append([name for _place, name in asked])
        if turn < len(self.gates):
            assert self.gates[turn].wait(PATIENCE)
        several = len({place for place, _name in asked}) > 1
        return [self._done(place, name, several=several) for place, name in asked]

    def _done(self, place: int, name: str, *, several: bool) -> object:
        if name == "lost":
            raise OperationalError(name)
        if name == "wrong":
            raise ValueError(name)
        if name == "refused":
            return Refusal("sold_out")
        return LATER if several and place in self.held_elsewhere else f"{name} served"

    def hold(self, groups: int) -> None:
        """Hold the first groups until each is let through."""
        self.gates = [Event() for _group in range(groups)]

    def until(self, groups: int, waiting: int) -> None:
        """Wait until so many groups have begun and so many customers stand in queues."""
        end = time.monotonic() + PATIENCE
        while (len(self.groups), self._waiting()) != (groups, waiting):
            assert time.monotonic() < end, (self.groups, self._waiting())
            time.sleep(0.001)

    def _waiting(self) -> int:
        return sum(len(queue) for queue in list(self.counter._waiting.values()))


@pytest.fixture
def desk() -> Desk:
    """A desk with nobody at it."""
    return Desk()


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    """A thread for every customer."""
    with ThreadPoolExecutor(batching.MOST * 2) as pool:
        yield pool


def come(desk: Desk, threads: ThreadPoolExecutor, *asked: Asked) -> list[Future[str]]:
    """Let customers come, each once the one before stands in the queue or is served."""
    coming = []
    for place, name in asked:
        known = len(desk.groups) + desk._waiting()
        coming.append(threads.submit(desk.counter.serve, place, (place, name)))
        end = time.monotonic() + PATIENCE
        while len(desk.groups) + desk._waiting() == known:
            assert time.monotonic() < end
            time.sleep(0.001)
    return coming


def results(coming: list[Future[str]]) -> list[str]:
    """What each was told: the outcome, or the name of what was raised."""
    told = []
    for one in coming:
        error = one.exception(PATIENCE)
        told.append(type(error).__name__ if error else one.result())
    return told


def test_single_customer_is_a_group(desk: Desk) -> None:
    assert desk.counter.serve(1, (1, "a")) == "a served"
    assert desk.groups == [["a"]]


def test_who_comes_meanwhile_is_the_next_group_in_order(
    desk: Desk, threads: ThreadPoolExecutor
) -> None:
    desk.hold(1)
    coming = come(desk, threads, *((1, name) for name in "abcde"))
    desk.gates[0].set()
    assert results(coming) == [f"{name} served" for name in "abcde"]
    assert desk.groups == [["a"], ["b", "c", "d", "e"]]


def test_server_leaves_with_its_own_group(desk: Desk, threads: ThreadPoolExecutor) -> None:
    desk.hold(2)
    first, second, third = come(desk, threads, (1, "a"), (1, "b"), (1, "c"))
    desk.gates[0].set()
    assert first.result(PATIENCE) == "a served"
    assert not second.done()
    assert not third.done()
    desk.gates[1].set()
    assert results([second, third]) == ["b served", "c served"]


def test_two_places_are_served_side_by_side(desk: Desk, threads: ThreadPoolExecutor) -> None:
    desk.hold(2)
    first, second = come(desk, threads, (1, "a"), (2, "b"))
    desk.gates[1].set()
    assert second.result(PATIENCE) == "b served"
    assert not first.done()
    desk.gates[0].set()
    assert first.result(PATIENCE) == "a served"


def test_place_is_never_served_twice_at_once(desk: Desk, threads: ThreadPoolExecutor) -> None:
    desk.hold(2)
    coming = come(desk, threads, (1, "a"), (2, "b"), (1, "c"), (3, "d"))
    desk.gates[1].set()
    assert results(coming[1:2] + coming[3:]) == ["b served", "d served"]
    # The queue of place 1 waits for its own server, whoever else may be free.
    assert desk.groups == [["a"], ["b"], ["d"]]
    desk.gates[0].set()
    assert results(coming) == ["a served", "b served", "c served", "d served"]


def test_group_takes_from_all_places_that_nobody_serves(
    desk: Desk, threads: ThreadPoolExecutor
) -> None:
    desk.hold(2)
    waiting = [(place, f"{name}{place}") for name in "xy" for place in (3, 4, 5)]
    coming = come(desk, threads, (1, "a"), (2, "b"), *waiting)
    desk.gates[0].set()
    assert results(coming[:1] + coming[2:]) == [
        "a served",
        *(f"{name} served" for _, name in waiting),
    ]
    assert desk.groups[2] == ["x3", "y3", "x4", "y4", "x5", "y5"]
    desk.gates[1].set()


def test_group_has_an_end(desk: Desk, threads: ThreadPoolExecutor) -> None:
    desk.hold(1)
    names = [str(number) for number in range(batching.MOST + 5)]
    coming = come(desk, threads, *((1, name) for name in names))
    desk.gates[0].set()
    assert results(coming) == [f"{name} served" for name in names]
    assert [len(group) for group in desk.groups] == [1, batching.MOST, 4]
    assert [name for group in desk.groups for name in group] == names


def test_place_that_is_held_elsewhere_is_served_alone(
    desk: Desk, threads: ThreadPoolExecutor
) -> None:
    desk.held_elsewhere = {4}
    desk.hold(2)
    coming = come(desk, threads, (1, "a"), (2, "b"), (3, "c"), (4, "d"), (4, "e"))
    desk.gates[0].set()
    desk.gates[1].set()
    assert results(coming) == [f"{name} served" for name in "abcde"]
    assert desk.groups[2:] == [["c", "d", "e"], ["d", "e"]]


def test_refusal_and_error_reach_their_own_alone(desk: Desk, threads: ThreadPoolExecutor) -> None:
    desk.hold(1)
    coming = come(
        desk, threads, (1, "a"), (1, "b"), (1, "refused"), (1, "wrong"), (1, "c")
    )  # fmt: skip
    desk.gates[0].set()
    assert results(coming) == ["a served", "b served", "Refusal", "ValueError", "c served"]


def test_lost_connection_is_told_to_all_and_nothing_done_again(
    desk: Desk, threads: ThreadPoolExecutor
) -> None:
    desk.hold(1)
    coming = come(desk, threads, (1, "a"), (1, "b"), (1, "lost"))
    desk.gates[0].set()
    assert results(coming) == ["a served", "OperationalError", "OperationalError"]
    assert desk.groups == [["a"], ["b", "lost"]]
    assert desk.counter.serve(1, (1, "c")) == "c served"
