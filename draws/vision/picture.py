"""The picture that goes with a reading: the exit area as a small JPEG."""

from __future__ import annotations

import cv2

from draws.vision.area import Area
from draws.vision.values import Picture

QUALITIES = (85, 70, 50, 30)
WIDEST = 480  # pixels
LARGEST = 30_000  # bytes


def jpeg(frame: Picture, area: Area) -> bytes:
    """Give the exit area of a frame as a JPEG of at most 30 kB."""
    left, top, right, bottom = area.box
    more = round(area.radius / 2)
    return shrunk(frame[max(0, top - more) : bottom + more, max(0, left - more) : right + more])


def shrunk(part: Picture) -> bytes:
    """Give a picture as a JPEG of at most 480 pixels a side and 30 kB."""
    scale = WIDEST / max(part.shape[:2])
    if scale < 1:
        part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    data = b""
    for quality in QUALITIES:
        data = whole(part, quality)
        if len(data) <= LARGEST:
            break
    return data


def whole(picture: Picture, quality: int = QUALITIES[0]) -> bytes:
    """Give a picture as a JPEG as it is."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
