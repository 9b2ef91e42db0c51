"""The frames of a recorded source: a video file or a folder of pictures, each one in its order."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import cv2

from bingo.rules.refusal import Refusal
from draws.vision.addresses import PICTURES, Address
from draws.vision.values import Frame, Picture

USUAL_RATE = 30.0  # frames a second, where a file does not tell
OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
LEAST = 16  # pixels of a side: less shows no ball
# What may be opened: films. A playlist would open whatever it lists, other films of this machine too.
FILMS = "mov,matroska,webm,avi,mpegts,mpeg,asf,flv,ogg,mjpeg,h264,hevc,m4v,mpegvideo,dv"


def recorded(address: Address) -> Iterator[Frame]:
    """Give every frame of a video or a folder.

    Raises Refusal: not_a_video(file) for what cannot be opened or holds no picture,
    resolution_changed(width, height) in mid-stream (a folder's pictures may differ).
    """
    if address.means == "folder":
        yield from _folder(Path(address.words))
        return
    yield from _video(address)


def picture(path: Path) -> Picture:
    """Read one picture. Raises Refusal not_a_picture(file)."""
    try:
        read = cv2.imread(str(path), cv2.IMREAD_COLOR) if path.is_file() else None
    except cv2.error:
        # It says that it is larger than any picture may be.
        read = None
    if read is None or min(read.shape[:2]) < LEAST:
        raise Refusal("not_a_picture", file=str(path))
    return read  # type: ignore[return-value]


def rate(address: Address) -> float:
    """Give the frames a second that a video says it has."""
    capture = _open(address)
    told = float(capture.get(cv2.CAP_PROP_FPS))
    capture.release()
    return told if 1 <= told <= 240 else USUAL_RATE


def _folder(path: Path) -> Iterator[Frame]:
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURES)
    if not files:
        raise Refusal("not_a_video", file=str(path))
    for index, file in enumerate(files):
        yield Frame(picture(file), index / USUAL_RATE, index, file.name)


def _video(address: Address) -> Iterator[Frame]:
    capture = _open(address)
    told = float(capture.get(cv2.CAP_PROP_FPS))
    fps = told if 1 <= told <= 240 else USUAL_RATE
    name = Path(address.shown).name
    index, shape = 0, None
    try:
        while True:
            good, read = capture.read()
            if not good or min(read.shape[:2]) < LEAST:
                break
            if shape and read.shape != shape:
                raise Refusal("resolution_changed", width=read.shape[1], height=read.shape[0])
            shape = read.shape
            yield Frame(read, index / fps, index, name)  # type: ignore[arg-type]
            index += 1
    finally:
        capture.release()
    if not index:
        raise Refusal("not_a_video", file=address.shown)


def _open(address: Address) -> cv2.VideoCapture:
    with _local_films_only():
        capture = cv2.VideoCapture(address.words, cv2.CAP_FFMPEG)
    if not capture.isOpened():
        raise Refusal("not_a_video", file=address.shown)
    return capture


@contextlib.contextmanager
def _local_films_only() -> Iterator[None]:
    # The library reads this where it opens; a container that names an address opens nothing.
    before = os.environ.get(OPTIONS)
    os.environ[OPTIONS] = f"protocol_whitelist;file|format_whitelist;{FILMS}"
    try:
        yield
    finally:
        os.environ.pop(OPTIONS)
        if before is not None:
            os.environ[OPTIONS] = before
