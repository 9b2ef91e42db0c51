"""Prepare a photograph, or a picture for the wall, for keeping: upright, small enough, without metadata."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image, ImageOps

from bingo.rules.refusal import Refusal

LARGEST_FILE = 12_000_000  # bytes, as telephones take them
MOST_PIXELS = 60_000_000
LEAST_SIDE = 120  # pixels
CARD, WALL = 1280, 1920  # pixels of the longer side
MOST_DRAWN = 16_000_000  # pixels of a PNG, which cannot be made smaller as it is read
QUALITIES = (85, 70, 50)


def prepared(file: bytes, *, largest: int, longest: int = CARD, drawn: bool = False) -> bytes:
    """Return a photograph as a JPEG of at most `largest` bytes, turned upright, without where it was taken.

    `longest` its longer side in pixels; `drawn`: a PNG is taken too.

    Raises Refusal: photograph_too_large, not_a_photograph.
    """
    if len(file) > LARGEST_FILE:
        raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)
    try:
        with Image.open(BytesIO(file), formats=["JPEG", "PNG"] if drawn else ["JPEG"]) as found:
            _require_sides(found)
            found.draft("RGB", (longest, longest))
            upright = ImageOps.exif_transpose(found).convert("RGB")
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError, EOFError):
        raise Refusal("not_a_photograph") from None
    upright.thumbnail((longest, longest))
    bare = Image.frombytes("RGB", upright.size, upright.tobytes())  # of points alone
    for quality in QUALITIES:
        out = BytesIO()
        bare.save(out, "JPEG", quality=quality, optimize=True)
        if out.tell() <= largest:
            return out.getvalue()
    raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)


def opened(path: Path, *, longest: int) -> Image.Image:
    """Return a picture of a file, turned as it was taken; a JPEG about `longest` pixels at most.

    Raises ValueError for what is no picture, is too large, or lacks a part.
    """
    try:
        with Image.open(path) as found:
            found.draft("RGB", (longest, longest))
            upright = ImageOps.exif_transpose(found)
            if upright.mode.startswith("I"):
                # Grey in 16 bits: Pillow would cut off what is more than eight hold.
                upright = upright.convert("I").point(lambda level: level / 256).convert("L")
            return upright.convert("RGB")
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError, EOFError) as error:
        raise ValueError(path) from error


def _require_sides(found: Image.Image) -> None:
    wide, high = found.size
    most = MOST_DRAWN if found.format == "PNG" else MOST_PIXELS
    if wide * high > most:
        raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)
    if min(wide, high) < LEAST_SIDE:
        raise Refusal("not_a_photograph")
