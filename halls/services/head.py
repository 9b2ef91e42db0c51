"""The head of a hall's journal: locked, moved on entry by entry, written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules.chain import digest
from bingo.rules.game import Fact
from halls.models import Hall, JournalEntry, Person, Session
from halls.queries.entry import as_value
from halls.services import wake
from halls.services.clock import CLOCK_ANOMALY, is_behind, stamp


def lock(hall_id: int) -> Hall:
    """Lock the hall's row until the end of the transaction."""
    return Hall.objects.select_for_update().get(pk=hall_id)


def known(hall: Hall, keys: Collection[UUID | None]) -> Mapping[UUID, JournalEntry]:
    """Give the entries that these keys have made already."""
    asked = [key for key in keys if key is not None]
    if not asked:
        return {}
    found = JournalEntry.objects.filter(hall=hall, key__in=asked)
    return {entry.key: entry for entry in found if entry.key is not None}


def same_command(entry: JournalEntry, *, kind: str, by: Person, inputs: Mapping[str, Any]) -> bool:
    """Tell whether an entry came of the same command, person and inputs."""
    same_inputs = all(entry.data.get(name) == value for name, value in inputs.items())
    return (entry.kind, entry.by_id) == (kind, by.pk) and same_inputs


def entries(
    hall: Hall,
    fact: Fact,
    *,
    session: Session | None,
    game: int | None,
    by: Person | None,
    at: datetime,
    key: UUID | None,
) -> list[JournalEntry]:
    """Prepare a fact's entry, after a note when the clock went back; moves the hall's head.

    The hall must be locked by `lock`.
    """
    last = hall.head_at
    found: list[JournalEntry] = []
    if last and is_behind(at, last) and fact.kind != CLOCK_ANOMALY and not _noted(hall, last):
        anomaly = Fact(CLOCK_ANOMALY, {"clock": at.isoformat()})
        found.append(_entry(hall, anomaly, session=session, game=None, by=None, at=at, key=None))
    found.append(_entry(hall, fact, session=session, game=game, by=by, at=at, key=key))
    return found


def _noted(hall: Hall, last: datetime) -> bool:
    """Tell whether it is known that the clock stands behind this entry's time."""
    return JournalEntry.objects.filter(hall=hall, kind=CLOCK_ANOMALY, at=last).exists()


def _entry(
    hall: Hall,
    fact: Fact,
    *,
    session: Session | None,
    game: int | None,
    by: Person | None,
    at: datetime,
    key: UUID | None,
) -> JournalEntry:
    entry = JournalEntry(
        hall=hall,
        number=hall.head_number + 1,
        session=session,
        game=game,
        kind=fact.kind,
        data=fact.data,
        at=stamp(at, hall.head_at),
        by=by,
        key=key,
    )
    entry.digest = digest(hall.head_digest, as_value(entry))
    hall.head_number, hall.head_digest, hall.head_at = entry.number, entry.digest, entry.at
    return entry


def write(hall: Hall, new: list[JournalEntry]) -> None:
    """Write prepared entries and the head they have come to; screens are woken after the commit."""
    JournalEntry.objects.bulk_create(new)
    hall.save(update_fields=["head_number", "head_digest", "head_at"])
    transaction.on_commit(lambda: wake.send(hall.code))
