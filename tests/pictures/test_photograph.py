"""Photographs of cards as they are kept: upright, small, and nothing but the picture."""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from io import BytesIO
from pathlib import Path

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


def of_sixteen_bits() -> bytes:
    out = BytesIO()
    levels = np.linspace(0, 65535, 32_000).reshape(160, 200).astype(np.uint16)
    Image.fromarray(levels).save(out, "PNG")
    return out.getvalue()


def test_grey_of_sixteen_bits_keeps_its_levels_on_a_page_and_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "grey.png"
    file.write_bytes(of_sixteen_bits())
    made = photographs.prepared(file.read_bytes(), largest=ROOM, drawn=True)
    for kept in (opened(made), photographs.opened(file, longest=1000)):
        levels = np.asarray(kept)
        assert 120 < levels.mean() < 135
        assert levels.min() < 5
        assert levels.max() > 250


def oddly_described() -> bytes:
    """Return a photograph taken on its side, whose width is written as a word."""
    told = b"II*\0" + struct.pack("<IH", 8, 2)
    told += struct.pack("<HHI4s", 0x100, 2, 4, b"abc\0")
    told += struct.pack("<HHIHHI", 0x112, 3, 1, 6, 0, 0)
    return taken(exif=b"Exif\0\0" + told)


def test_photograph_is_turned_whatever_else_is_written_of_it(tmp_path: Path) -> None:
    file = tmp_path / "odd.jpg"
    file.write_bytes(oddly_described())
    kept = opened(photographs.prepared(file.read_bytes(), largest=ROOM))
    assert kept.size == photographs.opened(file, longest=1000).size == (480, 640)


def every_way() -> list[bytes]:
    """Return a small picture in each format that is taken, and as telephones turn it."""
    told = Image.Exif()
    told[0x0112] = 6
    noise = np.random.default_rng(5).integers(0, 255, (130, 140, 3), dtype=np.uint8)
    sheet = Image.fromarray(noise)
    files = [oddly_described(), of_sixteen_bits()]
    for kind in sorted(set(photographs.FORMATS.values())):
        out = BytesIO()
        sheet.save(out, kind, exif=told)
        files.append(out.getvalue())
    return files


def broken(file: bytes, rng: np.random.Generator) -> bytes:
    """Return a file with some bytes changed, of its head most often, or cut off or doubled."""
    made = bytearray(file)
    for _each in range(rng.integers(1, 8)):
        last = len(made) if rng.random() < 0.3 else min(200, len(made))
        made[rng.integers(last)] = (0, 1, 0x7F, 0x80, 0xFF, int(rng.integers(256)))[rng.integers(6)]
    if rng.random() < 0.2:
        place = rng.integers(len(made))
        made[place:place] = made[place : place + rng.integers(1, 40)]
    return bytes(made[: rng.integers(1, len(made))] if rng.random() < 0.1 else made)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_broken_file_is_a_picture_or_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    file = tmp_path / "broken.jpg"
    sound = every_way()
    for _round in range(80):
        for whole in sound:
            file.write_bytes(broken(whole, rng))
            with suppress(Refusal):
                photographs.prepared(file.read_bytes(), largest=ROOM, drawn=True)
            with suppress(ValueError):
                photographs.opened(file, longest=1000)


def test_picture_of_a_format_that_nobody_sends_is_not_tried(tmp_path: Path) -> None:
    file = tmp_path / "ball.png"
    # A file of DirectDraw whose pixels are of no kind that there is.
    file.write_bytes(b"DDS " + struct.pack("<4I", 124, 0, 200, 200) + bytes(108))
    with pytest.raises(ValueError, match="no picture"):
        photographs.opened(file, longest=1000)


def test_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "ball.jpg"
    os.mkfifo(pipe)
    for named in (pipe, tmp_path):
        with pytest.raises(ValueError, match=str(named)):
            photographs.opened(named, longest=1000)
