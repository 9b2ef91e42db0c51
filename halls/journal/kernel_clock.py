"""The state of this system's clock as its kernel knows it (adjtimex(2)); no right is needed."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path

from bingo.rules.journal import ClockReading

BOOT = Path("/proc/sys/kernel/random/boot_id")
UNSYNCHRONISED, ERROR = 0x40, 5  # STA_UNSYNC of the status, TIME_ERROR of the answer
NANOSECONDS = 1_000


class _Timex(ctypes.Structure):
    """struct timex of Linux, with room for all that follows what is read here."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_char * 256),
    )


def read() -> ClockReading:
    """Return the clock's state now; what the system does not tell is None, or without a name."""
    synchronised, error = _kernel()
    # Between two looks at the uninterrupted clock, so that a wait between them does not count.
    first = _uninterrupted()
    wall = time.time_ns()
    second = _uninterrupted()
    return ClockReading(synchronised, error, _boot(), (wall - (first + second) // 2) // NANOSECONDS)


def _kernel() -> tuple[bool | None, int | None]:
    """Ask the kernel; it gives the largest error in microseconds."""
    try:
        adjtimex = ctypes.CDLL(None, use_errno=True).adjtimex
    except (OSError, AttributeError):
        return None, None
    asked = _Timex(modes=0)
    answer = adjtimex(ctypes.byref(asked))
    if answer < 0:
        return None, None
    synchronised = answer != ERROR and not asked.status & UNSYNCHRONISED
    return synchronised, max(int(asked.maxerror), 0)


def _uninterrupted() -> int:
    # Counts on while the machine sleeps, which CLOCK_MONOTONIC does not.
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(clock)


def _boot() -> str:
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
