"""Camera sources: which addresses are allowed, and the frames of a video file or folder of pictures.

An address names a camera or a recording; only some hosts may be asked.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import SplitResult, urlsplit

import cv2
import numpy as np

from bingo import hosts, photographs
from bingo.rules.refusal import Refusal
from draws.balls.vision.values import Frame, Picture

SCHEMES = {"rtsp": 554, "rtsps": 322}
DEVICE = r"(?:/dev/video)?(\d{1,2})"
LOGIN = r"^([A-Za-z][A-Za-z0-9+.-]*:/+)?.*@"
MOST_SIDE = 4096  # pixels that a large photograph is read with, where its format lets it
LEAST_PORT = 1024  # below it a camera has the two of its own; the others are other services'

Means = Literal["network", "device", "video", "folder"]


@dataclass(frozen=True, slots=True)
class Address:
    """A source by its means; `words` is what OpenCV opens, `shown` what may be told and logged."""

    means: Means
    words: str
    shown: str


def camera(words: str, *, loopback: bool = False) -> Address:
    """Read the address of a camera: rtsp:// or rtsps://, /dev/videoN or a number.

    `loopback` lets it be on this machine. Raises Refusal: not_a_camera(address) for a path, a
    file and whatever else a video library would open, address_not_allowed(host) for a host or a
    port that no camera has.
    """
    parts = _parsed(words)
    if isinstance(parts, Address):
        return parts
    port = parts.port or SCHEMES[parts.scheme]
    if port < LEAST_PORT and port not in SCHEMES.values():
        raise Refusal("address_not_allowed", host=f"{parts.hostname}:{port}")
    try:
        host = hosts.resolve(parts.hostname or "", port, loopback=loopback)
    except hosts.NotAllowed:
        raise Refusal("address_not_allowed", host=parts.hostname or "") from None
    except (OSError, UnicodeError):
        # A name that is not known today may be tomorrow; the host is judged when it answers.
        raise Refusal("not_a_camera", address=shown_address(words)) from None
    return Address("network", with_host(parts, host, port), shown_address(words))


def require_form(words: str) -> None:
    """Refuse what is no address of a camera, whether its host is known or not: not_a_camera.

    A slash in a password ends the host, and what follows would be written down as the way to the
    picture: behind the host an @ is %40.
    """
    parts = _parsed(words)
    if isinstance(parts, SplitResult) and "@" in parts.path + parts.query + parts.fragment:
        raise Refusal("not_a_camera", address=shown_address(words))


def address_source(words: str, *, loopback: bool = False) -> Address:
    """Read the address of any source: a camera's, a video file or a folder of pictures.

    Raises Refusal as `camera` does, and not_a_video(file) for a file that is none.
    """
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", words) or re.fullmatch(DEVICE, words.strip()):
        return camera(words, loopback=loopback)
    path = Path(words)
    try:
        if words and path.is_dir() and os.access(path, os.R_OK | os.X_OK):
            return Address("folder", str(path.resolve()), words)
        # A text can be a playlist, and a playlist opens whatever it lists.
        if path.is_file() and not _is_text(path):
            return Address("video", str(path.resolve()), words)
    except (OSError, ValueError):
        # Nobody lets us look, or it is no name of a file.
        pass
    raise Refusal("not_a_video", file=words)


def shown_address(words: str) -> str:
    """Return an address without name, password and questions in it, and no longer than a line.

    What was mistyped is told too: whatever stands before the last @ may be a password.
    """
    named = re.sub(LOGIN, r"\1", words.strip(), flags=re.DOTALL)
    return named.partition("?")[0][:200]


def with_host(parts: SplitResult, host: str, port: int | None) -> str:
    """Return an address with another host and port, and its own login."""
    login = parts.netloc.rpartition("@")[0]
    place = f"[{host}]" if ":" in host else host
    place += f":{port}" if port else ""
    return parts._replace(netloc=f"{login}@{place}" if login else place).geturl()


def _parsed(words: str) -> Address | SplitResult:
    """Return a device, or the parts of a network camera's address. Raises Refusal not_a_camera."""
    words = words.strip()
    if device := re.fullmatch(DEVICE, words):
        name = f"/dev/video{int(device[1])}"
        return Address("device", name, name)
    # A control character could begin a second line in what is sent to the host.
    with contextlib.suppress(ValueError):
        parts = urlsplit(words)
        known = parts.scheme in SCHEMES and parts.hostname and parts.port != 0
        if known and not re.search(r"[\x00-\x20\x7f]", words):
            return parts
    raise Refusal("not_a_camera", address=shown_address(words))


def _is_text(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(512)
    return bool(start) and b"\0" not in start and start.isascii()


USUAL_RATE = 30.0  # frames a second, where a file does not tell
OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
LEAST = 16  # pixels of a side: less shows no ball
# What may be opened: films. A playlist would open whatever it lists, other films of this machine too.
FILMS = "mov,matroska,webm,avi,mpegts,mpeg,asf,flv,ogg,mjpeg,h264,hevc,m4v,mpegvideo,dv"


def recorded(address: Address) -> Iterator[Frame]:
    """Return every frame of a video or a folder.

    Raises Refusal: not_a_video(file) for what cannot be opened or holds no picture,
    resolution_changed(width, height) in mid-stream (a folder's pictures may differ).
    """
    if address.means == "folder":
        yield from _folder(Path(address.words))
        return
    yield from _video(address)


def frames_picture(path: Path) -> Picture:
    """Read one picture, turned as it was taken. Raises Refusal not_a_picture(file): also where a part lacks."""
    try:
        upright = photographs.opened(path, longest=MOST_SIDE)
    except ValueError:
        raise Refusal("not_a_picture", file=str(path)) from None
    if min(upright.size) < LEAST:
        raise Refusal("not_a_picture", file=str(path))
    return np.ascontiguousarray(np.asarray(upright)[..., ::-1])


def rate(address: Address) -> float:
    """Return the frames a second that a video says it has; a folder's are taken for the usual."""
    if address.means == "folder":
        return USUAL_RATE
    capture = _open(address)
    told = _rate(capture)
    capture.release()
    return told


def _rate(capture: cv2.VideoCapture) -> float:
    told = float(capture.get(cv2.CAP_PROP_FPS))
    return told if 1 <= told <= 240 else USUAL_RATE


def _folder(path: Path) -> Iterator[Frame]:
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in photographs.FORMATS)
    if not files:
        raise Refusal("not_a_video", file=str(path))
    for index, file in enumerate(files):
        yield Frame(frames_picture(file), index / USUAL_RATE, index, file.name)


def _video(address: Address) -> Iterator[Frame]:
    capture = _open(address)
    fps, name = _rate(capture), Path(address.shown).name
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
