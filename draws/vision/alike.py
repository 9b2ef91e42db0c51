"""Whether two pictures of an exit show the same thing, lying as it lay."""

from __future__ import annotations

import cv2
import numpy as np

from draws.vision.values import Reals

LOOK, PART = 48, 8  # pixels of a side to which a picture is shrunk, and of its parts
# Grey levels: a part of a ball that stays is off by one or two, of another or a turned one by 20.
ALIKE = 8.0


def alike(first: bytes, second: bytes) -> bool:
    """Tell whether two JPEGs of one exit area show the same in each part, light aside.

    In doubt they do not: what is asked twice can be dismissed, a ball taken for another is lost.
    """
    one, other = _look(first), _look(second)
    if one is None or other is None:
        return False
    away = one - other
    parts = np.abs(away - np.median(away)).reshape(LOOK // PART, PART, LOOK // PART, PART)
    return float(parts.mean(axis=(1, 3)).max()) < ALIKE


def _look(jpeg: bytes) -> Reals | None:
    """Give a picture small and grey, (LOOK, LOOK); None where it is none."""
    read = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE) if jpeg else None
    if read is None:
        return None
    return cv2.resize(read, (LOOK, LOOK), interpolation=cv2.INTER_AREA).astype(np.float32)
