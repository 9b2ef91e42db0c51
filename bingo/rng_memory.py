"""Where the RNG's process keeps what it must not lose: memory that outlives it, and nothing else does.

A file that has no name and lies in memory alone (memfd_create) is made by whoever runs the process,
kept open by them and handed to each process in turn: one that was killed is followed by one that
finds its games there. It is never on a disk. Whoever keeps it open never reads it, and closes itself
to other programs of its user first, as the RNG's process does: /proc gives them no descriptor of it.

Two places are written in turns, each with a number and a digest, so that a process killed in the
middle of writing leaves the one before it whole. What is not whole is nothing.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import struct

SIZE = 1 << 20  # bytes of each place
HEAD = struct.Struct(">QI32s")  # number, length, digest of number and content
SET_DUMPABLE = 4  # PR_SET_DUMPABLE of prctl(2)


def memory() -> int:
    """Make such a file; return its descriptor, of two places that can neither grow nor shrink."""
    made = os.memfd_create("numbers", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(made, 2 * SIZE)
    fcntl.fcntl(
        made, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    )
    return made


def close_to_others() -> None:
    """Let no other program of the same user look into this process. Raises OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(SET_DUMPABLE, 0, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


class Kept:
    """What is kept in such a file. Raises ValueError where the descriptor is none."""

    def __init__(self, descriptor: int) -> None:
        if os.fstat(descriptor).st_size != 2 * SIZE:
            raise ValueError("not the memory of numbers")
        self._descriptor = descriptor
        self._number = max((number for number, _content in self._places()), default=0)

    def read(self) -> bytes:
        """Return what was written last, nothing where nothing was."""
        return max(self._places(), default=(0, b""))[1]

    def write(self, content: bytes) -> None:
        """Keep this in the place of what was written before. Raises OSError where it is too long."""
        if len(content) > SIZE - HEAD.size:
            raise OSError("too much to keep")
        self._number += 1
        head = HEAD.pack(self._number, len(content), _digest(self._number, content))
        os.pwrite(self._descriptor, head + content, self._number % 2 * SIZE)

    def _places(self) -> list[tuple[int, bytes]]:
        found = []
        for place in (0, SIZE):
            number, length, digest = HEAD.unpack(os.pread(self._descriptor, HEAD.size, place))
            content = os.pread(self._descriptor, min(length, SIZE - HEAD.size), place + HEAD.size)
            if number and digest == _digest(number, content):
                found.append((number, content))
        return found


def _digest(number: int, content: bytes) -> bytes:
    return hashlib.sha256(struct.pack(">Q", number) + content).digest()
