"""Several threads doing the same thing at once, each with a connection of its own."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import psycopg
from django.db import connections

from halls.models import Hall


def at_once(doings: list[Callable[[], Any]]) -> list[Any]:
    """Start every doing at the same moment; return each one's result, or its refusal or error."""
    start = Barrier(len(doings))

    def run(doing: Callable[[], Any]) -> Any:
        start.wait(timeout=20)
        try:
            return doing()
        except Exception as error:  # noqa: BLE001  the test looks at each
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(doings)) as threads:
        return list(threads.map(run, doings))


def behind_a_lock(
    owner: psycopg.Connection[Any], hall: Hall, doings: list[Callable[[], Any]]
) -> list[Any]:
    """Start every doing while somebody holds the hall, so that they queue; return what came of each."""
    with ThreadPoolExecutor(1) as starter:
        with owner.transaction():
            owner.execute("SELECT 1 FROM halls_hall WHERE id = %s FOR UPDATE", [hall.pk])
            waiting = starter.submit(at_once, doings)
            _wait_for_the_first(owner)
            # The first one waits at the lock; the others are behind it within moments.
            time.sleep(0.5)
        return waiting.result(timeout=60)


def _wait_for_the_first(owner: psycopg.Connection[Any]) -> None:
    until = time.monotonic() + 20
    locked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    while owner.execute(locked).fetchone() == (0,):
        assert time.monotonic() < until, "nobody waits for the hall"
        time.sleep(0.02)
