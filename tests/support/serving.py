"""A hall that is served by real programs, for tests of what they may do."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bingo import system_users
from bingo.embedded.folder import PROJECT
from tests.support.programs import eventually

FOREIGN = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "BINGO_KEYS", "PYTHONUNBUFFERED")
OPENING = 300.0  # seconds
USUAL = "/usr/bin/python3"


@contextlib.contextmanager
def open_folder(owner: int = 0) -> Iterator[Path]:
    """Return a folder that every user may pass through, as the folder of a hall is."""
    folder = Path(tempfile.mkdtemp(prefix="bingo-test-", dir="/tmp"))
    try:
        folder.chmod(0o711)
        os.chown(folder, owner, owner)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def interpreter() -> tuple[str, dict[str, str]]:
    """Return a Python that every user may run, and what it needs of the environment."""
    if system_users.reaching(system_users.programs()) == system_users.WITHOUT_RIGHTS:
        return sys.executable, {}
    packages = next(one for one in sys.path if one.endswith("site-packages"))
    return USUAL, {"PYTHONPATH": str(Path(packages).resolve())}


@contextlib.contextmanager
def served(
    folder: Path, *, before: Sequence[str] = (), hall: str = "own"
) -> Iterator[subprocess.Popen[bytes]]:
    """Return a hall that is open on `folder`, started through the command `before`."""
    python, further = interpreter()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    known = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    known |= {"BINGO_DATA": str(folder), "PORT": str(port), "HOME": str(folder)} | further
    output = folder.with_suffix(".output")
    with output.open("wb") as out:
        process = subprocess.Popen(
            [*before, python, "manage.py", "serve", "--hall", hall],
            cwd=PROJECT, env=known, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
        )  # fmt: skip
    try:
        eventually(
            lambda: b"Ctrl-C" in output.read_bytes() or process.poll() is not None, seconds=OPENING
        )
        assert process.poll() is None, output.read_text()
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)
        output.unlink()


def children(process: subprocess.Popen[bytes]) -> dict[str, int]:
    """Return the programs that it runs, by the last words of their command lines."""
    told = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    lines = {int(one): Path(f"/proc/{one}/cmdline").read_text().split("\0") for one in told}
    named = {
        "pages": "uvicorn", "worker": "celery@%h", "sealing": "keys@%h",
        "archives": "archives@%h", "timer": "beat", "numbers": "draws.rng",
        "cameras": "watch_balls",
    }  # fmt: skip
    return {
        name: pid for name, word in named.items() for pid, line in lines.items() if word in line
    }


def status(pid: int) -> dict[str, str]:
    """Return what the kernel says of a process, by name; of users and groups the effective one."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    told = {
        name: " ".join(value.split())
        for name, _colon, value in (one.partition(":") for one in lines)
    }
    return told | {name: told[name].split()[1] for name in ("Uid", "Gid")}


def core_limit(pid: int) -> str:
    """Return how large a core of a process may be: soft and hard."""
    limits = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return " ".join(next(one for one in limits if one.startswith("Max core")).split()[4:6])
