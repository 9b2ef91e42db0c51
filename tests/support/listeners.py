"""Who listens to the pictures of a hall's camera."""

from __future__ import annotations

import time

import redis
from asgiref.sync import sync_to_async
from django.conf import settings

from draws.balls.vision.jpeg_pictures import CHANNEL

PATIENCE = 5.0  # seconds


@sync_to_async
def listeners(hall_code: str, *, many: int) -> None:
    """Wait until so many processes listen."""
    until = time.monotonic() + PATIENCE
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        while client.pubsub_numsub(CHANNEL.format(hall_code))[0][1] != many:
            assert time.monotonic() < until
            time.sleep(0.01)
