"""Sales while somebody attacks the hall, beside sales of the same pace in peace.

The hall is started as `make run` starts it. Tills sell twice a second each; the attackers come from
another address of this machine. What is told of each attack is the wait that 99 of 100 sales did
not exceed, how many sales were lost, how much memory the page server took at most, and by how many
entries the journal grew.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from statistics import quantiles
from typing import Any

from django.db import connection

from draws.models import Sale
from halls.models import JournalEntry, Role
from tests.bench import busy
from tests.bench.measure import Row
from tests.bench.request import HOST, ROOT, _cookies, _free_port, _open

TILLS, EVERY, SECONDS = 8, 0.5, 20.0
STRANGER = "127.0.0.2"
SITTING = 2.0  # seconds until every seller has opened their page
MOST = 5.0  # times the wait in peace
COUNTS = {"half_sent": 1200, "logins": 200, "pages": 200, "witnesses": 16, "refusals": 16}


def rows() -> list[Row]:
    """Measure the same tills in peace, then under each attack."""
    hall = busy.hall("attack", cashiers=TILLS + 1, cards=30_000)
    *cookies, taken = _cookies(hall)
    chief = hall.people.filter(roles__contains=[Role.TABLE_CHIEF]).first()
    assert chief is not None
    found = []
    with _open(_free_port()) as port:
        sold(port, cookies, seconds=4.0)
        for attack, count in COUNTS.items():
            peace = sold(port, cookies)
            order = {"role": attack, "count": count, "cookies": [taken], "name": chief.username}
            before = JournalEntry.objects.count() - Sale.objects.count()
            attackers = Attack(port, order)
            with Watch(port) as watch:
                under = sold(port, cookies, attackers=attackers)
            grown = JournalEntry.objects.count() - Sale.objects.count() - before
            connection.close()
            ratio = under["p99"] / peace["p99"]
            print(
                f"{attack}: p99 {peace['p99'] * 1000:.0f} ms in peace, {under['p99'] * 1000:.0f} ms"
                f" attacked ({ratio:.1f} times), {under['lost']} sales lost of {under['all']};"
                f" page server {watch.memory:.0f} MiB at most; {grown} entries more; attackers"
                f" were told {attackers.told}; the login page failed {watch.failed} of"
                f" {watch.tried} times",
                file=sys.stderr,
            )
            found.append(
                Row(f"sale while attacked by {attack}", 1 / under["p99"], 1 / peace["p99"],
                    1 / ratio, 1 / MOST, ratio <= MOST and not under["lost"], "answers/s")
            )  # fmt: skip
            time.sleep(3.0)
    return found


def sold(
    port: int, cookies: list[str], *, seconds: float = SECONDS, attackers: Attack | None = None
) -> dict[str, Any]:
    before = Sale.objects.count()
    asked = {
        "role": "sellers", "host": HOST, "port": port, "seconds": seconds, "source": HOST,
        "cookies": cookies, "every": EVERY,
    }  # fmt: skip
    sellers = begin(asked)
    if attackers is not None:
        time.sleep(SITTING)
        attackers.begin()
    told = json.loads(finish(sellers))
    if attackers is not None:
        attackers.finish()
    done, all_ = told["statuses"].get("200", 0), len(told["waited"])
    connection.close()
    return {
        "p99": quantiles(told["waited"], n=100)[98], "all": all_,
        "lost": max(all_ - done, done - (Sale.objects.count() - before)),
    }  # fmt: skip


def begin(asked: dict[str, Any]) -> subprocess.Popen[str]:
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.support.besiegers"], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert started.stdin is not None
    started.stdin.write(json.dumps(asked))
    started.stdin.close()
    return started


def finish(started: subprocess.Popen[str]) -> str:
    assert started.stdout is not None
    told = started.stdout.read()
    if started.wait() != 0:
        raise ValueError("a side of the fight failed")
    return told


class Attack:
    """The attackers, who come when the sellers have sat down."""

    told: dict[str, int]

    def __init__(
        self, port: int, order: dict[str, Any], *, seconds: float = SECONDS - SITTING
    ) -> None:
        asked = {"host": HOST, "port": port, "source": STRANGER, "seconds": seconds}
        self._asked = asked | order

    def begin(self) -> None:
        """Attack."""
        self._started = begin(self._asked)

    def finish(self) -> None:
        """Wait until they have had enough."""
        self.told = json.loads(finish(self._started))["statuses"]


class Watch:
    """The page server's memory, and whether its door is open, looked at all the while."""

    def __init__(self, port: int) -> None:
        self._port, self.memory, self.tried, self.failed = port, 0.0, 0, 0
        self._over = threading.Event()

    def __enter__(self) -> Watch:
        self._looking = [threading.Thread(target=one) for one in (self._weigh, self._knock)]
        for one in self._looking:
            one.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        for one in self._looking:
            one.join()

    def _weigh(self) -> None:
        server = page_server(self._port)
        while not self._over.wait(0.1):
            self.memory = max(self.memory, resident(server))

    def _knock(self) -> None:
        while not self._over.wait(1.0):
            self.tried += 1
            try:
                with urllib.request.urlopen(f"http://{HOST}:{self._port}/login/", timeout=5):
                    pass
            except OSError:
                self.failed += 1


def page_server(port: int) -> int:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                argv = (entry / "cmdline").read_text().split("\0")
            except OSError:
                continue
            if "bingo.asgi:application" in argv and str(port) in argv:
                return int(entry.name)
    raise LookupError("no page server")


def resident(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0
