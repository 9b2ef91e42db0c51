"""The counter: what comes to a process at the same moment is done in one transaction.

Whoever comes while nobody serves becomes the server, and serves all who come meanwhile, a group at
a time: one lock, one commit. Each waits until its own group is durable. With a single customer
there is no group and no wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import Any, TypeVar

from django.db import DatabaseError, connection

from bingo.rules.refusal import Refusal

MOST = 32  # a group; the next one follows at once

Asked = TypeVar("Asked")
Outcome = TypeVar("Outcome")
Together = Callable[[Sequence[Asked]], Sequence["Outcome | Refusal"]]


class Queue:
    """Those who wait at one counter."""

    def __init__(self) -> None:
        """Nobody waits, nobody serves."""
        self.waiting: deque[tuple[Any, Future[Any]]] = deque()
        self.served = False
        self.lock = Lock()


_queues: dict[int, Queue] = {}


def serve(place: int, asked: Asked, together: Together[Asked, Outcome]) -> Outcome:
    """Have `asked` done by `together` with whatever else is asked for at that place just now.

    Inside a transaction of the caller's it is done alone, for its commit is not ours to wait for.
    Raises what was refused, or what went wrong.
    """
    if connection.in_atomic_block:
        return _own(together([asked])[0])
    queue = _queues.setdefault(place, Queue())
    mine: Future[Any] = Future()
    with queue.lock:
        queue.waiting.append((asked, mine))
        serving, queue.served = not queue.served, True
    if serving:
        _serve_all(queue, together)
    outcome: Outcome | Refusal = mine.result()
    return _own(outcome)


def _serve_all(queue: Queue, together: Together[Any, Any]) -> None:
    while True:
        with queue.lock:
            group = [queue.waiting.popleft() for _one in range(min(MOST, len(queue.waiting)))]
            if not group:
                queue.served = False
                return
        _serve(group, together)


def _serve(group: list[tuple[Any, Future[Any]]], together: Together[Any, Any]) -> None:
    """Do a group's work; when the database refuses the group, each one's own."""
    try:
        outcomes = together([asked for asked, _waiting in group])
    except DatabaseError as error:
        _one_by_one(group, together, error)
    except BaseException as error:
        _fail(group, error)
        if not isinstance(error, Exception):
            raise
    else:
        for (_asked, waiting), outcome in zip(group, outcomes, strict=True):
            waiting.set_result(outcome)


def _one_by_one(
    group: list[tuple[Any, Future[Any]]], together: Together[Any, Any], error: DatabaseError
) -> None:
    if len(group) == 1:
        _fail(group, error)
        return
    for one in group:
        _serve([one], together)


def _fail(group: list[tuple[Any, Future[Any]]], error: BaseException) -> None:
    for _asked, waiting in group:
        waiting.set_exception(error)


def _own(outcome: Outcome | Refusal) -> Outcome:
    if isinstance(outcome, Refusal):
        raise outcome
    return outcome
