"""A process killed while it sells loses nothing it acknowledged and leaves nothing half done."""

import os
import subprocess
import sys
from pathlib import Path

from draws.models import Sale
from draws.queries.audit import audit
from halls.models import Hall
from tests.database import FreshDatabase
from tests.draws.views.evening import Evening

ROOT = Path(__file__).resolve().parents[2]
ENOUGH = 40


def test_process_killed_while_selling_leaves_a_whole_record(fresh_database: FreshDatabase) -> None:
    Evening().reach("selling")
    seller = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.selling"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": fresh_database.url},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert seller.stdout is not None
    told = [int(seller.stdout.readline()) for _sale in range(ENOUGH)]
    seller.kill()
    told += [int(line) for line in seller.stdout if line.endswith("\n")]
    seller.wait(timeout=10)
    kept = list(Sale.objects.order_by("first").values_list("first", flat=True))
    assert set(told) <= set(kept)
    assert kept == list(range(1, len(kept) + 1))
    assert audit(Hall.objects.get()) == []
