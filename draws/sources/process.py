"""The RNG's process started beside this one, for an evening that has no hall around it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bingo.rules.refusal import Refusal
from draws.sources import rng

PROJECT = Path(__file__).resolve().parents[2]
OPENING = 20.0  # seconds it may take to answer
PATIENCE = 5.0  # seconds between asking it to stop and stopping it


@contextmanager
def ensured(folder: Path) -> Iterator[None]:
    """Have numbers drawn in a folder while the block runs, by a process that is there or our own."""
    try:
        rng.failure(folder)
    except Refusal:
        with running(folder):
            yield
        return
    yield


@contextmanager
def running(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process of our own while the block runs. Raises Refusal rng_not_running."""
    started = start(folder)
    try:
        _wait(folder, started)
        yield started
    finally:
        started.terminate()
        try:
            started.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def start(folder: Path) -> subprocess.Popen[bytes]:
    """Start the process; it knows no password and no database, and never outlives this one."""
    return subprocess.Popen(
        ["setpriv", "--pdeathsig=KILL", "--", *command(folder)],
        cwd=PROJECT,
        stdin=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )


def command(folder: Path) -> list[str]:
    """Give the process's command line."""
    return [sys.executable, "-m", "draws.sources", str(folder)]


def environment() -> dict[str, str]:
    """Give the little of our environment that it may see."""
    return {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}


def _wait(folder: Path, started: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + OPENING
    while True:
        try:
            rng.failure(folder)
        except Refusal:
            if started.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
