"""Work that is done later: asked for by name, after the transaction that needs it."""

import logging
import os
from typing import Any

from celery import Celery
from celery.exceptions import OperationalError
from django.db import transaction

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bingo.settings")

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
    # An archive may take minutes: receipts and actas do not wait for it, another worker writes it.
    task_routes={"draws.make_export": {"queue": "archives"}},
    worker_cancel_long_running_tasks_on_connection_loss=True,
    beat_schedule={
        "seal-due-actas": {"task": "draws.seal_due_actas", "schedule": 15.0},
        # A sweep that could not run in time is left out: the next one finds the same.
        "print-due-cards": {
            "task": "draws.print_due_cards",
            "schedule": 15.0,
            "options": {"expires": 15},
        },
        "write-due-checkpoints": {
            "task": "halls.write_due_checkpoints",
            "schedule": 15.0,
            "options": {"expires": 15},
        },
        "read-clock": {
            "task": "halls.read_clock",
            "schedule": 15.0,
            "options": {"expires": 15},
        },
        "print-due-checkpoints": {
            "task": "draws.print_due_checkpoints",
            "schedule": 15.0,
            "options": {"expires": 15},
        },
        "make-due-exports": {
            "task": "draws.make_due_exports",
            "schedule": 15.0,
            "options": {"expires": 15},
        },
        # A hall's own night comes at another hour than its neighbour's, and a machine may run for a
        # few hours only: it is asked for every hour, and done at the first one of a hall's day.
        "remove-expired": {
            "task": "draws.remove_expired",
            "schedule": 3600.0,
            "options": {"expires": 3600},
        },
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
