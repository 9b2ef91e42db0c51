"""Photographs of cards as they are kept: upright, small, and nothing but the picture."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from bingo import photographs
from bingo.rules.refusal import Refusal
from tests.support.photographs import photograph as taken

ROOM = 500_000


def opened(file: bytes) -> Image.Image:
    return Image.open(BytesIO(file))


def refused(file: bytes) -> Refusal:
    with pytest.raises(Refusal) as found:
        photographs.prepared(file, largest=ROOM)
    return found.value


def test_photograph_is_made_smaller_and_keeps_its_shape() -> None:
    kept = opened(photographs.prepared(taken(size=(4000, 3000)), largest=ROOM))
    assert (kept.format, kept.size) == ("JPEG", (1280, 960))
    assert opened(photographs.prepared(taken(), largest=ROOM)).size == (640, 480)


def test_turned_photograph_stands_upright_and_says_nothing_of_where_it_was_taken() -> None:
    told = Image.Exif()
    told[0x0112] = 6  # a telephone held upright
    told[0x010E] = "Mesa 12"
    file = taken(exif=told, comment=b"secret")
    kept = opened(photographs.prepared(file, largest=ROOM))
    assert kept.size == (480, 640)
    assert not kept.getexif()
    assert "comment" not in kept.info
    assert (b"secret" in file, b"secret" in photographs.prepared(file, largest=ROOM)) == (
        True,
        False,
    )


def test_noisy_photograph_still_fits() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (960, 1280, 3), dtype=np.uint8)
    out = BytesIO()
    Image.fromarray(noise).save(out, "JPEG", quality=100)
    kept = photographs.prepared(out.getvalue(), largest=ROOM)
    assert len(kept) <= ROOM < len(out.getvalue())


def png() -> bytes:
    out = BytesIO()
    Image.new("RGB", (300, 300)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    "file",
    [b"", b"\xff\xd8\xff\xd9", b"<svg/>", png(), taken()[:-4000], taken(size=(100, 2000))],
    ids=["empty", "hollow", "svg", "png", "cut", "narrow"],
)
def test_what_is_no_photograph_is_refused(file: bytes) -> None:
    assert refused(file) == Refusal("not_a_photograph")


def test_bomb_is_refused_before_it_is_unpacked() -> None:
    wide = Image.new("L", (9000, 9000))
    out = BytesIO()
    wide.save(out, "JPEG", quality=1)
    assert len(out.getvalue()) < photographs.LARGEST_FILE
    for file in (out.getvalue(), bytes(photographs.LARGEST_FILE + 1)):
        assert refused(file) == Refusal("photograph_too_large", most=12)


def test_drawn_picture_is_taken_only_where_it_may_be_one() -> None:
    out = BytesIO()
    Image.new("RGB", (400, 300), "navy").save(out, "PNG")
    made = photographs.prepared(out.getvalue(), largest=100_000, drawn=True)
    with Image.open(BytesIO(made)) as kept:
        assert (kept.format, kept.size) == ("JPEG", (400, 300))
    with pytest.raises(Refusal, match="not_a_photograph"):
        photographs.prepared(out.getvalue(), largest=100_000)


def test_drawn_picture_of_too_many_pixels_is_refused_before_it_is_unpacked() -> None:
    out = BytesIO()
    Image.new("1", (5000, 5000)).save(out, "PNG")
    with pytest.raises(Refusal, match="photograph_too_large"):
        photographs.prepared(out.getvalue(), largest=100_000, drawn=True)
