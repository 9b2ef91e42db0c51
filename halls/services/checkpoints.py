"""The journal's head, signed and written elsewhere: whoever rewrites the database does not reach it.

Nothing here is waited for by a game. What has not been signed or written yet is found again from
the database, so that no worker that was lost loses a checkpoint.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction

from bingo import note_keys, notes
from bingo.rules import checkpoints as rules
from bingo.rules.checkpoints import Checkpoint as Head
from bingo.rules.refusal import Refusal
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry

BATCH = 500  # checkpoints signed or written at once; the next sweep goes on
SUFFIX = ".checkpoint"


def keys_folder(hall: Hall) -> Path:
    """Give where a hall's checkpoint keys lie: beside the seal's folder, not in it."""
    return Path(settings.KEYS_DIR) / f"{hall.code}.checkpoints"


def vkeys(hall: Hall) -> list[str]:
    """Give the hall's keys as they are written down, the oldest first.

    Raises Refusal checkpoint_key_unreadable.
    """
    kept = note_keys.ensure(keys_folder(hall), name=rules.origin(hall.code))
    return [kept[version].vkey for version in sorted(kept)]


def deliver(hall: Hall, *, at: datetime) -> None:
    """Sign what is not signed, and write it to every place that has not got it.

    Each place fails by itself; why stands in its row until it works again.
    """
    try:
        sign(hall)
    except Refusal as refused:
        _tell(hall, "", refused.code, str(refused.values.get("folder", "")), at)
    else:
        _tell(hall, "", "", "", at)
    for folder in settings.CHECKPOINT_DIRS:
        _write(hall, Path(folder), at)


@transaction.atomic
def sign(hall: Hall) -> list[Checkpoint]:
    """Sign the heads of a hall that ask for it, once each, in order.

    The first checkpoint ever covers all before it. Raises Refusal checkpoint_key_unreadable.
    """
    due = _due(hall)
    if not due:
        return []
    kept = note_keys.ensure(keys_folder(hall), name=rules.origin(hall.code))
    key = kept[max(kept)]
    rows = [
        Checkpoint(
            hall=hall,
            entry=entry,
            number=entry.number,
            note=notes.sign(rules.written(_head(hall, entry)), [key]),
        )
        for entry in due
    ]
    # Of two workers who do so at once both make the same.
    return Checkpoint.objects.bulk_create(rows, ignore_conflicts=True)


def _due(hall: Hall) -> list[JournalEntry]:
    found = JournalEntry.objects.filter(hall=hall, kind__in=rules.KINDS).select_related("session")
    last = Checkpoint.objects.filter(hall=hall).order_by("number").last()
    if last is None:
        return list(found.order_by("-number")[:1])
    return list(found.filter(number__gt=last.number).order_by("number")[:BATCH])


def _head(hall: Hall, entry: JournalEntry) -> Head:
    further = {"session": str(entry.session.number)} if entry.session else {}
    if entry.game is not None:
        further["game"] = str(entry.game)
    further["time"] = entry.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Head(hall.code, entry.number, entry.digest, further)


def _write(hall: Hall, folder: Path, at: datetime) -> None:
    place, _made = CheckpointPlace.objects.get_or_create(hall=hall, place=str(folder))
    due = Checkpoint.objects.filter(hall=hall, number__gt=place.number).order_by("number")
    fault = cause = ""
    try:
        inside = _inside(folder, hall, place)
        for checkpoint in due[:BATCH]:
            _put(inside, checkpoint)
            place.number = checkpoint.number
    except Refusal as refused:
        fault = refused.code
    except OSError as error:
        fault, cause = "checkpoint_place_unwritable", error.strerror or type(error).__name__
    # A worker that was slower must not take back what another wrote.
    CheckpointPlace.objects.filter(pk=place.pk, number__lt=place.number).update(number=place.number)
    _tell(hall, str(folder), fault, cause, at)


def _inside(folder: Path, hall: Hall, place: CheckpointPlace) -> Path:
    """Give the hall's own folder in a place, which itself must be there already.

    A disk that is not mounted leaves an empty folder: what was written there once must be there.
    """
    inside = folder / hall.code
    inside.mkdir(exist_ok=True)
    if place.number and not _file(inside, place.number).exists():
        raise Refusal("checkpoint_place_emptied")
    return inside


def _put(inside: Path, checkpoint: Checkpoint) -> None:
    file, content = _file(inside, checkpoint.number), checkpoint.note.encode()
    if not note_keys.keep(file, content) and file.read_bytes() != content:
        raise Refusal("checkpoint_differs")


def _file(inside: Path, number: int) -> Path:
    return inside / f"{number:010d}{SUFFIX}"


def _tell(hall: Hall, place: str, fault: str, cause: str, at: datetime) -> None:
    """Note a fault and since when it is there, or that it is gone."""
    row, _made = CheckpointPlace.objects.get_or_create(hall=hall, place=place)
    if (row.fault, row.cause) != (fault, cause[:200]):
        row.since = at if fault and not row.fault else row.since
        row.fault, row.cause = fault, cause[:200]
        row.save(update_fields=["fault", "cause", "since"])
