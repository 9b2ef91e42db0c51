"""The clock of the machine that the tests run on, truly asked."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest

from bingo.rules import checkpoints_and_clock
from halls.journal import clock

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel is not Linux")


@linux
@pytest.mark.rule(58)
def test_kernel_tells_the_state_of_its_clock() -> None:
    reading = clock.read()
    assert reading.synchronised in (True, False)
    assert reading.error is not None
    assert 0 <= reading.error < 10**9
    assert len(reading.boot) == 36
    assert datetime.fromtimestamp(reading.began / 1_000_000, UTC) < datetime.now(UTC)


@linux
def test_clock_that_nobody_set_says_nothing_new() -> None:
    first = clock.read()
    time.sleep(0.05)
    second = clock.read()
    assert abs(second.began - first.began) < checkpoints_and_clock.STEP / 10
    assert checkpoints_and_clock.describe_clock(first, second) is None


@pytest.mark.slow
@linux
def test_another_program_of_the_system_reads_the_same() -> None:
    code = (
        "import django; django.setup(); from halls.journal import clock as c; "
        "r = c.read(); print(r.boot, r.began)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    boot, began = told.stdout.split()
    here = clock.read()
    assert boot == here.boot
    assert abs(int(began) - here.began) < checkpoints_and_clock.STEP / 10
