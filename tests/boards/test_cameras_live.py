"""The extractor's picture on its way from Valkey to the screens of one process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

import pytest
import redis
from django.conf import LazySettings, settings

from draws.balls.vision.jpeg_pictures import CHANNEL, Shot
from draws.boards import screen_hub
from draws.boards.screen_hub import LATE, MOST_OF_ONE, Theatre
from tests.support.boards import DEAD
from tests.support.listeners import listeners

CODE = "theatre"


@pytest.fixture
def valkey() -> Iterator[redis.Redis]:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        yield client


@pytest.fixture
async def theatre() -> AsyncIterator[Theatre]:
    """A theatre of the test's own, with one viewer."""
    made = Theatre()
    assert made.enter(CODE, "wall")
    await listeners(CODE, many=1)
    yield made
    made.leave(CODE, "wall")
    assert made._stages == {}
    await listeners(CODE, many=0)


def picture(name: bytes, *, camera: int = 1, old: float = 0.0) -> bytes:
    """Return a picture taken so many seconds ago."""
    return Shot(camera, round((time.time() - old) * 1000), 0, 0, name).packed()


def publish(client: redis.Redis, *pictures: bytes) -> None:
    for one in pictures:
        client.publish(CHANNEL.format(CODE), one)


async def after(theatre: Theatre, count: int) -> tuple[int, bytes]:
    async with asyncio.timeout(2):
        number, shot = await theatre.next(CODE, after=count)
        return number, shot.jpeg


async def nothing_after(theatre: Theatre, count: int) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await theatre.next(CODE, after=count)


@pytest.mark.slow
async def test_whoever_asks_is_given_the_newest_and_none_twice(
    theatre: Theatre, valkey: redis.Redis
) -> None:
    publish(valkey, *(picture(b"%d" % one) for one in range(5)))
    await asyncio.sleep(0.2)
    count, newest = await after(theatre, 0)
    assert (count, newest) == (5, b"4")
    await nothing_after(theatre, count)
    publish(valkey, picture(b"next"))
    assert await after(theatre, count) == (6, b"next")


@pytest.mark.slow
async def test_late_picture_is_never_given(theatre: Theatre, valkey: redis.Redis) -> None:
    publish(valkey, picture(b"late", old=LATE + 0.1))
    await nothing_after(theatre, 0)
    publish(valkey, picture(b"fresh"))
    assert (await after(theatre, 0))[1] == b"fresh"
    await asyncio.sleep(LATE + 0.1)
    await nothing_after(theatre, 0)


@pytest.mark.slow
async def test_of_two_cameras_one_is_shown_until_it_is_silent(
    theatre: Theatre, valkey: redis.Redis
) -> None:
    publish(valkey, picture(b"one", camera=1), picture(b"two", camera=2))
    await asyncio.sleep(0.2)
    count, shown = await after(theatre, 0)
    assert shown == b"one"
    await asyncio.sleep(LATE + 0.1)
    publish(valkey, picture(b"two", camera=2))
    count, shown = await after(theatre, count)
    assert shown == b"two"
    publish(valkey, picture(b"one again", camera=1))
    assert (await after(theatre, count))[1] == b"one again"


async def test_what_is_no_picture_and_another_hall_s_picture_are_not_shown(
    theatre: Theatre, valkey: redis.Redis
) -> None:
    publish(valkey, b"", b"nonsense", bytes(100))
    valkey.publish(CHANNEL.format("another"), picture(b"another"))
    await nothing_after(theatre, 0)


async def test_there_is_room_for_so_many_and_again_when_one_has_left(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen_hub, "MOST", 3)
    assert theatre.enter(CODE, "second")
    assert theatre.enter(CODE, "third")
    assert not theatre.enter(CODE, "fourth")
    theatre.leave(CODE, "third")
    assert theatre.enter(CODE, "fourth")
    for address in ("second", "fourth"):
        theatre.leave(CODE, address)


async def test_one_address_alone_does_not_take_all_the_room(theatre: Theatre) -> None:
    assert all(theatre.enter(CODE, "telephone") for _one in range(MOST_OF_ONE))
    assert not theatre.enter(CODE, "telephone")
    assert theatre.enter(CODE, "television")
    theatre.leave(CODE, "television")
    for _one in range(MOST_OF_ONE):
        theatre.leave(CODE, "telephone")


async def test_pictures_come_again_when_valkey_does(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, valkey: redis.Redis
) -> None:
    monkeypatch.setattr(screen_hub, "AGAIN", 0.05)
    there = settings.REDIS_URL
    settings.REDIS_URL = DEAD
    theatre = Theatre()
    theatre.enter(CODE, "wall")
    await nothing_after(theatre, 0)
    settings.REDIS_URL = there
    await listeners(CODE, many=1)
    publish(valkey, picture(b"back"))
    assert (await after(theatre, 0))[1] == b"back"
    theatre.leave(CODE, "wall")
