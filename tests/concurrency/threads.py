"""Several threads doing the same thing at once, each with a connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connections


def at_once(doings: list[Callable[[], Any]]) -> list[Any]:
    """Start every doing at the same moment; give each one's result, or its refusal or error."""
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
