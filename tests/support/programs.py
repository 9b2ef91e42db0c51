"""A program that uses the embedded servers, as a process a test may kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bingo.embedded import servers
from bingo.embedded.folder import PROJECT, Folder

SCRIPT = """
import json, os, sys
from pathlib import Path
from bingo import embedded
try:
    embedded.ensure(Path(sys.argv[1]))
except embedded.EmbeddedError as error:
    sys.exit(str(error))
print(json.dumps(dict(os.environ)), flush=True)
sys.stdin.read()
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A running program and the environment `ensure` gave it."""

    process: subprocess.Popen[str]
    environment: dict[str, str]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def connect(self, variable: str = "DATABASE_URL") -> psycopg.Connection:
        """A connection of the role whose address `variable` holds."""
        return psycopg.connect(self.environment[variable], autocommit=True, connect_timeout=5)


def launch(folder: Path, **environment: str) -> subprocess.Popen[str]:
    """Start a program on `folder` and do not wait for it."""
    own = {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "BINGO_DATA"}
    inherited = {name: value for name, value in os.environ.items() if name not in own}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder)],
        env=inherited | environment,
        cwd=PROJECT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def joined(process: subprocess.Popen[str]) -> Program:
    """The program once it has its servers."""
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return Program(process=process, environment=json.loads(line))


@contextmanager
def using(folder: Path, **environment: str) -> Iterator[Program]:
    """A program that has its servers, and ends at the latest with the block."""
    process = launch(folder, **environment)
    try:
        yield joined(process)
    finally:
        process.kill()
        process.communicate()


def pids(folder: Path) -> dict[str, int]:
    """The processes of `folder` by name: supervisor, postgresql, valkey; those that live."""
    place = Folder(folder)
    commands = {
        "supervisor": [sys.executable, "-m", "bingo.embedded", str(folder)],
        "postgresql": servers.postgresql_command_line(place),
        "valkey": servers.valkey_command_line(place),
    }
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        argv = _argv(entry)
        for name, command in commands.items():
            if argv[: len(command)] == command:
                found[name] = int(entry.name)
    return found


def _argv(entry: Path) -> list[str]:
    try:
        return (entry / "cmdline").read_text().split("\0")
    except OSError:
        return []


def eventually(is_so: Callable[[], bool], *, seconds: float) -> None:
    """Wait for `is_so`, and fail when it has not come within `seconds`."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, f"not within {seconds} seconds"
        time.sleep(0.05)


def kill(pid: int) -> None:
    """End a process as a power cut would."""
    os.kill(pid, signal.SIGKILL)
