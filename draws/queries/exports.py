"""Archives asked for at the desk: a hall's list, one person's own, its file."""

from __future__ import annotations

import hashlib
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from bingo.rules.refusal import Refusal
from draws.models import Export, ExportState
from halls.models import Hall, Person


def of_hall(hall: Hall) -> QuerySet[Export]:
    """Give what was asked for in a hall, newest first, with whoever asked."""
    return Export.objects.filter(hall=hall).select_related("by").order_by("-pk")


def own(person: Person, number: int) -> Export:
    """Give what a person asked for. Raises Refusal export_unknown: none, or another's."""
    asked = Export.objects.filter(hall=person.hall_id, by=person, pk=number)
    found = asked.select_related("hall").first()
    if found is None:
        raise Refusal("export_unknown", export=number)
    return found


def folder() -> Path:
    """Give where the archives lie."""
    return Path(settings.EXPORTS_DIR)


def path(export: Export) -> Path:
    """Give the place of an archive, whether it is there or not."""
    return folder() / f"{export.pk}.zip"


def file(export: Export, *, at: datetime) -> Path:
    """Give an archive that is done, still kept and unchanged since; whoever asks was allowed to.

    Raises Refusal: export_not_done, export_expired, export_gone, export_changed.
    """
    over = export.state == ExportState.DONE and export.expires_at and export.expires_at <= at
    if over or export.state == ExportState.EXPIRED:
        raise Refusal("export_expired")
    if export.state != ExportState.DONE:
        raise Refusal("export_not_done")
    place = path(export)
    try:
        with place.open("rb") as found:
            digest = hashlib.file_digest(found, "sha256").hexdigest()
    except OSError:
        raise Refusal("export_gone") from None
    if digest != export.digest:
        raise Refusal("export_changed")
    return place
