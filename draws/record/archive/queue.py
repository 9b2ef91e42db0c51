"""Exports asked for at the desk: a hall's list, one person's own, and their states.

Asking for an archive and taking it away are each a look. An export's row says what
became of it: taken, told, done, failed, lost.
"""

from __future__ import annotations

import hashlib
import logging
from datetime import date, datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from bingo.celery_app import later
from bingo.rules import actas_after_sealing
from bingo.rules.refusal import Refusal
from draws.models import Export, ExportState
from draws.models.record import UNDER_WAY
from halls import inspection
from halls.models import Hall, Person, Role


def export_list_of_hall(hall: Hall) -> QuerySet[Export]:
    """Return what was asked for in a hall, newest first, with whoever asked."""
    return Export.objects.filter(hall=hall).select_related("by").order_by("-pk")


def own(person: Person, number: int) -> Export:
    """Return what a person asked for. Raises Refusal export_unknown: none, or another's."""
    asked = Export.objects.filter(hall=person.hall_id, by=person, pk=number)
    found = asked.select_related("hall").first()
    if found is None:
        raise Refusal("export_unknown", export=number)
    return found


def folder() -> Path:
    """Return where the archives lie."""
    return Path(settings.EXPORTS_DIR)


def export_list_path(export: Export) -> Path:
    """Return the place of an archive, whether it is there or not."""
    return folder() / f"{export.pk}.zip"


def export_list_file(export: Export, *, at: datetime) -> Path:
    """Return an archive that is done, still kept and unchanged since; whoever asks was allowed to.

    Raises Refusal: export_not_done, export_expired, export_gone, export_changed.
    """
    over = export.state == ExportState.DONE and export.expires_at and export.expires_at <= at
    if over or export.state == ExportState.EXPIRED:
        raise Refusal("export_expired")
    if export.state != ExportState.DONE:
        raise Refusal("export_not_done")
    place = export_list_path(export)
    try:
        with place.open("rb") as found:
            digest = hashlib.file_digest(found, "sha256").hexdigest()
    except OSError:
        raise Refusal("export_gone") from None
    if digest != export.digest:
        raise Refusal("export_changed")
    return place


ASKERS = (Role.INSPECTOR, Role.HALL_MANAGER)
ROUTE, ADDRESS = "inspector-exports", "/inspector/exports/"


@transaction.atomic
def ask_export(
    *,
    first: date,
    last: date,
    pictures: bool,
    by: Person,
    at: datetime,
    key: UUID,
    source: str = "",
) -> Export:
    """Ask for the record of a person's hall, with tables of the days `first` to `last`.

    `source` is the network address that asked. Raises Refusal: not_allowed, key_reused, bad_input,
    bad_period, export_under_way.
    """
    _require(by)
    # One after the other: of two that ask at once the second finds the first.
    Person.objects.select_for_update(no_key=True).get(pk=by.pk)
    earlier = Export.objects.filter(key=key).first()
    if earlier is not None:
        asked_for = (earlier.by_id, earlier.first, earlier.last, earlier.pictures)
        if asked_for != (by.pk, first, last, pictures):
            raise Refusal("key_reused")
        return earlier
    own = Export.objects.filter(by=by, state__in=UNDER_WAY)
    actas_after_sealing.ask_export(first=first, last=last, under_way=own.exists())
    export = Export.objects.create(
        hall_id=by.hall_id, by=by, key=key, first=first, last=last, pictures=pictures, asked_at=at
    )
    asked = f"?first={first}&last={last}{'&pictures=on' if pictures else ''}"
    inspection.record_look(
        by, at=at, method="POST", route=ROUTE, path=f"{ADDRESS}{asked}", source=source
    )  # fmt: skip
    later("draws.make_export", export_id=export.pk)
    return export


@transaction.atomic
def cancel_export(*, export: int, by: Person, at: datetime, key: UUID | None = None) -> Export:
    """Call off what a person asked for, before it is done.

    Raises Refusal: not_allowed, export_unknown, export_not_running. `key` is not needed: what is
    called off stays so.
    """
    _require(by)
    found = own(by, export)
    stopped = Export.objects.filter(pk=found.pk, state__in=UNDER_WAY)
    if not stopped.update(state=ExportState.CANCELLED, ended_at=at):
        found.refresh_from_db(fields=["state"])
        if found.state != ExportState.CANCELLED:
            raise Refusal("export_not_running")
    found.refresh_from_db()
    return found


def record_export_taken(
    *, export: Export, by: Person, at: datetime, address: str, source: str
) -> None:
    """Write down that an archive leaves the house; an inspector's every look already is.

    Raises django.db.DatabaseError when it cannot be written: then nothing may be given.
    """
    if Role.INSPECTOR not in by.roles:
        inspection.record_look(
            by, at=at, method="GET", route="inspector-export", path=address, source=source
        )  # fmt: skip


def _require(by: Person) -> None:
    if not by.is_active or not {*ASKERS} & {*by.roles}:
        raise Refusal("not_allowed", roles=[role.value for role in ASKERS])


LOST = "export_worker_gone"

log = logging.getLogger(__name__)


class ExportStopped(Exception):
    """The export is no longer this worker's to write: it was cancelled."""


def claimed(export_id: int, *, at: datetime) -> Export | None:
    """Return the export if it was queued: it runs now."""
    queued = Export.objects.filter(pk=export_id, state=ExportState.QUEUED)
    if not queued.update(state=ExportState.RUNNING, started_at=at, written=0, step=""):
        return None
    return Export.objects.select_related("hall").get(pk=export_id)


def record_export_progress(export: Export, *, written: int, files: int, step: str) -> None:
    """Write down how far the archive has come. Raises Stopped."""
    if not _running(export).update(written=written, files=files, step=step):
        raise ExportStopped


def finish_export(export: Export, *, size: int, digest: str, at: datetime) -> None:
    """Record that the archive lies in its place; it is kept for a while. Raises Stopped."""
    done = _running(export).update(
        state=ExportState.DONE, step="", size=size, digest=digest, ended_at=at,
        expires_at=at + actas_after_sealing.KEPT,
    )  # fmt: skip
    if not done:
        raise ExportStopped


def fail_export(export: Export, fault: str, *, at: datetime) -> None:
    """Record that the export has failed, and why."""
    _running(export).update(state=ExportState.FAILED, fault=fault, ended_at=at)


def take_back(export: Export, *, at: datetime) -> None:
    """Queue an export again that has lost its worker; after MOST_LOSSES it has failed."""
    losses = export.losses + 1
    if losses >= actas_after_sealing.MOST_LOSSES:
        fail_export(export, LOST, at=at)
        return
    kept = {"state": ExportState.QUEUED, "started_at": None, "written": 0, "step": ""}
    if _running(export).update(**kept, losses=losses):
        log.warning("export %s has lost its worker and is queued again", export.pk)


def _running(export: Export) -> QuerySet[Export]:
    """Find the export as long as it runs since it was taken, and not since somebody else did."""
    return Export.objects.filter(
        pk=export.pk, state=ExportState.RUNNING, started_at=export.started_at
    )
