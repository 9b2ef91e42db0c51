"""A file is written anew in a place aside, and moved when it is whole, by whoever wrote it alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from bingo import plain_files


def test_file_is_moved_when_it_is_whole_and_is_its_owner_s_only(tmp_path: Path) -> None:
    part, out = tmp_path / ".a.part", tmp_path / "a"
    part.write_bytes(b"left by a worker that was killed")
    with plain_files.written_anew(part) as file:
        file.write(b"whole")
        plain_files.move(file, part, out)
    assert (out.read_bytes(), part.exists()) == (b"whole", False)
    assert oct(out.stat().st_mode)[-3:] == "600"


def breaks_off(part: Path, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Begin to write, and come to grief after what others do meanwhile."""
    with plain_files.written_anew(part) as file:
        file.write(b"half")
        meanwhile()
        raise InterruptedError


def test_file_whose_writing_breaks_off_is_deleted(tmp_path: Path) -> None:
    part = tmp_path / ".a.part"
    with pytest.raises(InterruptedError):
        breaks_off(part)
    assert not part.exists()


def test_worker_taken_for_dead_neither_moves_nor_deletes_what_another_writes(
    tmp_path: Path,
) -> None:
    part, out = tmp_path / ".a.part", tmp_path / "a"
    with ExitStack() as others:

        def taken_up() -> None:
            others.enter_context(plain_files.written_anew(part)).write(b"new")

        with pytest.raises(InterruptedError):
            breaks_off(part, taken_up)
        assert part.exists()
    with plain_files.written_anew(part) as dead, plain_files.written_anew(part) as successor:
        successor.write(b"new")
        with pytest.raises(FileNotFoundError):
            plain_files.move(dead, part, out)
        plain_files.move(successor, part, out)
        with pytest.raises(FileNotFoundError):
            plain_files.move(dead, part, out)
    assert out.read_bytes() == b"new"
