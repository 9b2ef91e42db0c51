"""Asking for a hall's record as an archive, calling it off, and taking it away; each is a look."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from bingo.celery_app import later
from bingo.rules import exports as rules
from bingo.rules.refusal import Refusal
from draws.models import Export, ExportState
from draws.models.export import UNDER_WAY
from draws.queries import exports as query
from halls.models import Person, Role
from halls.services import looks

ASKERS = (Role.INSPECTOR, Role.HALL_MANAGER)
ROUTE, ADDRESS = "inspector-exports", "/inspector/exports/"


@transaction.atomic
def ask(
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

    `source` is the network address that asked. Raises Refusal: not_allowed, key_reused, bad_period,
    export_under_way.
    """
    _require(by)
    # One after the other: of two that ask at once the second finds the first.
    Person.objects.select_for_update(no_key=True).get(pk=by.pk)
    earlier = Export.objects.filter(key=key).first()
    if earlier is not None:
        if (earlier.by_id, earlier.first, earlier.last, earlier.pictures) != (
            by.pk, first, last, pictures,
        ):  # fmt: skip
            raise Refusal("key_reused")
        return earlier
    own = Export.objects.filter(by=by, state__in=UNDER_WAY)
    rules.ask(first=first, last=last, under_way=own.exists())
    export = Export.objects.create(
        hall_id=by.hall_id, by=by, key=key, first=first, last=last, pictures=pictures, asked_at=at
    )
    asked = f"?first={first}&last={last}{'&pictures=on' if pictures else ''}"
    looks.record(
        by, at=at, method="POST", route=ROUTE, path=f"{ADDRESS}{asked}", source=source
    )  # fmt: skip
    later("draws.make_export", export_id=export.pk)
    return export


@transaction.atomic
def cancel(*, export: int, by: Person, at: datetime, key: UUID | None = None) -> Export:
    """Call off what a person asked for, before it is done.

    Raises Refusal: not_allowed, export_unknown, export_not_running. `key` is not needed: what is
    called off stays so.
    """
    _require(by)
    found = query.own(by, export)
    stopped = Export.objects.filter(pk=found.pk, state__in=UNDER_WAY)
    if not stopped.update(state=ExportState.CANCELLED, ended_at=at):
        found.refresh_from_db(fields=["state"])
        if found.state != ExportState.CANCELLED:
            raise Refusal("export_not_running")
    found.refresh_from_db()
    return found


def taken(*, export: Export, by: Person, at: datetime, address: str, source: str) -> None:
    """Write down that an archive leaves the house; an inspector's every look already is.

    Raises django.db.DatabaseError when it cannot be written: then nothing may be given.
    """
    if Role.INSPECTOR not in by.roles:
        looks.record(
            by, at=at, method="GET", route="inspector-export", path=address, source=source
        )  # fmt: skip


def _require(by: Person) -> None:
    if not by.is_active or not {*ASKERS} & {*by.roles}:
        raise Refusal("not_allowed", roles=[role.value for role in ASKERS])
