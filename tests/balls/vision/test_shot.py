"""A picture on its way to the hall's screens: small, and saying of what and when."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from draws.balls.vision.exit_area import Area
from draws.balls.vision.jpeg_pictures import HEAD, Shot, shot, unpacked
from draws.balls.vision.values import Frame

WIDE = Area(size=(1280, 720), corners=((900, 300), (1000, 300), (1000, 400), (900, 400)), radius=40)


def test_frame_becomes_a_picture_of_the_whole_machine() -> None:
    frame = Frame(np.full((720, 1280, 3), 90, np.uint8), 1.0, 30)
    made = shot(frame, WIDE, camera=7, taken=1_700_000_000.25)
    seen = cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    assert seen.shape == (360, 640, 3)
    assert (made.camera, made.taken, made.across, made.down) == (7, 1_700_000_000_250, 742, 486)


def test_small_frame_keeps_its_size() -> None:
    area = Area(size=(320, 240), corners=((100, 100), (200, 100), (200, 200)), radius=40)
    made = shot(Frame(np.zeros((240, 320, 3), np.uint8), 0, 0), area, camera=1, taken=0)
    seen = cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    assert seen.shape == (240, 320, 3)


def test_what_travels_arrives() -> None:
    sent = Shot(camera=3, taken=1_700_000_000_000, across=500, down=640, jpeg=b"\xff\xd8 jpeg")
    assert unpacked(sent.packed()) == sent


@pytest.mark.parametrize("data", [b"", b"\x01", bytes(HEAD.size), b"\x02" + bytes(40)])
def test_what_is_no_shot_is_none(data: bytes) -> None:
    assert unpacked(data) is None
