"""A photograph of a card as it is kept and shown: upright, small enough, and nothing but the picture."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

from bingo.rules.refusal import Refusal

LARGEST_FILE = 12_000_000  # bytes, as telephones take them
MOST_PIXELS = 60_000_000
LONGEST_SIDE = 1280  # pixels: a card's numbers are read on a board from twenty metres
LEAST_SIDE = 120  # pixels
QUALITIES = (85, 70, 50)


def prepared(file: bytes, *, largest: int) -> bytes:
    """Give a photograph as a JPEG of at most `largest` bytes, turned upright, without where it was taken.

    Raises Refusal: photograph_too_large, not_a_photograph.
    """
    if len(file) > LARGEST_FILE:
        raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)
    try:
        with Image.open(BytesIO(file), formats=["JPEG"]) as found:
            _require_sides(found)
            found.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            upright = ImageOps.exif_transpose(found).convert("RGB")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError):
        raise Refusal("not_a_photograph") from None
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    bare = Image.frombytes("RGB", upright.size, upright.tobytes())  # of points alone
    for quality in QUALITIES:
        out = BytesIO()
        bare.save(out, "JPEG", quality=quality, optimize=True)
        if out.tell() <= largest:
            return out.getvalue()
    raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)


def _require_sides(found: Image.Image) -> None:
    wide, high = found.size
    if wide * high > MOST_PIXELS:
        raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)
    if min(wide, high) < LEAST_SIDE:
        raise Refusal("not_a_photograph")
