"""A process killed while it sells loses nothing it acknowledged and leaves nothing half done."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from draws.models import Sale
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls.models import CashMovement, Hall, JournalEntry
from tests.support.database import FreshDatabase
from tests.support.evening import FACE, FACE_COLOUR, Evening
from tests.support.floor_hall import CASHIER, begin, receive
from tests.support.sql_audit import faults

ROOT = Path(__file__).resolve().parents[2]
ENOUGH = 40


def killed(fresh: FreshDatabase, *, threads: int, enough: int) -> list[int]:
    """Let a process sell, kill it in the midst, and return the cards that it said were sold."""
    seller = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.selling", str(threads)],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": fresh.url},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert seller.stdout is not None
    told = [int(seller.stdout.readline()) for _sale in range(enough)]
    seller.kill()
    told += [int(line) for line in seller.stdout if line.endswith("\n")]
    seller.wait(timeout=10)
    return told


def whole(told: list[int]) -> None:
    """What was told is there, in order, paid for, and with its entry; nothing else is."""
    kept = list(Sale.objects.order_by("first").values_list("first", flat=True))
    assert set(told) <= set(kept)
    assert kept == list(range(1, len(kept) + 1))
    assert CashMovement.objects.filter(kind="sale").count() == len(kept)
    assert JournalEntry.objects.filter(kind="cards_sold").count() == len(kept)
    assert audit(Hall.objects.get()) == []
    assert faults() == {}


def test_process_killed_while_selling_leaves_a_whole_record(fresh_database: FreshDatabase) -> None:
    Evening().reach("selling")
    whole(killed(fresh_database, threads=1, enough=ENOUGH))


@pytest.mark.slow
@pytest.mark.rule(36)
def test_process_killed_in_the_midst_of_a_group_leaves_a_whole_record(
    fresh_database: FreshDatabase, owner_connection: psycopg.Connection[Any]
) -> None:
    evening = Evening().reach("shift")
    receive(evening, "mil", letter="K", size=1680, face=FACE, face_colour=FACE_COLOUR)
    begin(evening, "mil")
    told = killed(fresh_database, threads=16, enough=8 * ENOUGH)
    whole(told)
    # They really were written in groups.
    groups = owner_connection.execute("SELECT 1 FROM draws_sale GROUP BY xmin::text").fetchall()
    assert len(groups) < Sale.objects.count() / 2

    # The hall goes on with the next card, and the server holds no lock of the dead.
    [sale] = sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=1, **evening.who(CASHIER)
    )
    assert sale.first == Sale.objects.count() > len(told)
