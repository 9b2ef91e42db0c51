"""One picture of a camera as the hall's screens are sent it, while a game is drawn before it."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import cv2

from draws.vision import picture
from draws.vision.area import Area
from draws.vision.values import Frame

WIDEST = 640  # pixels
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
        """Give it as it travels: the head, then the JPEG."""
        head = HEAD.pack(VERSION, self.camera, self.taken, self.across, self.down)
        return head + self.jpeg


def unpacked(data: bytes) -> Shot | None:
    """Give what travelled, None where it is no shot of this version."""
    if len(data) <= HEAD.size or data[0] != VERSION:
        return None
    _version, camera, taken, across, down = HEAD.unpack_from(data)
    return Shot(camera, taken, across, down, data[HEAD.size :])


def shot(frame: Frame, area: Area, *, camera: int, taken: float) -> Shot:
    """Make one of a whole frame; `taken` in seconds since 1970."""
    (wide, high), (x, y) = area.size, area.middle
    shown = frame.picture
    if shown.shape[1] > WIDEST:
        scale = WIDEST / shown.shape[1]
        shown = cv2.resize(shown, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return Shot(
        camera=camera,
        taken=round(taken * MILLE),
        across=round(x / wide * MILLE),
        down=round(y / high * MILLE),
        jpeg=picture.whole(shown, QUALITY),
    )
