"""Where lines of a log go: a file that several processes write, and a receiver elsewhere.

The file is set aside when it is full, by one process for all. The receiver is told by a thread of
its own, from a queue that loses lines when it is full: nobody waits for a network.
"""

import fcntl
import http.client
import logging
import os
import queue
import socket
import ssl
import sys
import time
from collections.abc import Callable
from logging.handlers import QueueHandler, QueueListener
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

LARGEST = 10_000_000  # bytes of a file before it is set aside
KEPT = 9  # files that were set aside, the newest as .1
WAITING = 1000  # lines that wait for a receiver at the most
PATIENCE = 5.0  # seconds for a receiver to answer
REST = 30.0  # seconds without a try once it did not
SCHEMES = ("syslog+udp", "syslog+tcp", "https")
AUTHORISED = 10 * 8 + 5  # facility authpriv, severity notice (RFC 5424)


class RotatedFile(logging.Handler):
    """Appends a line to a file, mode 0600, whole whoever else writes it."""

    def __init__(self, path: Path, *, largest: int = LARGEST, kept: int = KEPT) -> None:
        """Nothing is opened before there is a line."""
        super().__init__()
        self.path, self.largest, self.kept = path, largest, kept

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line; a full disk is told on stderr and stops nobody."""
        try:
            line = self.format(record).encode("utf-8", "backslashreplace") + b"\n"
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A file of its own: the one that is written changes its name meanwhile.
            held = self._open(self.path.with_name(f"{self.path.name}.lock"))
            try:
                fcntl.flock(held, fcntl.LOCK_EX)
                self._write(line)
            finally:
                os.close(held)
        except OSError:
            self.handleError(record)

    def _open(self, path: Path) -> int:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        return os.open(path, flags, 0o600)

    def _write(self, line: bytes) -> None:
        if self.path.exists() and self.path.stat().st_size + len(line) > self.largest:
            self._set_aside()
        opened = self._open(self.path)
        try:
            os.write(opened, line)
        finally:
            os.close(opened)

    def _set_aside(self) -> None:
        for number in range(self.kept - 1, 0, -1):
            earlier = aside(self.path, number)
            if earlier.exists():
                earlier.replace(aside(self.path, number + 1))
        self.path.replace(aside(self.path, 1))


def aside(path: Path, number: int) -> Path:
    """Return the name of a file that was set aside, the newest as number 1."""
    return path.with_name(f"{path.name}.{number}")


def receiver(address: str) -> SplitResult:
    """Return the parts of a receiver's address: one of SCHEMES, a host, a port or none. Raises ValueError."""
    parts = urlsplit(address)
    # Asked for the port, it refuses one that is no number of a port.
    if parts.scheme not in SCHEMES or not parts.hostname or parts.port == 0:
        known = ", ".join(f"{one}://" for one in SCHEMES)
        raise ValueError(f"{address} is none of {known} with a host and its port")
    return parts


class Elsewhere(logging.Handler):
    """Sends each line to a receiver, and rests a while after one that it did not take."""

    def __init__(self, address: str) -> None:
        """Raises ValueError as `receiver` does."""
        super().__init__()
        parts = receiver(address)
        self.lost, self._rest = 0, 0.0
        self._parts = parts
        self._send: Callable[[SplitResult, str], None] = {
            "syslog+udp": _udp, "syslog+tcp": _tcp, "https": _https,
        }[parts.scheme]  # fmt: skip

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line; what cannot be sent is counted and stays in the file alone."""
        if time.monotonic() < self._rest:
            self.lost += 1
            return
        try:
            self._send(self._parts, self.format(record))
        except (OSError, ValueError, http.client.HTTPException) as error:
            self.lost += 1
            self._rest = time.monotonic() + REST
            told = f"the security log is not sent on: {type(error).__name__}; it is tried again\n"
            sys.stderr.write(told)


def _frame(line: str) -> bytes:
    """Return a line as RFC 5424 has it, without a host of its own: the receiver knows who sends."""
    return f"<{AUTHORISED}>1 - - bingo {os.getpid()} - - {line}".encode()


def _udp(parts: SplitResult, line: str) -> None:
    family, kind, protocol, _name, to = socket.getaddrinfo(
        parts.hostname, parts.port or 514, type=socket.SOCK_DGRAM
    )[0]
    with socket.socket(family, kind, protocol) as out:
        out.sendto(_frame(line), to)


def _tcp(parts: SplitResult, line: str) -> None:
    framed = _frame(line)
    with socket.create_connection((parts.hostname, parts.port or 601), timeout=PATIENCE) as out:
        out.sendall(f"{len(framed)} ".encode() + framed)  # RFC 6587, counted


def _https(parts: SplitResult, line: str) -> None:
    context = ssl.create_default_context()
    link = http.client.HTTPSConnection(
        str(parts.hostname), parts.port, timeout=PATIENCE, context=context
    )
    try:
        target = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        link.request("POST", target, line.encode(), {"Content-Type": "application/json"})
        answer = link.getresponse()
        answer.read(1024)
    finally:
        link.close()
    if answer.status >= 300:
        raise http.client.HTTPException(str(answer.status))


class Dropping(QueueHandler):
    """Puts lines into a queue, and loses them where it is full: `lost` counts them."""

    lost = 0

    def enqueue(self, record: logging.LogRecord) -> None:
        """Put a line in, or count it."""
        try:
            self.queue.put_nowait(record)
        except queue.Full:
            self.lost += 1


def elsewhere(address: str) -> Dropping:
    """Return a handler that sends lines on from a thread. Raises ValueError as Elsewhere does."""
    waiting: queue.Queue[logging.LogRecord] = queue.Queue(WAITING)
    QueueListener(waiting, Elsewhere(address)).start()
    return Dropping(waiting)
