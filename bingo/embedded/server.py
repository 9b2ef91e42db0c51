"""One server as a child process: started, watched, stopped."""

import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bingo.embedded.error import EmbeddedError
from bingo.embedded.postgresql import ENVIRONMENT

START = 60.0  # seconds a server may take to answer, a recovery after a power cut included
STOP = 60.0  # seconds a server may take to stop


@dataclass(slots=True)
class Server:
    """How a server is run, how it is asked to stop, how to know that it answers."""

    name: str
    command: list[str]
    stopping: signal.Signals
    clear: Callable[[], None]
    answers: Callable[[], bool]
    log: Path
    deaths: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        """Clear an earlier one away, start it and wait until it answers.

        Raises EmbeddedError naming the log when it does not.
        """
        self.clear()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=ENVIRONMENT,
                cwd="/",
            )
        until = time.monotonic() + START
        while not self.answers():
            if self.is_dead() or time.monotonic() > until:
                raise EmbeddedError(f"{self.name} does not start: see {self.log}.")
            time.sleep(0.05)

    def is_dead(self) -> bool:
        """Whether it has stopped by itself."""
        return self.process is None or self.process.poll() is not None

    def stop(self) -> None:
        """Stop it cleanly; after STOP seconds hard, which both servers survive."""
        if self.process is None or self.is_dead():
            return
        self.process.send_signal(self.stopping)
        try:
            self.process.wait(timeout=STOP)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
