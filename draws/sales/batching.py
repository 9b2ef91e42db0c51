"""Batch the sales that arrive at the same moment: one lock, one commit for all who wait.

Whoever comes while nobody serves becomes the server of all who wait: one lock, one commit. Each
waits until its own group is durable. A server leaves with its own group done, and hands the next
group to one of those in it, so that nobody stays behind for others. With a single customer there
is no group and no wait.

Customers stand in queues, one a place; a queue is served by one server at a time, and a group takes
from all queues that nobody serves. Two groups may be under way: one is decided while the other
waits for the disk.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from queue import SimpleQueue
from threading import Lock
from typing import Any, Generic, TypeVar

from django.db import InterfaceError, OperationalError, connection

from bingo.rules.refusal import Refusal

MOST = 32  # a group; the next one follows at once
SERVERS = 2

Asked = TypeVar("Asked")
Outcome = TypeVar("Outcome")


class Later(Enum):
    """What `together` says of a place that somebody else holds, in a group of several places."""

    LATER = "later"


LATER = Later.LATER


@dataclass(slots=True, eq=False)
class SaleWaiting:
    """Who waits at a place; is told the outcome, or the group that it is to serve."""

    place: int
    asked: Any
    told: SimpleQueue[Any] = field(default_factory=SimpleQueue)


@dataclass(frozen=True, slots=True)
class Batch:
    """Customers that are served together, those of a place in the order they came."""

    customers: list[SaleWaiting]

    @property
    def places(self) -> set[int]:
        """Where they stand."""
        return {customer.place for customer in self.customers}


class Batcher(Generic[Asked, Outcome]):
    """Has what is asked at the same moment done by `together`, in one transaction.

    `together` gives each one's outcome in order: what came of it, a Refusal, or LATER.
    """

    def __init__(
        self, together: Callable[[Sequence[Asked]], Sequence[Outcome | Refusal | Later]]
    ) -> None:
        """Nobody waits, nobody serves."""
        self._together = together
        self._waiting: OrderedDict[int, deque[SaleWaiting]] = OrderedDict()
        self._served: set[int] = set()
        self._servers = 0
        self._lock = Lock()

    def serve(self, place: int, asked: Asked) -> Outcome:
        """Have `asked` done with whatever else is asked for just now.

        Inside a transaction of the caller's it is done alone, for its commit is not ours to wait
        for. Raises what was refused, or what went wrong.
        """
        if connection.in_atomic_block:
            alone: Outcome = _own(self._together([asked])[0])
            return alone
        mine = SaleWaiting(place, asked)
        told = self._arrived(mine) or mine.told.get()
        if isinstance(told, Batch):
            try:
                self._serve(told.customers)
            finally:
                self._leave(told)
            told = mine.told.get()
        outcome: Outcome = _own(told)
        return outcome

    def _arrived(self, customer: SaleWaiting) -> Batch | None:
        """Return the group to serve when there is a server to be."""
        with self._lock:
            self._waiting.setdefault(customer.place, deque()).append(customer)
            if customer.place in self._served or self._servers == SERVERS:
                return None
            return self._taken()

    def _leave(self, done: Batch) -> None:
        """Let go of a group's places, and let somebody else serve who waits now."""
        with self._lock:
            self._servers -= 1
            self._served -= done.places
            following = self._taken()
        if following:
            following.customers[0].told.put(following)

    def _taken(self) -> Batch | None:
        """Take a group from the queues that nobody serves, the longest untouched queue first."""
        taken: list[SaleWaiting] = []
        for place in [place for place in self._waiting if place not in self._served]:
            queue = self._waiting.pop(place)
            while queue and len(taken) < MOST:
                taken.append(queue.popleft())
            if queue:
                self._waiting[place] = queue
            if len(taken) == MOST:
                break
        if not taken:
            return None
        group = Batch(taken)
        self._served |= group.places
        self._servers += 1
        return group

    def _serve(self, customers: Sequence[SaleWaiting]) -> None:
        """Do a group's work; when something goes wrong with the group, each one's own."""
        try:
            outcomes = self._together([customer.asked for customer in customers])
        except (InterfaceError, OperationalError) as error:
            # The connection may have gone while it committed: done again, it might be done twice.
            _fail_all(customers, error)
        except Exception as error:  # noqa: BLE001  whoever waits is told
            self._one_by_one(customers, error)
        except BaseException as error:
            # This process is being ended in the midst: nobody is to wait for it in vain.
            _fail_all(customers, error)
            raise
        else:
            self._tell_all(customers, outcomes)

    def _tell_all(
        self, customers: Sequence[SaleWaiting], outcomes: Sequence[Outcome | Refusal | Later]
    ) -> None:
        left: dict[int, list[SaleWaiting]] = {}
        for customer, outcome in zip(customers, outcomes, strict=True):
            if outcome is LATER:
                left.setdefault(customer.place, []).append(customer)
            else:
                customer.told.put(outcome)
        for place in left.values():
            self._serve(place)

    def _one_by_one(self, customers: Sequence[SaleWaiting], error: Exception) -> None:
        if len(customers) == 1:
            _fail_all(customers, error)
            return
        for customer in customers:
            self._serve([customer])


def _fail_all(customers: Sequence[SaleWaiting], error: BaseException) -> None:
    for customer in customers:
        customer.told.put(error)


def _own(outcome: Any) -> Any:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
