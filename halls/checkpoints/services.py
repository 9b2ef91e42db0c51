"""Sign the head of the journal and write it elsewhere, where no rewriter of the database reaches it.

Nothing here is waited for by a game. What has not been signed or written yet is found again from
the journal, so that no worker and no row that was lost loses a checkpoint.

`accept` lets an older copy of the database go on where checkpoints had been signed further: two
people say so.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Unpack

from django.conf import settings
from django.db import transaction

from bingo import signed_notes
from bingo.celery_app import later
from bingo.rules import journal
from bingo.rules.game_flow import Fact
from bingo.rules.journal import JournalHead as Head
from bingo.rules.refusal import Refusal
from halls import permissions, second_person
from halls.checkpoints import queries
from halls.checkpoints.queries import Keys, keys_folder
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry, Person

BATCH = 500  # checkpoints signed or written at once; the next sweep goes on
SUFFIX = ".checkpoint"


class _Fault(Exception):
    """What is wrong with a place, by its code in checkpoint_words.FAULTS."""


def vkeys(hall: Hall) -> list[str]:
    """Return the hall's keys as they are written down, the oldest first.

    Raises Refusal checkpoint_key_unreadable.
    """
    return queries.list_signing_keys(hall, _keys(hall))


def _keys(hall: Hall) -> Keys:
    """Return the keys, making the first: only before anything was signed, or a lost key went unseen."""
    kept = queries.kept(hall)
    if kept:
        return kept
    folder = keys_folder(hall)
    if (
        signed_notes.read_note_head(folder) is not None
        or Checkpoint.objects.filter(hall=hall).exists()
    ):
        raise Refusal("checkpoint_key_unreadable", folder=str(folder))
    return signed_notes.ensure(folder, name=journal.origin(hall.code))


@transaction.atomic
def renew_key(*, hall: Hall, **who: Unpack[Who]) -> JournalEntry:
    """Let a new key sign from here on; this entry's checkpoint names it, and both keys sign it.

    Raises Refusal: not_allowed, key_reused, checkpoint_key_unreadable.
    """
    hall, done = begin_command(hall.pk, journal.KEY_CHANGED, **who)
    if done:
        return done
    old, folder = queries.version(hall), keys_folder(hall)
    if old not in _keys(hall):
        raise Refusal("checkpoint_key_unreadable", folder=str(folder))
    # The file comes first: an entry without its key would stop every checkpoint after it.
    signed_notes.make_note_key(folder, version=old + 1)
    kept = queries.kept(hall)
    told = journal.change_key(version=old + 1, before=kept[old].vkey, key=kept[old + 1].vkey)
    entry = journal_services.append(hall, Fact(journal.KEY_CHANGED, told), **who)
    later("halls.write_checkpoints", hall_id=hall.pk)
    return entry


def deliver(hall: Hall, *, at: datetime) -> None:
    """Sign what is not signed, and write it to every place that has not got it.

    Each place fails by itself; why stands in its row until it works again.
    """
    keys = attempt(hall, at=at)
    for folder in settings.CHECKPOINT_DIRS:
        _write(hall, Path(folder), keys, at)


def attempt(hall: Hall, *, at: datetime) -> Keys | None:
    """Sign what is not signed, or note why not; return the keys where the history is the one signed."""
    try:
        sign(hall)
        keys = queries.kept(hall)
    except Refusal as refused:
        cause = refused.values.get("number", refused.values.get("folder", ""))
        note_place(hall, "", refused.code, str(cause), at)
        return None
    note_place(hall, "", "", "", at)
    return keys


@transaction.atomic
def sign(hall: Hall) -> list[Checkpoint]:
    """Sign the heads of a hall that ask for it, once each, in order.

    The first checkpoint ever covers all before it. Raises Refusal: checkpoint_key_unreadable;
    checkpoint_history_rewritten (`number`: the last entry signed), and then nothing is signed.
    """
    # Of two who sign at once the slower must not put an earlier head in the file.
    _row(hall, "")
    CheckpointPlace.objects.select_for_update().get(hall=hall, place="")
    if not JournalEntry.objects.filter(hall=hall, kind__in=journal.KINDS).exists():
        return []
    keys = _keys(hall)
    before, due = queries.remembered(hall, keys), _due(hall)
    last = due[-1].number if due else 0
    if before is not None:
        queries.require_same_history(hall, before, upto=last)
    rows = [
        Checkpoint(
            hall=hall,
            entry=entry,
            number=entry.number,
            note=queries.note_signing(hall, entry, keys),
        )
        for entry in due
    ]
    made = Checkpoint.objects.bulk_create(rows)
    # Before the commit: a head in the file whose row was lost is signed again, the same.
    if rows and (before is None or before.number < last):
        signed_notes.write_note_head(keys_folder(hall), rows[-1].note)
    return made


def _due(hall: Hall) -> list[JournalEntry]:
    """Return the entries to be signed, also those whose row went away behind the journal's back."""
    found = JournalEntry.objects.filter(hall=hall, kind__in=journal.KINDS).order_by("number")
    first = Checkpoint.objects.filter(hall=hall).order_by("number").first()
    if first is not None:
        start = first.number
    else:
        # Whoever holds the first key needs every change of it since.
        change = found.filter(kind=journal.KEY_CHANGED).first()
        newest = found.last()
        start = change.number if change else newest.number if newest else 0
    due = found.filter(number__gte=start, checkpoint__isnull=True)
    return list(due.select_related("session")[:BATCH])


def _write(hall: Hall, folder: Path, keys: Keys | None, at: datetime) -> None:
    place = _row(hall, str(folder))
    due = Checkpoint.objects.filter(entry__hall=hall, entry__number__gt=place.number)
    fault = cause = ""
    try:
        inside = _inside(folder, hall, place)
        for checkpoint in due.select_related("entry__session").order_by("entry__number")[:BATCH]:
            number = checkpoint.entry.number
            _put(_file(inside, number), true_note(hall, checkpoint, keys))
            place.number = number
    except _Fault as found:
        fault = str(found)
    except Refusal as refused:
        fault, cause = refused.code, str(refused.values.get("folder", ""))
    except OSError as error:
        fault, cause = "checkpoint_place_unwritable", error.strerror or type(error).__name__
    # A worker that was slower must not take back what another wrote.
    CheckpointPlace.objects.filter(pk=place.pk, number__lt=place.number).update(number=place.number)
    note_place(hall, str(folder), fault, cause, at)


def true_note(hall: Hall, checkpoint: Checkpoint, keys: Keys | None) -> str:
    """Return a row's note; where it holds another's, or none, sign its entry anew.

    A note that was signed for this very entry goes out as it is, whatever the journal says now: it
    is what shows that the journal was rewritten.
    """
    if keys is None:
        return checkpoint.note
    try:
        head = journal.read_checkpoint(
            signed_notes.opened(checkpoint.note, queries.list_signing_keys(hall, keys))
        )
    except Refusal:
        return queries.note_signing(hall, checkpoint.entry, keys)
    if (head.hall, head.number) == (hall.code, checkpoint.entry.number):
        return checkpoint.note
    return queries.note_signing(hall, checkpoint.entry, keys)


def _inside(folder: Path, hall: Hall, place: CheckpointPlace) -> Path:
    """Return the hall's own folder in a place, which itself must be there already.

    A disk that is not mounted leaves an empty folder: what was written there once must be there.
    """
    inside = folder / hall.code
    inside.mkdir(exist_ok=True)
    if place.number and not _file(inside, place.number).exists():
        raise _Fault("checkpoint_place_emptied")
    return inside


def _put(file: Path, note: str) -> None:
    content = note.encode()
    if not signed_notes.save_key(file, content) and file.read_bytes() != content:
        raise _Fault("checkpoint_differs")


def _file(inside: Path, number: int) -> Path:
    return inside / f"{number:010d}{SUFFIX}"


def _row(hall: Hall, place: str) -> CheckpointPlace:
    return CheckpointPlace.objects.get_or_create(hall=hall, place=place)[0]


def note_place(hall: Hall, place: str, fault: str, cause: str, at: datetime) -> None:
    """Note what is wrong with a place and since when, or, with no fault, that it works again."""
    row = _row(hall, place)
    if (row.fault, row.cause) != (fault, cause[:200]):
        row.since = at if fault and not row.fault else row.since
        row.fault, row.cause = fault, cause[:200]
        row.save(update_fields=["fault", "cause", "since"])


def accept(*, hall: Hall, witness: Person, reason: str, **who: Unpack[Who]) -> JournalEntry:
    """Let checkpoints be signed again over a journal that ends before what was signed last.

    The head that is gone stays beside the key, and stands in the entry and its checkpoint. Whoever
    calls this has made sure that it is the two of them. Raises Refusal: not_allowed, key_reused,
    reason_missing, witness_same_person, witness_not_allowed, checkpoint_key_unreadable, checkpoint_history_whole;
    checkpoint_history_rewritten where the journal does not follow its own newest checkpoint either.
    """
    entry, note = _recorded(hall, witness, reason, **who)
    if note is None:
        return entry
    # After the commit: a head of an entry that was rolled back would stop all signing again.
    folder = keys_folder(hall)
    signed_notes.put_aside(folder, number=entry.data["number"])
    signed_notes.write_note_head(folder, note)
    return entry


@transaction.atomic
def _recorded(
    hall: Hall, witness: Person, reason: str, **who: Unpack[Who]
) -> tuple[JournalEntry, str | None]:
    """Write the entry and give its note; of a key that has done so already no note."""
    permissions.require(who["by"], journal.SET_BACK, hall=hall.pk)
    second = second_person.witness_name(witness, by=who["by"], kind=journal.SET_BACK, at=who["at"])
    # Nobody signs meanwhile.
    CheckpointPlace.objects.get_or_create(hall=hall, place="")
    CheckpointPlace.objects.select_for_update().get(hall=hall, place="")
    hall, done = begin_command(hall.pk, journal.SET_BACK, **who)
    if done:
        return done, None
    keys = queries.kept(hall)
    gone = _gone(hall, keys)
    _require_restored(hall, keys)
    told = journal.set_back(
        number=gone.number, digest=gone.digest, reason=reason, witness=second or ""
    )
    entry = journal_services.append(hall, Fact(journal.SET_BACK, told), **who)
    return entry, queries.note_signing(hall, entry, keys)


def _gone(hall: Hall, keys: Keys) -> Head:
    """Return the last head signed, which the journal no longer passes through."""
    before = queries.remembered(hall, keys)
    if before is None:
        raise Refusal("checkpoint_history_whole")
    try:
        queries.require_same_history(hall, before, upto=0)
    except Refusal:
        return before
    raise Refusal("checkpoint_history_whole")


def _require_restored(hall: Hall, keys: Keys) -> None:
    """Refuse a journal that does not follow from the newest checkpoint that came with it."""
    newest = Checkpoint.objects.filter(hall=hall).order_by("number").last()
    if newest is None:
        return
    try:
        head = journal.read_checkpoint(
            signed_notes.opened(newest.note, queries.list_signing_keys(hall, keys))
        )
    except Refusal as error:
        raise Refusal("checkpoint_history_rewritten", number=newest.number) from error
    queries.require_same_history(hall, head, upto=hall.head_number)
