"""Celery tasks of the app `halls`: write checkpoints, read the clock, tell refusals, forget logins."""

from django.utils import timezone

from bingo.celery_app import app, later
from halls.checkpoints import services as checkpoints_services
from halls.journal import clock
from halls.journal import services as journal_services
from halls.models import Hall
from halls.sign_in import logins


@app.task(name="halls.write_checkpoints")
def write_checkpoints(*, hall_id: int) -> None:
    """Sign a hall's new heads and write them to every place."""
    checkpoints_services.deliver(Hall.objects.get(pk=hall_id), at=timezone.now())
    later("draws.print_checkpoint", hall_id=hall_id)


@app.task(name="halls.write_due_checkpoints")
def write_due_checkpoints() -> None:
    """Do so for every hall: what a lost task, a full disk or a missing key left behind."""
    for hall in Hall.objects.order_by("code"):
        checkpoints_services.deliver(hall, at=timezone.now())


@app.task(name="halls.read_clock")
def read_clock() -> None:
    """Read the system's clock for every open session; what says something new is written down."""
    clock.read_all(at=timezone.now())


@app.task(name="halls.tell_refusals")
def tell_refusals() -> None:
    """Write down how many more commands were refused in the minutes that are over."""
    journal_services.tell_refusals(at=timezone.now())


@app.task(name="halls.forget_logins")
def forget_logins() -> None:
    """Remove what is known of logins that are over for long."""
    logins.forget(at=timezone.now())
