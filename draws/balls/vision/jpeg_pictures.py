"""Encode pictures: a reading's exit area as a small JPEG, and the live shots for the hall's screens.

Live shots are sent while a game is drawn before the camera.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import cv2

from draws.balls.vision import exit_area
from draws.balls.vision.exit_area import Area
from draws.balls.vision.values import Frame, Picture

QUALITIES = (85, 70, 50, 30)
PICTURE_WIDEST = 480  # pixels
LARGEST = 30_000  # bytes


def jpeg(frame: Picture, area: Area) -> bytes:
    """Return the exit area of a frame as a JPEG of at most 30 kB."""
    left, top, right, bottom = area.box
    more = round(area.radius / 2)
    return shrunk(frame[max(0, top - more) : bottom + more, max(0, left - more) : right + more])


def decode(jpeg: bytes) -> Picture | None:
    """Return the picture (h, w, 3) that a JPEG holds, None where it holds none."""
    return exit_area.decode(jpeg, cv2.IMREAD_COLOR)


def smaller(picture: Picture, scale: float) -> Picture:
    """Return a picture made smaller by a factor; from 1 on it stays as it is."""
    if scale >= 1:
        return picture
    high, wide = (max(1, round(side * scale)) for side in picture.shape[:2])
    # A strip keeps a pixel's width; what has more is scaled by the factor itself.
    size = (wide, high) if min(wide, high) == 1 else None
    return cv2.resize(picture, size, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def shrunk(part: Picture) -> bytes:
    """Return a picture as a JPEG of at most 480 pixels a side and 30 kB."""
    part = smaller(part, PICTURE_WIDEST / max(part.shape[:2]))
    data = b""
    for quality in QUALITIES:
        data = whole(part, quality)
        if len(data) <= LARGEST:
            break
    return data


def whole(picture: Picture, quality: int = QUALITIES[0]) -> bytes:
    """Return a picture as a JPEG as it is."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


SHOT_WIDEST = 640  # pixels
QUALITY = 70
MILLE = 1000
# Version, camera, when it was taken in ms since 1970, the exit's middle per mille; network order.
HEAD = struct.Struct("!BIQHH")
VERSION = 1
CHANNEL = "bingo:camera:{}"  # of a hall, by its code


@dataclass(frozen=True, slots=True)
class Shot:
    """A JPEG of at most 640 pixels' width, and of what: `taken` in ms since 1970.

    `across` and `down` say where balls come to rest, per mille of the picture.
    """

    camera: int
    taken: int
    across: int
    down: int
    jpeg: bytes

    def packed(self) -> bytes:
        """Return it as it travels: the head, then the JPEG."""
        head = HEAD.pack(VERSION, self.camera, self.taken, self.across, self.down)
        return head + self.jpeg


def unpacked(data: bytes) -> Shot | None:
    """Return what travelled, None where it is no shot of this version."""
    if len(data) <= HEAD.size or data[0] != VERSION:
        return None
    _version, camera, taken, across, down = HEAD.unpack_from(data)
    return Shot(camera, taken, across, down, data[HEAD.size :])


def shot(frame: Frame, area: Area, *, camera: int, taken: float) -> Shot:
    """Make one of a whole frame; `taken` in seconds since 1970."""
    (wide, high), (x, y) = area.size, area.middle
    shown = smaller(frame.picture, SHOT_WIDEST / frame.picture.shape[1])
    return Shot(
        camera=camera,
        taken=round(taken * MILLE),
        across=round(x / wide * MILLE),
        down=round(y / high * MILLE),
        jpeg=whole(shown, QUALITY),
    )
