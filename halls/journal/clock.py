"""Journal the state of the system's clock at a session's beginning and wherever it changes (R58).

It is read again and again, and as a fault suspends or voids a game. `passed` and `began` count by
the readings, whatever was done to the clock; `describe_clock` puts one into words. The state is that which the
kernel knows (adjtimex(2)); no right is needed.
"""

from __future__ import annotations

import ctypes
import time
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from bingo.rules import checkpoints_and_clock
from bingo.rules.checkpoints_and_clock import ClockReading
from bingo.rules.game_flow import Fact
from halls.journal import head, services
from halls.models import JournalEntry, Session


def read_all(*, at: datetime) -> None:
    """Read the clock for every session that is open."""
    for session in Session.objects.filter(closed_at__isnull=True).order_by("pk"):
        note_clock(session, read(), at=at)


@transaction.atomic
def note_clock(session: Session, reading: ClockReading, *, at: datetime) -> JournalEntry | None:
    """Write down a reading that says something new; nothing of a session that has closed since."""
    hall = head.lock(session.hall_id)
    if not Session.objects.filter(pk=session.pk, closed_at__isnull=True).exists():
        return None
    data = checkpoints_and_clock.describe_clock(_last(session.pk), reading)
    if data is None:
        return None
    return services.append(
        hall, Fact(checkpoints_and_clock.READ, data), session=session, by=None, at=at
    )


def passed(since: JournalEntry, at: datetime) -> float:
    """Return how many seconds have passed from an entry of NOTED_EACH to a moment the clock shows."""
    return max(0.0, (at - began(since)).total_seconds())


def began(since: JournalEntry) -> datetime:
    """Return when an entry of NOTED_EACH was written, by the clock as it stands now.

    By how much the clock was set meanwhile is known from its reading at the entry and as it stands:
    of one run of the system, for another has another count of time.
    """
    first = _last(since.session_id, before=since.number)
    told = checkpoints_and_clock.describe_clock(first, read()) if first else None
    step: int = told.get("step", 0) if told else 0
    return (head.clock_then(since) or since.at) + timedelta(microseconds=step)


def _last(session: int | None, *, before: int | None = None) -> ClockReading | None:
    """Return the last reading of a session, or the last one before an entry."""
    told = JournalEntry.objects.filter(session=session, kind=checkpoints_and_clock.READ)
    found = told if before is None else told.filter(number__lt=before)
    entry = found.order_by("number").last()
    return checkpoints_and_clock.read_clock(entry.data) if entry else None


def clock_state(*, synchronised: bool | None, error: int | None) -> str:
    """Say whether the system keeps its clock by a source of time; `error` in microseconds."""
    if synchronised is None:
        return _("the system does not say whether it is synchronised")
    if not synchronised:
        return _("not synchronised with any source of time")
    return _("synchronised, wrong by at most %(seconds)s s") % {"seconds": _seconds(error or 0)}


def step(microseconds: int) -> str:
    """Say by how much the clock was set, or nothing."""
    if not microseconds:
        return ""
    said = {"seconds": _seconds(abs(microseconds))}
    return _("set forward by %(seconds)s s") % said if microseconds > 0 else _("set back by %(seconds)s s") % said  # fmt: skip


def describe_clock(*, synchronised: bool | None, error: int | None, by: int = 0) -> str:
    """Say all that a reading tells: what was done to the clock, then its state."""
    return " · ".join(filter(None, (step(by), clock_state(synchronised=synchronised, error=error))))


def _seconds(microseconds: int) -> str:
    return str(number_format(microseconds / 1_000_000, 3))


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
