"""What the tests of truth share with others."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import ROOT, RunningHall
from tests.support.database import FreshDatabase

UNSURE = 3_500  # ms: silence of 2.5 s, judged twice a second


SURE = 4_000  # ms: the longest wait between two attempts is 2 s


@pytest.fixture
def restart(
    running_hall: RunningHall, fresh_database: FreshDatabase, static_folder: Path
) -> Iterator[Callable[[], None]]:
    """Starts the pages again at the same address after the server was killed."""
    started: list[subprocess.Popen[bytes]] = []

    def again() -> None:
        port = running_hall.url.rpartition(":")[2]
        command = ["-m", "uvicorn", "bingo.asgi:application", "--port", port, "--lifespan", "off"]
        environment = {
            **os.environ, "DATABASE_URL": fresh_database.url, "BINGO_DATA": str(static_folder),
        }  # fmt: skip
        started.append(
            subprocess.Popen(
                [sys.executable, *command, "--log-level", "warning"], cwd=ROOT, env=environment
            )
        )
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"{running_hall.url}/login/", timeout=2):
                    return
            except OSError:
                time.sleep(0.05)
        raise TimeoutError(running_hall.url)

    yield again
    for process in started:
        process.terminate()
    for process in started:
        process.wait(timeout=15)
