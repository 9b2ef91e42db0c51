"""A sale from the cashier's page and back, through the hall as it is started: how many, how long."""

from __future__ import annotations

import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.test import Client

from draws.models import Sale
from halls.models import Hall
from tests.bench import busy, whole
from tests.bench.measure import Row

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
BACKEND = "halls.web.middleware.Backend"
TILLS, CARDS = 16, 30_000
SECONDS, ROUNDS, WARM = 4.0, 3, 1.0
PATIENCE = 240.0  # seconds until the hall is open, on a machine that is busy
SALES_A_SECOND, P99 = 200.0, 0.1  # sales; seconds
PACE = 1.02 * SALES_A_SECOND  # sales a second at which it is asked how long one takes


@dataclass(frozen=True, slots=True)
class Round:
    """What the cashiers saw: sales a second, and the seconds that 99 of 100 waited at most."""

    rate: float
    p99: float


def rows() -> list[Row]:
    """Measure 16 tills through HTTP, each with a cashier logged in."""
    hall = busy.hall("desk", cashiers=TILLS, cards=CARDS)
    whole.require_durable()
    cookies = _cookies(hall)
    with _open(_free_port()) as port:
        _round(cookies, port, seconds=WARM)
        rounds = [_both(cookies, port) for _time in range(ROUNDS)]
    full = statistics.median(flood.rate for flood, _paced in rounds)
    crowded = statistics.median(flood.p99 for flood, _paced in rounds)
    p99 = statistics.median(paced.p99 for _flood, paced in rounds)
    name = f"sale over HTTP, {TILLS} tills"
    return [
        _row(f"{name}, as many as can be", full, SALES_A_SECOND, "sales/s", asked=True),
        # Seconds are the better the fewer: told the other way round, more is better here too.
        _row(f"{name}, p99 at {PACE:.0f} a second", 1 / p99, 1 / P99, "answers/s", asked=True),
        _row(f"{name}, p99 at as many as can be", 1 / crowded, 1 / P99, "answers/s", asked=False),
    ]


def _both(cookies: list[str], port: int) -> tuple[Round, Round]:
    """Measure cashiers who sell without a pause, and by the clock."""
    flood = _round(cookies, port, seconds=SECONDS)
    return flood, _round(cookies, port, seconds=SECONDS, every=len(cookies) / PACE)


def _row(name: str, ours: float, floor: float, unit: str, *, asked: bool) -> Row:
    least, met = (1.0, ours >= floor) if asked else (None, None)
    return Row(name, ours, floor, ours / floor, least, met, unit)


def _cookies(hall: Hall) -> list[str]:
    """Log every cashier in, as the login page does."""
    cookies = []
    for seat in busy.seats(hall.sessions.get()):
        client = Client()
        client.force_login(seat.shift.cashier, backend=BACKEND)
        cookies.append(f"sessionid={client.cookies['sessionid'].value}")
    return cookies


def _round(cookies: list[str], port: int, *, seconds: float, every: float = 0.0) -> Round:
    before = Sale.objects.count()
    asked = {
        "host": HOST, "port": port, "seconds": seconds, "quantity": 1, "every": every,
        "cookies": cookies,
    }  # fmt: skip
    program = [sys.executable, "-m", "tests.bench.cashiers"]
    told = json.loads(
        subprocess.run(
            program, input=json.dumps(asked), cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout
    )
    done = told["statuses"].get("200", 0)
    if told["statuses"] != {"200": done} or Sale.objects.count() - before != done:
        raise ValueError(f"answers {told['statuses']}, {Sale.objects.count() - before} sales")
    whole.require_whole()
    connection.close()
    return Round(done / told["seconds"], statistics.quantiles(told["waited"], n=100)[98])


@contextmanager
def _open(port: int) -> Iterator[int]:
    """Open the hall as `make run` does, and return the port of its pages."""
    environment = os.environ | {"PORT": str(port), "SECRET_KEY": settings.SECRET_KEY}
    hall = subprocess.Popen(
        [sys.executable, "manage.py", "serve"], cwd=ROOT, env=environment,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait(port, hall)
        yield port
    finally:
        hall.send_signal(signal.SIGTERM)
        hall.wait(timeout=PATIENCE)


def _wait(port: int, hall: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and hall.poll() is None:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/login/", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"the hall does not open at port {port}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
