"""The extractor's picture leaves for the screens: only while it is asked for, and nobody waits."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest
import redis
from django.conf import LazySettings, settings

from draws.balls.cameras_and_live_picture import EVERY, Transmission
from draws.balls.vision.exit_area import Area
from draws.balls.vision.jpeg_pictures import CHANNEL, Shot, unpacked
from draws.balls.vision.values import Frame
from draws.models import Camera
from halls.models import Hall
from tests.support.boards import DEAD

AREA = Area(size=(320, 240), corners=((100, 100), (200, 100), (200, 200)), radius=40)
FRAME = Frame(np.zeros((240, 320, 3), np.uint8), 0.0, 0)
CODE = "transmission"


@pytest.fixture
def camera() -> Camera:
    return Camera(pk=5, name="Exit", hall=Hall(code=CODE))


@pytest.fixture
def screen() -> Iterator[redis.client.PubSub]:
    """What listens to the hall's pictures."""
    with redis.Redis.from_url(settings.REDIS_URL) as client, client.pubsub() as ears:
        ears.subscribe(CHANNEL.format(CODE))
        assert ears.get_message(timeout=2)
        yield ears


def heard(screen: redis.client.PubSub, *, within: float = 1.0) -> Shot | None:
    message = screen.get_message(timeout=within)
    return unpacked(message["data"]) if message else None


@pytest.mark.rule(27)
def test_frame_is_sent_with_the_moment_it_was_taken(
    camera: Camera, screen: redis.client.PubSub
) -> None:
    with Transmission(camera, AREA) as sending:
        sending.on = True
        sending.offer(FRAME, age=2.0)
        told = heard(screen)
    assert told
    assert told.camera == 5
    assert 1.9 < time.time() - told.taken / 1000 < 3


def test_nothing_is_sent_while_it_is_off(camera: Camera, screen: redis.client.PubSub) -> None:
    with Transmission(camera, AREA) as sending:
        sending.offer(FRAME, age=0)
        assert heard(screen, within=0.3) is None


@pytest.mark.slow
def test_more_frames_than_screens_need_are_passed_over(
    camera: Camera, screen: redis.client.PubSub
) -> None:
    seconds = 1.0
    with Transmission(camera, AREA) as sending:
        sending.on = True
        begun = time.monotonic()
        while time.monotonic() < begun + seconds:
            sending.offer(FRAME, age=0)
            time.sleep(0.002)
        count = 0
        while heard(screen, within=0.1):
            count += 1
        # On a busy machine all of it may take longer.
        lasted = time.monotonic() - begun
    assert 1 <= count <= lasted / EVERY + 2


def test_valkey_that_is_away_harms_nothing(camera: Camera, settings: LazySettings) -> None:
    settings.REDIS_URL = DEAD
    with Transmission(camera, AREA) as sending:
        sending.on = True
        for _one in range(3):
            sending.offer(FRAME, age=0)
            time.sleep(0.05)
