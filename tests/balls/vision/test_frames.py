import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from bingo.rules.refusal import Refusal
from draws.balls.vision import exit_area, jpeg_pictures, sources
from draws.balls.vision.rendering import streams
from draws.balls.vision.sources import LEAST
from tests.support.machines import balls, machine, played


def video_of(path: Path, count: int = 20) -> Path:
    shown = played(machine(), balls(7))[:count]
    streams.write_video(path, shown, fps=30.0)
    return path


# A header alone: the library refuses what it would have to hold.
_SIZE = b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
HUGE = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + _SIZE + struct.pack(">I", zlib.crc32(_SIZE))


def refusal_of(path: Path) -> Refusal:
    with pytest.raises(Refusal) as refused:
        list(sources.recorded(sources.address_source(str(path))))
    return refused.value


@pytest.mark.parametrize("name", ["a.mp4", "a.avi"])
def test_every_frame_of_a_video_comes_in_its_order(tmp_path: Path, name: str) -> None:
    read = list(sources.recorded(sources.address_source(str(video_of(tmp_path / name)))))
    assert [frame.index for frame in read] == list(range(20))
    assert [round(frame.at * 30) for frame in read] == list(range(20))
    assert {frame.picture.shape for frame in read} == {(180, 240, 3)}
    assert {frame.file for frame in read} == {name}


def test_folder_gives_its_pictures_by_name(tmp_path: Path) -> None:
    for name in ("b.png", "a.jpg", "c.bmp"):
        cv2.imwrite(str(tmp_path / name), np.zeros((80, 80, 3), np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    read = list(sources.recorded(sources.address_source(str(tmp_path))))
    assert [frame.file for frame in read] == ["a.jpg", "b.png", "c.bmp"]


def test_pipe_in_a_folder_of_pictures_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.jpg")
    assert refusal_of(tmp_path) == Refusal("not_a_picture", file=str(tmp_path / "x.jpg"))


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
    read = list(sources.recorded(sources.address_source(str(tmp_path / "half.avi"))))
    assert 0 < len(read) < 20


def test_picture_that_is_none_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "a.jpg"
    text.write_text("no picture")
    for path in (text, tmp_path / "missing.jpg", tmp_path):
        with pytest.raises(Refusal) as refused:
            sources.frames_picture(path)
        assert refused.value == Refusal("not_a_picture", file=str(path))


@pytest.mark.parametrize(
    "text",
    [
        "ffconcat version 1.0\n# \u00e9\nfile a.mp4\n",
        "ffconcat version 1.0\n#\0\nfile a.mp4\n",
        "#EXTM3U\n# \u00e9\n#EXTINF:1,\na.mp4\n#EXT-X-ENDLIST\n",
    ],
)
def test_list_of_films_opens_none_of_them(tmp_path: Path, text: str) -> None:
    video_of(tmp_path / "a.mp4")
    for name in ("list.mp4", "list.ffconcat", "list.m3u8"):
        (tmp_path / name).write_text(text)
        assert refusal_of(tmp_path / name) == Refusal("not_a_video", file=str(tmp_path / name))


@pytest.mark.parametrize("size", [(3000, 1), (1, 3000), (LEAST - 1, 200)])
def test_picture_too_small_for_a_ball_is_none(tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.zeros((*size, 3), np.uint8))
    assert refusal_of(path) == Refusal("not_a_video", file=str(path))
    assert refusal_of(tmp_path) == Refusal("not_a_picture", file=str(path))


def test_picture_larger_than_any_may_be_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(HUGE)
    assert refusal_of(tmp_path) == Refusal("not_a_picture", file=str(tmp_path / "a.png"))
    assert exit_area.decode(HUGE) is None
    assert jpeg_pictures.decode(HUGE) is None


def test_what_nobody_lets_us_read_is_refused(tmp_path: Path) -> None:
    for name in ("", "a\0b", "/proc/self/mem", "x" * 5000):
        with pytest.raises(Refusal) as refused:
            sources.address_source(name)
        assert refused.value == Refusal("not_a_video", file=name)
