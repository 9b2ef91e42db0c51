"""A page server of a test's own, started as `serve` starts the hall's."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings as django_settings

from halls.management.commands import serve
from tests.support.database import FreshDatabase

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class PageServer:
    """Where it answers, and its process."""

    port: int
    process: subprocess.Popen[bytes]

    def descriptors(self) -> int:
        """How many files and connections it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        """Return a connection to it."""
        return socket.create_connection(
            ("127.0.0.1", self.port), timeout=10, source_address=(source, 0)
        )

    def get(self, path: str = "/login/", *, source: str = "127.0.0.1", **headers: str) -> str:
        """Ask for a page and return all of the answer."""
        more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        with self.connect(source) as link:
            link.sendall(
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}Connection: close\r\n\r\n".encode()
            )
            told = b""
            while part := link.recv(65_536):
                told += part
        return told.decode("utf-8", "replace")


@contextmanager
def serving(database: FreshDatabase, folder: Path, **settings: str) -> Iterator[PageServer]:
    """Run one while the block runs, with settings that differ from the usual."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    environment = {
        **os.environ, "DATABASE_URL": database.url, "BINGO_DATA": str(folder), "SECRET_KEY": django_settings.SECRET_KEY,
        **settings,
    }  # fmt: skip
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"]
    subprocess.run(collect, cwd=ROOT, env=environment, check=True)
    command = serve._pages(port, ()).argv
    # As Debian's shells give it: the server must ask for more by itself.
    few = ["sh", "-c", 'ulimit -S -n 1024; exec "$@"', "sh"]
    process = subprocess.Popen([*few, *command], cwd=ROOT, env=environment)
    try:
        found = PageServer(port, process)
        _wait(found)
        yield found
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def _wait(server: PageServer) -> None:
    until = time.monotonic() + 180  # a machine that is busy
    while server.process.poll() is None and time.monotonic() < until:
        try:
            if " 200 " in server.get():
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError("the page server does not answer")
