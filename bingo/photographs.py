"""Prepare a photograph, or a picture for the wall, for keeping: upright, small enough, without metadata."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from PIL import ExifTags, Image

from bingo import plain_files
from bingo.rules.refusal import Refusal

FORMATS = {
    ".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".bmp": "BMP", ".webp": "WEBP",
    ".gif": "GIF", ".tif": "TIFF", ".tiff": "TIFF", ".avif": "AVIF",
}  # fmt: skip

LARGEST_FILE = 12_000_000  # bytes, as telephones take them
MOST_PIXELS = 60_000_000
LEAST_SIDE = 120  # pixels
CARD, WALL = 1280, 1920  # pixels of the longer side
MOST_DRAWN = 16_000_000  # pixels of a PNG, which cannot be made smaller as it is read
QUALITIES = (85, 70, 50)


def prepared(
    file: bytes,
    *,
    largest: int,
    longest: int = CARD,
    least: int = LEAST_SIDE,
    drawn: bool = False,
    unfit: Refusal | None = None,
) -> bytes:
    """Return a photograph as a JPEG of at most `largest` bytes, turned upright, without where it was taken.

    `longest` its longer side in pixels, `least` the shorter one's at least; `drawn`: a PNG is taken
    too.

    Raises Refusal: photograph_too_large, and `unfit` for what is none, else not_a_photograph.
    """
    if len(file) > LARGEST_FILE:
        raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)
    try:
        taken = ("JPEG", "PNG") if drawn else ("JPEG",)
        require = partial(_require_sides, least=least)
        upright = _decoded(BytesIO(file), taken, longest=longest, require=require)
    except ValueError:
        raise unfit or Refusal("not_a_photograph") from None
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

    Raises ValueError for what is no picture of `FORMATS`, is too large, or lacks a part.
    """
    try:
        with plain_files.opened(path) as file:
            return _decoded(file, tuple(set(FORMATS.values())), longest=longest)
    except OSError as error:
        raise ValueError(path) from error


# How a picture is turned upright, by what its camera wrote of how it was held.
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _decoded(
    file: BinaryIO,
    formats: tuple[str, ...],
    *,
    longest: int,
    require: Callable[[Image.Image], None] = lambda _found: None,
) -> Image.Image:
    """Return a picture as colours of eight bits, upright. Raises ValueError, or what `require` refuses."""
    try:
        with Image.open(file, formats=formats) as found:
            require(found)
            found.draft("RGB", (longest, longest))
            found.load()
            turn = TURNS.get(found.getexif().get(ExifTags.Base.Orientation, 1))
            upright = found if turn is None else found.transpose(turn)
            if upright.mode.startswith("I"):
                # Grey in 16 bits: Pillow would cut off what is more than eight hold.
                upright = upright.convert("I").point(lambda level: level / 256).convert("L")
            return upright.convert("RGB")
    except Refusal:
        raise
    except Exception as error:
        # Nowhere is written what a decoder raises on a file that is broken on purpose.
        raise ValueError("no picture") from error


def _require_sides(found: Image.Image, *, least: int) -> None:
    wide, high = found.size
    most = MOST_DRAWN if found.format == "PNG" else MOST_PIXELS
    if wide * high > most:
        raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)
    if min(wide, high) < least:
        raise ValueError(f"{wide} × {high}")
