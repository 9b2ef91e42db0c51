"""A witness that answers over real HTTP, and what halls' tests ask of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from halls.checkpoints import services as checkpoints_services
from halls.models import Hall
from halls.witness.cosigning import Memory, make
from halls.witness.server import WitnessServer

NAME = "witness.example"


@contextmanager
def answering(memory: Memory, *, port: int = 0, patience: float = 5.0) -> Iterator[WitnessServer]:
    """Let a witness answer on this machine while the block runs."""
    server = WitnessServer(("127.0.0.1", port), memory, patience=patience)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def address(server: WitnessServer) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}"


def of_hall(hall: Hall, folder: Path) -> Memory:
    """Return a new witness that knows the hall's key."""
    memory = make(folder, name=NAME)
    memory.trust(checkpoints_services.vkeys(hall)[-1])
    return memory


def tell(memory: Memory, server: WitnessServer) -> None:
    """Let halls send their checkpoints to a witness."""
    settings.WITNESSES = {NAME: (address(server), memory.key.written)}
