"""The extractor's live picture on the hall's screens: one subscription a process, no queue.

A screen asks for the next picture when it has painted one. So each shows the newest there is, as
often as its network and its machine allow, and none falls behind.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from dataclasses import dataclass, field

import redis.asyncio as valkey
from django.conf import settings

from draws.live.boards import AT_ONCE
from draws.vision.shot import CHANNEL, MILLE, Shot, unpacked

LATE = 1.0  # seconds after which a picture is not shown: it would not be what happens
AGAIN = 1.0  # seconds until Valkey is tried again
MOST, MOST_OF_ONE = 200, 20  # screens of a hall that a process shows a camera to; of one address

log = logging.getLogger(__name__)


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
    """Give how many seconds ago a picture was taken, by this machine's clock."""
    return time.time() - shot.taken / MILLE


theatre = Theatre()
