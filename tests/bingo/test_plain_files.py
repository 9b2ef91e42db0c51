"""A file is written whole or not at all, by whoever wrote it alone, and over nothing but a file."""

from __future__ import annotations

import os
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


def write(path: Path, *, fails: bool = False) -> None:
    """Write the file, up to where it fails."""
    with plain_files.written_whole(path, mode=0o600) as file:
        file.write(b"new")
        if fails:
            raise OSError(28, "No space left on device")


def test_file_that_could_not_be_written_whole_stays_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"before")
    with pytest.raises(OSError, match="No space left"):
        write(file, fails=True)
    assert (file.read_bytes(), list(tmp_path.iterdir())) == (b"before", [file])
    write(file)
    assert (file.read_bytes(), list(tmp_path.iterdir())) == (b"new", [file])
    assert file.stat().st_mode & 0o777 == 0o600


def test_file_that_was_being_written_when_its_program_was_killed_is_in_nobodys_way(
    tmp_path: Path,
) -> None:
    (tmp_path / f".file.{os.getpid()}.part").write_bytes(b"ne")
    write(tmp_path / "file")
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"new"]


def test_link_is_followed(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    write(link)
    assert link.is_symlink()
    assert file.read_bytes() == b"new"


def test_where_no_file_can_be_is_known_before_it_is_written(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, Path("/dev/null"), tmp_path / "nowhere" / "file"):
        with pytest.raises(OSError, match=r"plain file|No such file"):
            plain_files.require_writable(path)
        with pytest.raises(OSError, match=r"plain file|No such file"):
            write(path)
    plain_files.require_writable(tmp_path / "file")
    assert list(tmp_path.iterdir()) == [pipe]
