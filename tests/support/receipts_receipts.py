"""What the tests of receipts share with others."""

from __future__ import annotations

import socket
import threading
import time


class Printer:
    """A socket that listens as a printer does, and keeps what it is sent."""

    def __init__(
        self, *, says: bytes = b"", thinks: float = 0, hangs_up: bool = True, port: int = 0
    ) -> None:
        self.socket = socket.create_server(("127.0.0.1", port))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.says, self.thinks, self.hangs_up = says, thinks, hangs_up
        self.received: list[bytes] = []
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        while True:
            try:
                line, _address = self.socket.accept()
            except OSError:
                return
            with line:
                self._take(line)

    def _take(self, line: socket.socket) -> None:
        line.sendall(self.says)
        self.done.wait(self.thinks)
        slip = b"".join(iter(lambda: line.recv(64), b""))
        # Fails when the connection was reset meanwhile, and then the slip is none received.
        line.sendall(self.says)
        self.received.append(slip)
        if not self.hangs_up:
            self.done.wait(10)

    def close(self) -> None:
        self.done.set()
        # A closed socket alone leaves accept() waiting.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(5)


def until_received(printer: Printer, count: int) -> list[bytes]:
    """Return what came, as soon as that many slips are whole."""
    ends = time.monotonic() + 5
    while len(printer.received) < count and time.monotonic() < ends:
        time.sleep(0.01)
    return printer.received
