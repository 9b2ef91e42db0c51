"""Wakes the screens' processes after a commit; losing a wake-up costs a second, never a fact."""

import logging

import redis
from django.conf import settings

CHANNEL = "bingo:wake"

log = logging.getLogger(__name__)
_valkey = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.2, socket_connect_timeout=0.2)


def send(hall_code: str) -> None:
    """Say that a hall's journal has grown."""
    try:
        _valkey.publish(CHANNEL, hall_code)
    except (redis.RedisError, OSError) as error:
        log.warning("screens are not woken: %s", type(error).__name__)
