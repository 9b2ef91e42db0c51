"""The operating system's entropy, every byte of it looked at before it is used."""

from __future__ import annotations

import os
from collections.abc import Callable

from draws.sources.health import Watch

STARTING = 4096  # bytes looked at and thrown away at the start; SP 800-90B, 4.3 asks for 1,024


class Entropy:
    """Gives entropy as long as it looks like it; `source(count)` gives so many bytes."""

    def __init__(self, source: Callable[[int], bytes] = os.getrandom) -> None:
        self._source = source
        self._watch = Watch()

    def start(self) -> None:
        """Look at the source before anything is made of it. Raises EntropyFailed."""
        self.take(STARTING)

    def take(self, count: int) -> bytes:
        """Give `count` bytes. Raises EntropyFailed, OSError."""
        taken = self._source(count)
        if len(taken) != count:
            raise OSError("too little entropy at once")
        self._watch.see(taken)
        return taken
