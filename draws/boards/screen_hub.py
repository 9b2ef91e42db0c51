"""Send a hall's live state and camera picture to its screens: one subscription a process.

The state is encoded once for every screen. Valkey only says when to look. What is sent is read from
the database, whole, so a screen needs no history: it shows the newest state it was given. Once a
second every hall with a screen is looked at anyway, and a beat tells its screens that what they
show is still true.

The extractor's live picture has no queue. A screen asks for the next picture when it has painted
one. So each shows the newest there is, as often as its network and its machine allow, and none
falls behind.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Protocol

import redis.asyncio as valkey
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import Error as DatabaseError
from django.db.models import F
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from draws.balls.vision.jpeg_pictures import CHANNEL, MILLE, Shot, unpacked
from draws.boards.queries import board
from halls import jackpots, screens
from halls.journal.head import CHANNEL as HEAD_CHANNEL
from halls.models import Hall

BEAT = 1.0  # seconds
# redis-py would by itself try again for several seconds, and no screen would hear a beat meanwhile.
AT_ONCE = Retry(NoBackoff(), 0)

log = logging.getLogger(__name__)


class ScreenSink(Protocol):
    """Whoever shows a hall; takes a text without waiting for its network."""

    def offer(self, text: str, *, beat: bool) -> None:
        """Take the newest state or beat."""


class Hub:
    """The screens of this process, hall by hall, and the one task that keeps them true."""

    def __init__(self) -> None:
        self._screens: dict[str, set[ScreenSink]] = defaultdict(set)
        self._sent: dict[str, tuple[int, str]] = {}
        self._marks: dict[str, int] = {}
        self._first: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._task: asyncio.Task[None] | None = None

    async def join(self, code: str, screen: ScreenSink) -> None:
        """Add a screen and give it the present state.

        A thousand that come back at once after a lost network read it once: what the others show
        is what it shows, and the watch tells all of them what is newer.
        """
        self._screens[code].add(screen)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        try:
            async with self._first[code]:
                if code not in self._sent:
                    read = await self._read(code)
                    # The watch may have sent a newer state meanwhile.
                    self._sent[code] = max(read, self._sent.get(code, read))
        except BaseException:
            self.leave(code, screen)
            raise
        screen.offer(self._sent[code][1], beat=False)

    def leave(self, code: str, screen: ScreenSink) -> None:
        """Forget a screen; the last one to leave ends the watch."""
        self._screens[code].discard(screen)
        if not self._screens[code]:
            del self._screens[code]
            self._sent.pop(code, None)
            self._marks.pop(code, None)
            self._first.pop(code, None)
        if not self._screens and self._task:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        """Look at every hall at each wake-up, and at least once a beat."""
        clock = asyncio.get_running_loop().time
        me = asyncio.current_task()
        next_beat = clock() + BEAT
        async with valkey.Redis.from_url(
            settings.REDIS_URL, retry=AT_ONCE, socket_connect_timeout=BEAT
        ) as client:
            ears = client.pubsub(ignore_subscribe_messages=True)
            # A wait that ends in the moment of its cancelling may tell only of its end.
            while me is None or not me.cancelling():
                await _wait(ears, next_beat - clock())
                due = clock() >= next_beat
                if due:
                    next_beat = clock() + BEAT
                await self._look(beat=due)

    async def _look(self, *, beat: bool) -> None:
        for code in list(self._screens):
            try:
                await self._send_board(code, beat=beat)
            except DatabaseError as error:
                # Without a beat its screens say that they are not sure.
                log.warning("hall %s cannot be read: %s", code, type(error).__name__)

    async def _send_board(self, code: str, *, beat: bool) -> None:
        known, _text = self._sent.get(code, (-1, ""))
        number, mark = await _head(code)
        marked = self._marks.get(code, mark)
        self._marks[code] = mark
        if number != known:
            number, text = await self._read(code)
            self._sent[code] = (number, text)
            self._offer(code, text, beat=False)
        if mark != marked or (beat and number == known):
            told = {"type": "beat", "number": number} | ({"screens": mark} if mark else {})
            self._offer(code, json.dumps(told), beat=True)

    def _offer(self, code: str, text: str, *, beat: bool) -> None:
        for screen in self._screens.get(code, ()):
            screen.offer(text, beat=beat)

    async def _read(self, code: str) -> tuple[int, str]:
        number, value = await database_sync_to_async(board)(code)
        text = json.dumps({"type": "state", "number": number, "board": value})
        return number, text


async def _wait(ears: PubSub, seconds: float) -> None:
    """Wait for a wake-up, or for so many seconds when none comes or Valkey is away."""
    if seconds <= 0:
        return
    try:
        if not ears.subscribed:
            await ears.subscribe(HEAD_CHANNEL)
        await ears.get_message(timeout=seconds)
    except (valkey.RedisError, OSError) as error:
        log.warning("no wake-ups, looking once a second: %s", type(error).__name__)
        await asyncio.sleep(seconds)


@database_sync_to_async
def _head(code: str) -> tuple[int, int]:
    """Return the number of what a board shows, as `get_hall_state` counts, and its screens' mark."""
    halls = Hall.objects.values_list(F("head_number") + jackpots.HEADS)
    return halls.get(code=code)[0], screens.mark(code)


hub = Hub()


LATE = 1.0  # seconds after which a picture is not shown: it would not be what happens
AGAIN = 1.0  # seconds until Valkey is tried again
MOST, MOST_OF_ONE = 200, 20  # screens of a hall that a process shows a camera to; of one address


@dataclass
class _Stage:
    """A hall's newest picture, and who waits for the next."""

    viewers: Counter[str] = field(default_factory=Counter)
    count: int = 0
    shot: Shot | None = None
    newer: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Theatre:
    """The halls whose camera is looked at in this process."""

    def __init__(self) -> None:
        self._stages: dict[str, _Stage] = {}

    def enter(self, code: str, address: str) -> bool:
        """Begin to look at a hall's camera; false where there is no room left, at all or for one."""
        stage = self._stages.setdefault(code, _Stage())
        if stage.viewers.total() >= MOST or stage.viewers[address] >= MOST_OF_ONE:
            return False
        stage.viewers[address] += 1
        if stage.task is None or stage.task.done():
            stage.task = asyncio.create_task(self._follow(code, stage))
        return True

    def leave(self, code: str, address: str) -> None:
        """Look no more; with the last viewer the subscription ends."""
        stage = self._stages[code]
        stage.viewers[address] -= 1
        if not stage.viewers.total():
            del self._stages[code]
            if stage.task:
                stage.task.cancel()

    async def next(self, code: str, *, after: int) -> tuple[int, Shot]:
        """Wait for a picture that is newer than the one so numbered, and not late."""
        stage = self._stages[code]
        while stage.shot is None or stage.count <= after or age(stage.shot) > LATE:
            await stage.newer.wait()
        return stage.count, stage.shot

    async def _follow(self, code: str, stage: _Stage) -> None:
        while True:
            try:
                await self._listen(code, stage)
            except (valkey.RedisError, OSError) as error:
                log.warning("no pictures of the camera: %s", type(error).__name__)
            await asyncio.sleep(AGAIN)

    async def _listen(self, code: str, stage: _Stage) -> None:
        async with (
            valkey.Redis.from_url(settings.REDIS_URL, retry=AT_ONCE) as client,
            client.pubsub(ignore_subscribe_messages=True) as ears,
        ):
            await ears.subscribe(CHANNEL.format(code))
            async for message in ears.listen():
                self._take(stage, message["data"])

    def _take(self, stage: _Stage, data: bytes) -> None:
        """Show a picture; of several cameras the first, until it sends no more."""
        shot = unpacked(data)
        shown = stage.shot
        if shot is None or (shown and shown.camera < shot.camera and age(shown) <= LATE):
            return
        stage.shot = shot
        stage.count += 1
        stage.newer.set()
        stage.newer.clear()


def age(shot: Shot) -> float:
    """Return how many seconds ago a picture was taken, by this machine's clock."""
    return time.time() - shot.taken / MILLE


theatre = Theatre()
