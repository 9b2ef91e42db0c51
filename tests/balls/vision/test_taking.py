"""Some seconds of a camera kept as files: on request, at once, or said why not."""

import time
from pathlib import Path

import numpy as np
import pytest

from draws.balls.vision import recording
from draws.balls.vision.recording import (
    DONE,
    LIMIT,
    MOST,
    SILENT,
    TAKING,
    FrameFolder,
    Recorder,
    Taken,
)
from draws.balls.vision.sources import Address
from draws.balls.vision.values import Frame

AT = 1_800_000_000.0


@pytest.fixture
def shelf(tmp_path: Path) -> FrameFolder:
    return FrameFolder(tmp_path / "camera")


def frame(index: int) -> Frame:
    return Frame(np.full((48, 64, 3), index % 250, np.uint8), index / 30, index)


def test_nothing_is_there_before_it_is_asked_for(shelf: FrameFolder) -> None:
    assert shelf.progress(at=AT) == Taken()
    assert (shelf.is_asked(), shelf.pictures(), shelf.still().exists()) == (False, [], False)


def test_recorder_answers_with_the_frames_it_is_offered(shelf: FrameFolder) -> None:
    recorder = Recorder(shelf)
    recorder.offer(frame(0), at=AT)
    shelf.ask(at=AT)
    assert shelf.progress(at=AT).code == TAKING
    for index in range(1, 90):
        recorder.offer(frame(index), at=AT + 3)
    told = shelf.progress(at=AT + 4)
    assert (told.code, shelf.is_asked()) == (DONE, False)
    assert told.fps == pytest.approx(30)
    assert 30 <= told.count <= MOST
    assert len(shelf.pictures()) == told.count
    assert shelf.still().exists()


def test_second_take_replaces_the_first(shelf: FrameFolder) -> None:
    shelf.ask(at=AT)
    shelf.save([frame(index) for index in range(9)], at=AT)
    shelf.save([frame(index) for index in range(4)], at=AT)
    assert len(list(shelf.folder.glob("*.jpg"))) == len(shelf.pictures()) == 4


def test_order_that_nobody_answers_is_said_to_be_lost(shelf: FrameFolder) -> None:
    shelf.ask(at=AT)
    assert shelf.progress(at=AT + 3).code == TAKING
    assert shelf.progress(at=AT + 20).code == SILENT


def test_state_that_cannot_be_read_is_none(shelf: FrameFolder) -> None:
    shelf.ask(at=AT)
    (shelf.folder / "state.json").write_text("[")
    assert shelf.progress(at=AT) == Taken()


@pytest.mark.slow
def test_camera_that_never_answers_keeps_nobody_waiting(shelf: FrameFolder) -> None:
    address = Address("device", "/dev/video97", "/dev/video97")
    shelf.ask(at=time.time())
    begun = time.monotonic()
    recording.take(address, shelf).join(LIMIT + 3)
    assert time.monotonic() - begun < LIMIT + 2
    assert shelf.progress(at=time.time()).code in ("not_a_camera", SILENT)
    assert not shelf.is_asked()
