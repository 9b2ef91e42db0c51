"""One subscription a process, one state encoded once, offered to every screen of a hall.

Valkey only says when to look. What is sent is read from the database, whole, so a screen needs
no history: it shows the newest state it was given. Once a second every hall with a screen is
looked at anyway, and a beat tells its screens that what they show is still true.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from typing import Protocol

import redis.asyncio as valkey
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import Error as DatabaseError

from draws.queries.board import board
from halls.models import Hall
from halls.services.wake import CHANNEL

BEAT = 1.0  # seconds

log = logging.getLogger(__name__)


class Screen(Protocol):
    """Whoever shows a hall; takes a text without waiting for its network."""

    def offer(self, text: str, *, beat: bool) -> None:
        """Take the newest state or beat."""


class Hub:
    """The screens of this process, hall by hall, and the one task that keeps them true."""

    def __init__(self) -> None:
        self._screens: dict[str, set[Screen]] = defaultdict(set)
        self._sent: dict[str, tuple[int, str]] = {}
        self._task: asyncio.Task[None] | None = None

    async def join(self, code: str, screen: Screen) -> None:
        """Add a screen and give it the present state."""
        self._screens[code].add(screen)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        number, text = await self._read(code)
        self._sent.setdefault(code, (number, text))
        screen.offer(text, beat=False)

    def leave(self, code: str, screen: Screen) -> None:
        """Forget a screen; the last one to leave ends the watch."""
        self._screens[code].discard(screen)
        if not self._screens[code]:
            del self._screens[code]
            self._sent.pop(code, None)
        if not self._screens and self._task:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        """Look at every hall at each wake-up, and at least once a beat."""
        last_beat = asyncio.get_running_loop().time()
        async with valkey.Redis.from_url(settings.REDIS_URL) as client:
            while True:
                await self._wait(client)
                now = asyncio.get_running_loop().time()
                due = now - last_beat >= BEAT
                last_beat = now if due else last_beat
                await self._look(beat=due)

    async def _wait(self, client: valkey.Redis) -> None:
        """Wait for a wake-up, or for a beat's time when none comes or Valkey is away."""
        try:
            if not hasattr(self, "_ears"):
                self._ears = client.pubsub(ignore_subscribe_messages=True)
                await self._ears.subscribe(CHANNEL)
            await self._ears.get_message(timeout=BEAT)
        except (valkey.RedisError, OSError) as error:
            log.warning("no wake-ups, looking once a second: %s", type(error).__name__)
            await asyncio.sleep(BEAT)

    async def _look(self, *, beat: bool) -> None:
        for code in list(self._screens):
            try:
                await self._tell(code, beat=beat)
            except DatabaseError as error:
                # Without a beat its screens say that they are not sure.
                log.warning("hall %s cannot be read: %s", code, type(error).__name__)

    async def _tell(self, code: str, *, beat: bool) -> None:
        known, _text = self._sent.get(code, (-1, ""))
        number = await _head(code)
        if number != known:
            number, text = await self._read(code)
            self._sent[code] = (number, text)
            self._offer(code, text, beat=False)
        elif beat:
            self._offer(code, json.dumps({"type": "beat", "number": number}), beat=True)

    def _offer(self, code: str, text: str, *, beat: bool) -> None:
        for screen in self._screens.get(code, ()):
            screen.offer(text, beat=beat)

    async def _read(self, code: str) -> tuple[int, str]:
        number, value = await database_sync_to_async(board)(code)
        text = json.dumps({"type": "state", "number": number, "board": value})
        return number, text


@database_sync_to_async
def _head(code: str) -> int:
    return Hall.objects.values_list("head_number", flat=True).get(code=code)


hub = Hub()
