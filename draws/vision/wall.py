"""A wall around this process: from when it is raised, it opens no connection to anywhere."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

# The numbers of socket(2), connect(2) and seccomp(2) on each kind of machine.
CALLS = {"x86_64": (41, 42, 317), "aarch64": (198, 203, 277)}
NO_NEW_PRIVILEGES = 38  # PR_SET_NO_NEW_PRIVS, without which only root may raise a wall
FILTER, ALL_THREADS = 1, 1  # SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC
LOAD, EQUAL, GIVE = 0x20, 0x15, 0x06  # BPF: load a word, jump if equal, give an answer
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
INSTRUCTION = struct.Struct("=HBBI")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def put_up() -> None:
    """Let the kernel refuse every thread of this process a further socket or connection.

    Those that are open stay. It cannot be taken down. Raises OSError where there is no such wall.
    """
    if platform.machine() not in CALLS:
        raise OSError(errno.ENOSYS, "no wall on this machine")
    *refused, seccomp = CALLS[platform.machine()]
    code = _code(refused)
    program = _Program(len(code) // INSTRUCTION.size, ctypes.addressof(code))
    kernel = ctypes.CDLL(None, use_errno=True)
    kernel.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if kernel.syscall(seccomp, FILTER, ALL_THREADS, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _code(refused: list[int]) -> ctypes.Array[ctypes.c_char]:
    """Give what the kernel runs at each call: refuse those of these numbers."""
    ways = [(EQUAL, len(refused) - place, 0, call) for place, call in enumerate(refused)]
    steps = [(LOAD, 0, 0, 0), *ways, (GIVE, 0, 0, ALLOW), (GIVE, 0, 0, REFUSE)]
    code = b"".join(INSTRUCTION.pack(*step) for step in steps)
    return ctypes.create_string_buffer(code, len(code))
