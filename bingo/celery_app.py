"""The Celery application: tasks asked for by name, after the transaction that needs them."""

import logging
import os
from datetime import datetime, timedelta
from typing import Any

from celery import Celery
from celery.beat import Scheduler
from celery.exceptions import OperationalError
from django.db import transaction

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bingo.settings")


def _sweep(task: str, seconds: float = 15.0) -> dict[str, Any]:
    """Return a task done again and again; one that could not run in time is left out.

    The next one finds the same.
    """
    return {"task": task, "schedule": seconds, "options": {"expires": int(seconds)}}


# What signs is done by a worker that alone reads the keys (docs/operations.md); an archive, which is
# signed too, may take minutes, and no acta waits for it.
SIGNS = (
    "draws.make_seal_key",
    "draws.seal_acta",
    "draws.seal_rectification",
    "draws.seal_due_actas",
    "draws.print_checkpoint",
    "draws.print_due_checkpoints",
    "draws.remove_expired",
    "halls.write_checkpoints",
    "halls.write_due_checkpoints",
)
ARCHIVES = ("draws.make_export", "draws.make_due_exports")
ROUTES = {task: {"queue": "keys"} for task in SIGNS} | {
    task: {"queue": "archives"} for task in ARCHIVES
}


class Timer(Scheduler):
    """Celery's scheduler, whose sweeps go on where the clock was set back; it keeps no file.

    All of them are due at once, as at its start: what they find is to be done, and the step of the
    clock to be recorded (R58).
    """

    _seen: datetime | None = None

    def tick(self, *args: Any, **asked: Any) -> float:
        """Send what is due, and return for how many seconds nothing more is."""
        now = self.app.now()
        if self._seen is None or now < self._seen:
            for entry in self.schedule.values():
                entry.last_run_at = now - timedelta(days=1)  # longer than any sweep waits
            self._heap = None
        self._seen = now
        return super().tick(*args, **asked)


app = Celery("bingo")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    task_serializer="json",
    accept_content=["json"],
    broker_connection_retry_on_startup=True,
    worker_hijack_root_logger=False,
    worker_enable_remote_control=False,
    task_routes=ROUTES,
    beat_scheduler="bingo.celery_app:Timer",
    worker_cancel_long_running_tasks_on_connection_loss=True,
    beat_schedule={
        "seal-due-actas": {"task": "draws.seal_due_actas", "schedule": 15.0},
        "print-due-cards": _sweep("draws.print_due_cards"),
        "write-due-checkpoints": _sweep("halls.write_due_checkpoints"),
        "read-clock": _sweep("halls.read_clock"),
        "tell-refusals": _sweep("halls.tell_refusals"),
        "print-due-checkpoints": _sweep("draws.print_due_checkpoints"),
        "make-due-exports": _sweep("draws.make_due_exports"),
        # A hall's own night comes at another hour than its neighbour's, and a machine may run for a
        # few hours only: it is asked for every hour, and done at the first one of a hall's day.
        "remove-expired": _sweep("draws.remove_expired", 3600.0),
        "forget-logins": _sweep("halls.forget_logins", 3600.0),
    },
)
app.autodiscover_tasks()

log = logging.getLogger(__name__)


def later(task: str, **arguments: Any) -> None:
    """Ask for a task by name once the present transaction has committed.

    A broker that is away loses nothing: every such task also has a sweep that finds its work.
    """
    transaction.on_commit(lambda: _send(task, arguments))


def _send(task: str, arguments: dict[str, Any]) -> None:
    try:
        app.send_task(task, kwargs=arguments, retry=False)
    except (OperationalError, OSError) as error:
        log.warning("task %s waits for the next sweep: %s", task, type(error).__name__)
