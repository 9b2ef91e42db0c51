"""How programs of the hall ended by themselves: told at the terminal, and to the hall manager.

A line of JSON each, in a file of the data folder that the hall's own programs alone read. A program may end a few
times within a while, and is started again after a pause that grows; one that ends more often is
spent.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

NAME = "ends.jsonl"
KEPT = 200  # lines of the file that are left at a start
LINES = 5  # last lines of what a program has said
LONGEST = 300  # signs of one
WITHIN = 60.0  # seconds; what ends too often within them, and can be missed, is started after them


@dataclass(frozen=True, slots=True)
class End:
    """One end: when (seconds since 1970), of what, how, its last lines, and what comes of it.

    `pause` are the seconds until it is started again, None where the hall closes without it.
    """

    at: float
    program: str
    how: str
    lines: tuple[str, ...] = ()
    pause: float | None = 0.0

    @property
    def is_too_often(self) -> bool:
        """Whether it had ended more often than it may."""
        return self.pause is None or self.pause >= WITHIN


@dataclass(slots=True)
class Budget:
    """So many ends within so many seconds; `ends` are those that count, on a clock that only grows.

    The first start again is at once, the next after `first` seconds, each further one after twice
    the pause, never longer than `longest`.
    """

    most: int
    within: float
    first: float
    longest: float
    ends: list[float] = field(default_factory=list)

    def is_spent(self, *, at: float) -> bool:
        """Return whether one more end would be one too many."""
        return len(self._counting(at)) >= self.most

    def spend(self, *, at: float) -> float:
        """Count an end, and return the seconds until the program is started again."""
        before = len(self._counting(at))
        self.ends = [*self._counting(at), at]
        return 0.0 if not before else float(min(self.longest, self.first * 2.0 ** (before - 1)))

    def _counting(self, at: float) -> list[float]:
        return [one for one in self.ends if one > at - self.within]


def how(status: int | None) -> str:
    """Say how a process ended, by the status that `subprocess` gives: its signal, or its exit status."""
    if status is None:
        return "it does not answer"
    if status >= 0:
        return f"exit status {status}"
    with suppress(ValueError):
        return f"signal {signal.Signals(-status).name}"
    return f"signal {-status}"


def last_lines(text: Iterable[str]) -> tuple[str, ...]:
    """Return the last lines that say something, shortened."""
    said = [line.strip()[:LONGEST] for line in text if line.strip()]
    return tuple(said[-LINES:])


def tail(log: Path) -> tuple[str, ...]:
    """Return the last lines of a log, none where it cannot be read."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - LINES * 2 * LONGEST))
            return last_lines(file.read().decode("utf-8", "replace").splitlines())
    except OSError:
        return ()


def note(folder: Path, end: End) -> None:
    """Add an end to the file; a disk that is full loses the note, not the hall."""
    line = json.dumps(asdict(end)).encode() + b"\n"
    with suppress(OSError):
        descriptor = os.open(folder / NAME, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)


def read(folder: Path, *, since: float = 0.0) -> list[End]:
    """Return the ends noted since a moment, the oldest first; a line that is none is passed over."""
    found = []
    for line in _lines(folder):
        with suppress(ValueError, TypeError):
            told = json.loads(line)
            end = End(**told | {"lines": tuple(told.get("lines", ()))})
            if end.at >= since:
                found.append(end)
    return found


def shorten(folder: Path) -> None:
    """Leave the newest lines of the file, which is made if need be; nobody else may be writing."""
    (folder / NAME).touch(mode=0o600)
    lines = _lines(folder)
    if len(lines) > KEPT:
        new = folder / f"{NAME}.new"
        new.touch(mode=0o600)
        new.write_text("".join(f"{line}\n" for line in lines[-KEPT:]), encoding="utf-8")
        new.replace(folder / NAME)


def _lines(folder: Path) -> list[str]:
    try:
        return (folder / NAME).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
