"""Whose request is answered next: nobody has all the threads, and no queue grows without end.

Each request waits in the event loop, not in a thread, until whoever asks has fewer under way than
they may. A browser that is logged in counts for itself, everybody else by the address; an address
as a whole leaves threads to the others. Passwords have threads of their own, for they wait for
their turn in one (`halls.passwords`): were those the threads of the pages, no sale would find one.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from bingo.proxies import place_of

Key = tuple[str, str]

COOKIE = re.compile(rb"(?:^|;)\s*(?:__Host-)?sessionid=([\w-]{1,64})")


class Crowded(Exception):
    """Whoever asks has too many requests waiting already."""


@dataclass(slots=True)
class _Line:
    free: asyncio.Semaphore
    people: int = 0


@dataclass(slots=True)
class Queues:
    """Lines of requests by who asks: `at_once` are under way, `waiting` more may wait."""

    at_once: int
    waiting: int
    _lines: dict[Key, _Line] = field(default_factory=dict)

    @asynccontextmanager
    async def turn(self, key: Key) -> AsyncIterator[None]:
        """Wait for a turn and keep it while the block runs. Raises Crowded."""
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = _Line(asyncio.Semaphore(self.at_once))
        if line.people >= self.at_once + self.waiting:
            raise Crowded
        line.people += 1
        try:
            async with line.free:
                yield
        finally:
            line.people -= 1
            if not line.people:
                del self._lines[key]


class Turns:
    """The queues of pages and of passwords."""

    def __init__(self) -> None:
        # A page has its parts and its order at the same time, and a little patience.
        self._browsers = Queues(at_once=3, waiting=24)
        # 300 phones behind one router open the board again after the network was away.
        self._strangers = Queues(at_once=8, waiting=600)
        self._places = Queues(at_once=16, waiting=800)
        # Few hash at once; the others wait here, where they cost nothing, or are told to come again.
        self._passwords = Queues(at_once=4, waiting=16)

    @asynccontextmanager
    async def turn(self, scope: dict[str, Any], *, password: bool) -> AsyncIterator[None]:
        """Keep a turn of whoever asks, while the block runs. Raises Crowded."""
        place = ("place", place_of(str((scope.get("client") or ("",))[0])))
        async with AsyncExitStack() as held:
            if password:
                await held.enter_async_context(self._passwords.turn(place))
            else:
                browser = _browser(scope)
                own = self._browsers if browser else self._strangers
                await held.enter_async_context(own.turn(("browser", browser) if browser else place))
                await held.enter_async_context(self._places.turn(place))
            yield


def _browser(scope: dict[str, Any]) -> str:
    for name, value in scope["headers"]:
        if name == b"cookie" and (found := COOKIE.search(value)):
            return found[1].decode("ascii", "replace")
    return ""
