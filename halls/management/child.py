"""A program that runs beside the one that started it and never outlives it."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PATIENCE = 10.0  # seconds between asking a program to stop and stopping it


@dataclass(frozen=True, slots=True)
class Child:
    """One running program."""

    name: str
    process: subprocess.Popen[bytes]

    def is_dead(self) -> bool:
        """Whether it has ended by itself."""
        return self.process.poll() is not None

    def ask(self) -> None:
        """Ask it to stop."""
        if not self.is_dead():
            self.process.terminate()

    def end(self) -> None:
        """Wait until it has stopped, after PATIENCE by force, with all it has started."""
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def start(name: str, argv: Sequence[str], *, death: str, environment: Mapping[str, str]) -> Child:
    """Start `argv`; the kernel sends it signal `death` should this process be killed.

    It has a process group of its own: Ctrl-C in the terminal reaches this process alone.
    """
    process = subprocess.Popen(
        ["setpriv", f"--pdeathsig={death}", "--", *argv],
        stdin=subprocess.DEVNULL,
        env=dict(environment),
        start_new_session=True,
    )
    return Child(name=name, process=process)
