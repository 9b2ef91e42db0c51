"""What the tests of evening share with others."""

from uuid import uuid4

from django.test import Client
from django.utils import timezone

from halls.journal import clock
from halls.models import Hall
from tests.support.desk import ALL
from tests.support.evening import Evening, books, order


class Hands:
    """The people of a hall pressing buttons; each press comes five times."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.clients: dict[str, Client] = {name: evening.at(name) for name in ALL}
        self.done: set[tuple[str, str]] = set()

    def press(self, desk: str, verb: str, **fields: object) -> str:
        """Send one order five times with one key: 200, then no second effect. Gives the page."""
        clock.read_all(at=timezone.now())  # as a sweep does: an order notes only what is new
        head, key = self._head(), uuid4()
        answer = order(self.clients[desk], desk, verb, key=key, **fields)
        page = answer.content.decode()
        assert answer.status_code == 200, (verb, page[-2500:])
        after = books(self.evening.hall)
        assert self._head() == head + 1
        for _again in range(4):
            repeated = order(self.clients[desk], desk, verb, key=key, **fields)
            assert repeated.status_code in (200, 409)
        assert books(self.evening.hall) == after
        assert self._head() == head + 1
        self.done.add((desk, verb))
        return page

    def _head(self) -> int:
        return Hall.objects.get(pk=self.evening.hall.pk).head_number
