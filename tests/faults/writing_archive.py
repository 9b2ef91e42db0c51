"""Writes one archive by the worker's own task, saying each of its files and taking its time; killed by its test."""

import os
import sys
import time
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "bingo.settings"
django.setup()

from django.conf import settings  # noqa: E402  Django must be set up first

from draws import tasks  # noqa: E402
from draws.record.archive import queue, writing_and_expiring  # noqa: E402

settings.EXPORTS_DIR, settings.KEYS_DIR, stop = sys.argv[2:5]
export, finish = writing_and_expiring.export_archive, queue.finish_export


def slowly(*, writing: Any, **asked: Any) -> Any:
    """Write as the worker does, and wait for the end at a file of that name."""

    def told(name: str) -> None:
        writing(name)
        wait(name)

    return export(writing=told, **asked)


def wait(name: str) -> None:
    """Wait to be killed where the test asked for it."""
    if name == stop:
        print(name, flush=True)
        time.sleep(60)


def late(*given: Any, **done: Any) -> None:
    """Wait, with the archive in its place and its row not told yet."""
    wait("done")
    finish(*given, **done)


writing_and_expiring.export_archive = slowly  # type: ignore[assignment]
queue.finish_export = late
tasks.make_export(export_id=int(sys.argv[1]))
