"""The witness as the one file that a regulator runs, killed while it writes, and started again."""

from __future__ import annotations

import http.client
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from draws.desks.inspector.acta_journal_and_verifier_downloads import WITNESS
from tests.support.witness_http import post
from tests.support.witnessed_chain import Chain, key


class Alone:
    """The one file, run as a regulator runs it: no project around it."""

    def __init__(self, place: Path) -> None:
        self.place, self.file = place, place / WITNESS.name
        self.file.write_bytes(WITNESS.build())

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-I", str(self.file), *words],
            cwd=self.place, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    def start(self) -> tuple[subprocess.Popen[str], int]:
        process = subprocess.Popen(
            [sys.executable, "-I", str(self.file), "serve", "w", "--listen", "127.0.0.1:0"],
            cwd=self.place, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        return process, int(process.stdout.readline().rpartition(":")[2])


@pytest.mark.slow
def test_one_file_needs_nothing_but_python_and_survives_being_killed(tmp_path: Path) -> None:
    alone = Alone(tmp_path)
    made = alone.run("init", "w", "--name", "witness.example")
    assert (made.returncode, made.stdout[:16]) == (0, "witness.example+")
    assert alone.run("trust", "w", key().vkey).returncode == 0
    chain = Chain(400)
    process, port = alone.start()
    try:
        assert post(port, chain.request(0, 5))[0] == 200
        assert alone.run("trust", "w", key("outra").vkey).returncode == 1  # the folder is taken
    finally:
        process.kill()
        process.wait()
    last = 5
    for _turn in range(6):
        # Killed while it takes one after another: what it answered it still knows, and no more
        # than one further.
        process, port = alone.start()
        try:
            known = int(post(port, chain.request(0, 400))[1])
            assert known in (last, last + 1)
            last = known
            until = time.monotonic() + 0.15
            while time.monotonic() < until:
                assert post(port, chain.request(last, last + 1))[0] == 200
                last += 1
            killer = subprocess.Popen(["sh", "-c", f"sleep 0.02; kill -KILL {process.pid}"])
            while True:
                try:
                    assert post(port, chain.request(last, last + 1))[0] == 200
                except (OSError, http.client.HTTPException):
                    break
                last += 1
            killer.wait()
        finally:
            process.kill()
            process.wait()
    shown = alone.run("show", "w").stdout
    assert f"sala: entry {last}" in shown or f"sala: entry {last + 1}" in shown
    process, port = alone.start()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=10) == 0
