"""The watch over a hall's journal: woken or not, every screen soon shows the truth."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis
from asgiref.sync import sync_to_async
from django.conf import LazySettings

from draws.boards.screen_hub import Hub
from halls import sessions
from halls.journal import head
from halls.models import Role
from tests.support.boards import DEAD
from tests.support.database import FreshDatabase
from tests.support.evening import Evening


class Recorder:
    """A screen that keeps what it is given, with the time."""

    def __init__(self) -> None:
        self.given: list[tuple[float, dict[str, Any]]] = []

    def offer(self, text: str, *, beat: bool) -> None:
        """Keep it."""
        message = json.loads(text)
        assert (message["type"] == "beat") == beat
        self.given.append((time.monotonic(), message))

    async def until(self, number: int, *, limit: float) -> dict[str, Any]:
        """Wait for the state of a journal number; how long is the test's point."""
        async with asyncio.timeout(limit):
            while True:
                for _at, message in self.given:
                    if message["type"] == "state" and message["number"] >= number:
                        return message
                await asyncio.sleep(0.01)

    @property
    def beats(self) -> list[float]:
        """When beats came."""
        return [at for at, message in self.given if message["type"] == "beat"]


@pytest.fixture
def evening(fresh_database: FreshDatabase) -> Evening:
    """A hall whose cards are on sale, committed."""
    return Evening().reach("selling")


@pytest.fixture
async def hub() -> AsyncIterator[Hub]:
    """A watch of the test's own."""
    made = Hub()
    yield made
    assert made._screens == {}
    assert made._sent == {}
    assert made._first == {}
    assert made._task is None


@pytest.fixture
def no_valkey(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither wake-ups sent nor wake-ups heard: the network's other end is gone."""
    settings.REDIS_URL = DEAD
    monkeypatch.setattr(head, "_valkey", redis.Redis.from_url(DEAD))


@sync_to_async
def noted(evening: Evening) -> int:
    """Commit one more fact and give its number."""
    by = evening.who(Role.HALL_MANAGER)
    entry = sessions.record_note(
        session=evening.session, category="other", text="x", decision="", **by
    )
    return entry.number


async def test_screen_is_given_the_state_when_it_joins(evening: Evening, hub: Hub) -> None:
    screen = Recorder()
    await hub.join("sala", screen)
    first = screen.given[0][1]
    assert (first["type"], first["board"]["phase"]) == ("state", "selling")
    hub.leave("sala", screen)


@pytest.mark.slow
async def test_commit_reaches_every_screen_at_once(evening: Evening, hub: Hub) -> None:
    screens = [Recorder() for _ in range(5)]
    for screen in screens:
        await hub.join("sala", screen)
    await asyncio.sleep(0.3)  # until it listens
    for _again in range(3):
        number = await noted(evening)
        for screen in screens:
            await screen.until(number, limit=0.9)
    for screen in screens:
        hub.leave("sala", screen)


@pytest.mark.slow
@pytest.mark.usefixtures("no_valkey")
async def test_commit_reaches_a_screen_within_a_beat_when_no_wake_up_can(
    evening: Evening, hub: Hub
) -> None:
    screen = Recorder()
    await hub.join("sala", screen)
    for _again in range(3):
        number = await noted(evening)
        await screen.until(number, limit=1.6)
    hub.leave("sala", screen)


@pytest.mark.slow
async def test_lost_wake_up_costs_a_second_and_no_fact(
    evening: Evening, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(head, "_valkey", redis.Redis.from_url(DEAD))
    screen = Recorder()
    await hub.join("sala", screen)
    for _again in range(2):
        number = await noted(evening)
        await screen.until(number, limit=1.6)
    hub.leave("sala", screen)


@pytest.mark.slow
@pytest.mark.parametrize("valkey", ["alive", "dead"])
async def test_beat_comes_once_a_second(
    valkey: str, evening: Evening, hub: Hub, request: pytest.FixtureRequest
) -> None:
    if valkey == "dead":
        request.getfixturevalue("no_valkey")
    screen = Recorder()
    await hub.join("sala", screen)
    await asyncio.sleep(4.4)
    hub.leave("sala", screen)
    gaps = [after - before for before, after in zip(screen.beats, screen.beats[1:], strict=False)]
    assert 3 <= len(screen.beats) <= 4
    assert all(0.7 < gap < 1.5 for gap in gaps), gaps


@pytest.mark.slow
async def test_beat_comes_though_another_hall_is_busy(evening: Evening, hub: Hub) -> None:
    await sync_to_async(lambda: Evening("vizinha").reach("selling"))()
    quiet = Recorder()
    await hub.join("vizinha", quiet)
    until = time.monotonic() + 3.3
    while time.monotonic() < until:
        await noted(evening)
        await asyncio.sleep(0.4)
    hub.leave("vizinha", quiet)
    assert len(quiet.beats) >= 3


@pytest.mark.slow
async def test_watch_goes_on_after_everybody_left_and_somebody_came(
    evening: Evening, hub: Hub
) -> None:
    for _again in range(2):
        screen = Recorder()
        await hub.join("sala", screen)
        await asyncio.sleep(0.3)
        number = await noted(evening)
        await screen.until(number, limit=1.5)
        hub.leave("sala", screen)


@pytest.mark.slow
async def test_state_read_late_never_replaces_a_newer_one(
    evening: Evening, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Recorder()
    await hub.join("sala", first)
    read = hub._read

    async def slow(code: str) -> tuple[int, str]:
        monkeypatch.setattr(hub, "_read", read)
        found = await read(code)
        await first.until(await noted(evening), limit=2)
        return found

    late = Recorder()
    monkeypatch.setattr(hub, "_read", slow)
    await hub.join("sala", late)
    numbers = [message["number"] for _at, message in late.given]
    assert numbers == sorted(numbers)
    hub.leave("sala", first)
    hub.leave("sala", late)


@pytest.mark.slow
async def test_database_that_is_away_stops_the_beats_and_not_the_watch(
    evening: Evening, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    from draws.boards import screen_hub

    async def away(_code: str) -> int:
        raise OperationalError

    screen = Recorder()
    await hub.join("sala", screen)
    with monkeypatch.context() as patched:
        patched.setattr(screen_hub, "_head", away)
        await asyncio.sleep(2.2)
        assert screen.beats == []
    number = await noted(evening)
    await screen.until(number, limit=1.6)
    hub.leave("sala", screen)
