import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from bingo.rules.refusal import Refusal
from draws.balls.vision import sources
from draws.balls.vision.live_camera import FRAME, LARGEST, SLOTS, STATE, Live, _pump
from draws.balls.vision.values import Frame
from tests.support.machines import NEAR, machine
from tests.support.network_camera import NetworkCamera


def shown(count: int = 10_000) -> Iterator[Frame]:
    """An empty cup for as long as somebody looks."""
    for index, frame in enumerate(machine(size=NEAR).still(count / 30)):
        if index < count:
            yield frame


def address_of(url: str) -> sources.Address:
    return sources.camera(url, loopback=True)


def first(live: Live, *, within: float = 15.0) -> Frame:
    until = time.monotonic() + within
    while time.monotonic() < until:
        if frame := live.read(0.2):
            return frame
    raise AssertionError("no frame came")


def ended(live: Live, *, within: float = 15.0) -> Refusal:
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            live.read(0.2)
        except Refusal as refusal:
            return refusal
    raise AssertionError("it was never told")


@pytest.mark.slow
def test_network_camera_is_read_and_only_its_newest_frame_is_given() -> None:
    with NetworkCamera(shown()) as camera, Live(address_of(camera.url)) as live:
        one = first(live)
        assert one.picture.shape == (240, 320, 3)
        assert 20 < one.picture.mean() < 235
        time.sleep(1.0)
        other = first(live)
        # The frames of a second in which nobody looked are left out, and counted.
        assert other.index - one.index >= 15
        assert other.at > one.at
        assert live.now - other.at < 0.5


@pytest.mark.slow
def test_camera_that_goes_away_is_told_at_once() -> None:
    with NetworkCamera(shown()) as camera, Live(address_of(camera.url)) as live:
        first(live)
        camera.cut()
        begun = time.monotonic()
        assert ended(live).code == "not_a_camera"
        assert time.monotonic() - begun < 2


@pytest.mark.slow
def test_reading_process_that_is_killed_is_told() -> None:
    with NetworkCamera(shown()) as camera, Live(address_of(camera.url)) as live:
        first(live)
        os.kill(live.pid, signal.SIGKILL)
        assert ended(live).code == "not_a_camera"


@pytest.mark.slow
def test_reading_process_is_given_no_secret_and_looks_for_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SECRET_KEY", "secret")
    with Live(address_of("rtsp://127.0.0.1:8554/x")) as live:
        told = Path(f"/proc/{live._process.pid}/environ").read_text().split("\0")
    assert "BINGO_SERVED=1" in told  # by which it leaves .env alone
    assert not [one for one in told if one.startswith(("SECRET_KEY", "DATABASE", "REDIS"))]


def test_nobody_there_is_no_camera() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Live(address_of(f"rtsp://127.0.0.1:{port}/x")) as live:
        assert ended(live).code == "not_a_camera"


def test_camera_that_accepts_and_says_nothing_hangs_nobody() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"rtsp://127.0.0.1:{silent.getsockname()[1]}/x"
        with Live(address_of(url)) as live:
            begun = time.monotonic()
            assert live.read(0.3) is None
            assert time.monotonic() - begun < 1
            live.close()
            assert time.monotonic() - begun < 2


@pytest.mark.parametrize(("missed", "given"), [(120, [119, 120]), (4000, [None, 4000])])
def test_frame_has_its_own_count_and_time_after_however_long_a_pause(
    missed: int, given: list[int | None]
) -> None:
    with Live(address_of("rtsp://127.0.0.1:8554/x")) as live:
        live._output, grabber = os.pipe()
        os.set_blocking(grabber, False)

        def grab(count: int) -> None:
            live._map.seek(count % SLOTS * LARGEST)
            live._map.write(bytes([count % 251]) * 48 * 48 * 3)
            with suppress(BlockingIOError):
                os.write(grabber, STATE.pack(FRAME, count, 48, 48, count / 30))

        for count in range(missed):
            grab(count)
        first = live.read(0.1)
        grab(missed)
        frames = [first, live.read(0.1)]
    told = [frame and frame.index for frame in frames]
    assert told == given
    assert all(frame is None or frame.picture.max() == frame.index % 251 for frame in frames)


@pytest.mark.parametrize(
    ("height", "width", "code"),
    [
        (1944, 2592, "pictures_too_large"),
        (12, 640, "pictures_too_small"),
        (480, 63, "pictures_too_small"),
    ],
)
def test_camera_of_too_many_or_too_few_pixels_is_told_as_that_and_not_as_none(
    monkeypatch: pytest.MonkeyPatch, height: int, width: int, code: str
) -> None:
    capture = SimpleNamespace(read=lambda: (True, np.zeros((height, width, 3), np.uint8)))
    with Live(address_of("rtsp://127.0.0.1:8554/x")) as live:
        live._output, grabber = os.pipe()
        with monkeypatch.context() as there:
            there.setattr(sys, "stdout", SimpleNamespace(fileno=lambda: grabber))
            _pump(capture, np.zeros((SLOTS, LARGEST), np.uint8))  # type: ignore[arg-type]
        assert ended(live) == Refusal(code)


@pytest.mark.slow
def test_resolution_that_changes_in_mid_stream_is_refused() -> None:
    def changing() -> Iterator[Frame]:
        for frame in shown():
            if frame.index < 90:
                yield frame
                continue
            small = cv2.resize(frame.picture, (160, 120))
            yield Frame(small, frame.at, frame.index)  # type: ignore[arg-type]

    with NetworkCamera(changing()) as camera, Live(address_of(camera.url)) as live:
        first(live)
        assert ended(live).code in ("resolution_changed", "not_a_camera")


@pytest.mark.slow
def test_no_process_is_left_behind() -> None:
    with NetworkCamera(shown()) as camera:
        live = Live(address_of(camera.url))
        first(live)
        pid = live.pid
        live.close()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
