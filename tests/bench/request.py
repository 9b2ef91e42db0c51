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
BACKEND = "halls.logins.Backend"
TILLS, CARDS = 16, 30_000
SECONDS, ROUNDS, WARM = 4.0, 3, 1.0
PATIENCE = 60.0  # seconds until the hall is open
SALES_A_SECOND, P99 = 200.0, 0.1  # sales; seconds


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
        rounds = [_round(cookies, port, seconds=SECONDS) for _round_ in range(ROUNDS)]
    rate = statistics.median(one.rate for one in rounds)
    p99 = statistics.median(one.p99 for one in rounds)
    return [
        _row(f"sales over HTTP, {TILLS} tills", rate, SALES_A_SECOND, "sales/s"),
        # The less the better: set the other way round, so that a ratio above 1 is a figure kept.
        _row(f"sale over HTTP, {TILLS} tills, p99", 1 / p99, 1 / P99, "answers/s"),
    ]


def _row(name: str, ours: float, floor: float, unit: str) -> Row:
    return Row(name, ours, floor, ours / floor, 1.0, ours >= floor, unit)


def _cookies(hall: Hall) -> list[str]:
    """Log every cashier in, as the login page does."""
    cookies = []
    for seat in busy.seats(hall.sessions.get()):
        client = Client()
        client.force_login(seat.shift.cashier, backend=BACKEND)
        cookies.append(f"sessionid={client.cookies['sessionid'].value}")
    return cookies


def _round(cookies: list[str], port: int, *, seconds: float) -> Round:
    before = Sale.objects.count()
    asked = {"host": HOST, "port": port, "seconds": seconds, "quantity": 1, "cookies": cookies}
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
    """Open the hall as `make run` does, and give the port of its pages."""
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
