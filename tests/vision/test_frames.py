from pathlib import Path

import cv2
import numpy as np
import pytest

from bingo.rules.refusal import Refusal
from draws.vision import addresses, frames
from draws.vision.rendering import video
from tests.vision.machines import balls, machine, played


def video_of(path: Path, count: int = 20) -> Path:
    shown = played(machine(), balls(7))[:count]
    video.write(path, shown, fps=30.0)
    return path


def refusal_of(path: Path) -> Refusal:
    with pytest.raises(Refusal) as refused:
        list(frames.recorded(addresses.source(str(path))))
    return refused.value


@pytest.mark.parametrize("name", ["a.mp4", "a.avi"])
def test_every_frame_of_a_video_comes_in_its_order(tmp_path: Path, name: str) -> None:
    read = list(frames.recorded(addresses.source(str(video_of(tmp_path / name)))))
    assert [frame.index for frame in read] == list(range(20))
    assert [round(frame.at * 30) for frame in read] == list(range(20))
    assert {frame.picture.shape for frame in read} == {(180, 240, 3)}
    assert {frame.file for frame in read} == {name}


def test_folder_gives_its_pictures_by_name(tmp_path: Path) -> None:
    for name in ("b.png", "a.jpg", "c.bmp"):
        cv2.imwrite(str(tmp_path / name), np.zeros((80, 80, 3), np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    read = list(frames.recorded(addresses.source(str(tmp_path))))
    assert [frame.file for frame in read] == ["a.jpg", "b.png", "c.bmp"]


def test_what_is_no_video_is_refused(tmp_path: Path) -> None:
    junk, empty = tmp_path / "junk.mp4", tmp_path / "empty.mp4"
    junk.write_bytes(np.random.default_rng(1).bytes(50_000))
    empty.write_bytes(b"")
    assert refusal_of(junk) == Refusal("not_a_video", file=str(junk))
    assert refusal_of(empty) == Refusal("not_a_video", file=str(empty))
    folder = tmp_path / "nothing"
    folder.mkdir()
    assert refusal_of(folder) == Refusal("not_a_video", file=str(folder))


def test_half_a_video_is_refused_or_read_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = video_of(tmp_path / "a.avi").read_bytes()
    (tmp_path / "half.avi").write_bytes(whole[: len(whole) // 2])
    read = list(frames.recorded(addresses.source(str(tmp_path / "half.avi"))))
    assert 0 < len(read) < 20


def test_picture_that_is_none_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "a.jpg"
    text.write_text("no picture")
    for path in (text, tmp_path / "missing.jpg", tmp_path):
        with pytest.raises(Refusal) as refused:
            frames.picture(path)
        assert refused.value == Refusal("not_a_picture", file=str(path))
