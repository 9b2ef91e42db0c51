"""Sign the head of the journal and write it elsewhere, where no rewriter of the database reaches it.

Nothing here is waited for by a game. What has not been signed or written yet is found again from
the journal, so that no worker and no row that was lost loses a checkpoint.

`choose_folder` lets the hall manager say where. `accept` lets an older copy of the database go on where checkpoints had been signed further: two
people say so.
"""

from __future__ import annotations

import os
import stat
from datetime import datetime
from pathlib import Path
from typing import Any, Unpack

from django.conf import settings
from django.db import transaction

from bingo import signed_notes, system_users
from bingo.celery_app import later
from bingo.rules import checkpoints_and_clock, journal_json_and_chain
from bingo.rules.checkpoints_and_clock import JournalHead as Head
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.signed_notes import NoteKey
from halls import permissions, second_person
from halls.checkpoints import folders as checkpoint_folders
from halls.checkpoints import memory, queries, witnesses
from halls.checkpoints.queries import Keys, keys_folder
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry, Person

BATCH = 500  # checkpoints signed or written at once; the next sweep goes on


class _Fault(Exception):
    """What is wrong with a place, by its code in checkpoint_words.FAULTS."""


def vkeys(hall: Hall) -> list[str]:
    """Return the hall's keys as they are written down, the oldest first.

    A process that may not read the keys is told what whoever signs has written down of them. Raises
    Refusal checkpoint_key_unreadable.
    """
    if system_users.is_kept_out():
        told = queries.signing_keys(hall, {})
        first = signed_notes.read_first_vkey(keys_folder(hall))
        if not told and first is None:
            raise Refusal("checkpoint_key_unreadable", folder=str(keys_folder(hall)))
        return [*told.values()] or [str(first)]
    return [*queries.signing_keys(hall, _keys(hall)).values()]


def _keys(hall: Hall) -> Keys:
    """Return the keys, making the first: only before anything was signed, or a lost key went unseen."""
    kept = queries.kept(hall)
    if kept:
        return kept
    folder = keys_folder(hall)
    if (
        signed_notes.read_note_head(folder) is not None
        or Checkpoint.objects.filter(hall=hall).exists()
        or memory.has_signed(hall)
    ):
        raise Refusal("checkpoint_key_unreadable", folder=str(folder))
    memory.begin(hall)
    return {1: _make_key(hall, version=1)}


def _make_key(hall: Hall, *, version: int) -> NoteKey:
    """Return a key that no entry names yet, made unless its file is there.

    The file comes first: an entry without its key would stop every checkpoint after it. Raises
    Refusal checkpoint_key_unreadable.
    """
    folder, name = keys_folder(hall), checkpoints_and_clock.origin(hall.code)
    signed_notes.make_note_key(folder, version=version)
    return signed_notes.kept(folder, name=name)[version]


@transaction.atomic
def renew_key(*, hall: Hall, **who: Unpack[Who]) -> JournalEntry:
    """Let a new key sign from here on; this entry's checkpoint names it, and both keys sign it.

    Raises Refusal: not_allowed, key_reused, checkpoint_key_unreadable.
    """
    hall, done = begin_command(hall.pk, checkpoints_and_clock.KEY_CHANGED, **who)
    if done:
        return done
    old, keys = queries.version(hall), _keys(hall)
    if old not in keys:
        raise Refusal("checkpoint_key_unreadable", folder=str(keys_folder(hall)))
    told = checkpoints_and_clock.change_key(
        version=old + 1, before=keys[old].vkey, key=_make_key(hall, version=old + 1).vkey
    )
    entry = journal_services.append(hall, Fact(checkpoints_and_clock.KEY_CHANGED, told), **who)
    later("halls.write_checkpoints", hall_id=hall.pk)
    return entry


def choose_folder(*, hall: Hall, folder: str, **who: Unpack[Who]) -> JournalEntry:
    """Let checkpoints go to a folder from here on, and write the one of this very entry there.

    What keeps it from its place then stands with that place, as ever. Raises Refusal: not_allowed,
    key_reused, checkpoint_folder_given, checkpoint_folder_bad, and those of `folders.require_usable`.
    """
    permissions.require(who["by"], checkpoints_and_clock.FOLDER_CHOSEN, hall=hall.pk)
    if settings.CHECKPOINT_DIRS:
        raise Refusal("checkpoint_folder_given")
    told = checkpoints_and_clock.choose_folder(folder=folder)
    # A slow disk keeps no hall waiting: it is tried before the hall's row is locked.
    checkpoint_folders.require_usable(Path(folder))
    with transaction.atomic():
        locked, done = begin_command(
            hall.pk, checkpoints_and_clock.FOLDER_CHOSEN, inputs=told, **who
        )
        entry = done or journal_services.append(
            locked, Fact(checkpoints_and_clock.FOLDER_CHOSEN, told), **who
        )
    if system_users.is_kept_out():
        later("halls.write_checkpoints", hall_id=hall.pk)
    else:
        deliver(hall, at=who["at"])
    return entry


def deliver(hall: Hall, *, at: datetime) -> None:
    """Sign what is not signed, and write it to every place that has not got it.

    Each place fails by itself; why stands in its row until it works again. A witness is sent what it
    has not seen.
    """
    keys = attempt(hall, at=at)
    for folder in queries.folders(hall):
        _write(hall, Path(folder), keys, at)
    witnesses.send(hall, at=at)


def attempt(hall: Hall, *, at: datetime) -> Keys | None:
    """Sign what is not signed, or note why not; return the keys where the history is the one signed."""
    try:
        if _due(hall):
            # Before a new head is signed: a witness that knows another history is asked first.
            witnesses.look(hall, at=at)
        sign(hall)
        # Pages cannot make the key that they show.
        keys = _keys(hall) if system_users.keeps_keys() else queries.kept(hall)
        signed_notes.tell_first_vkey(keys_folder(hall), keys)
    except Refusal as refused:
        told = (refused.values.get(name) for name in ("number", "place", "folder"))
        note_place(hall, "", refused.code, next((str(one) for one in told if one), ""), at)
        return None
    note_place(hall, "", "", "", at)
    return keys


@transaction.atomic
def sign(hall: Hall) -> list[Checkpoint]:
    """Sign the heads of a hall that ask for it, once each, in order.

    The first checkpoint ever covers all before it. Raises Refusal: checkpoint_key_unreadable;
    checkpoint_history_rewritten (`number`: the last entry signed), checkpoint_witness_conflict, and
    what `memory.remembered` refuses; then nothing is signed.
    """
    # Of two who sign at once the slower must not put an earlier head in the file.
    _row(hall, "")
    CheckpointPlace.objects.select_for_update().get(hall=hall, place="")
    if not JournalEntry.objects.filter(hall=hall, kind__in=checkpoints_and_clock.KINDS).exists():
        return []
    keys = _keys(hall)
    before, due = memory.remembered(hall, keys), _due(hall)
    witnesses.require_agreement(hall)
    memory.catch_up(hall, before)
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
        memory.write(hall, rows[-1].note)
    return made


def require_signable(hall: Hall) -> None:
    """Refuse to seal anything of a history that is not the one that was signed before.

    The first key of checkpoints is made before the first seal: one that is missing after it was
    lost. One that cannot be read is told by itself and keeps no acta from being sealed. Raises Refusal as `sign` does, but for it.
    """
    try:
        keys: Keys | None = _keys(hall)
    except Refusal:
        keys = None
    before = memory.remembered(hall, keys)
    witnesses.require_agreement(hall)
    if before is not None:
        queries.require_same_history(hall, before, upto=hall.head_number)


def has_lost_all(hall: Hall) -> bool:
    """Return whether a journal tells of seals, and neither a key nor a memory of its heads is left."""
    try:
        kept = bool(queries.kept(hall)) or memory.remembered(hall, None) is not None
    except Refusal:
        return False  # told and refused by itself
    return not kept and memory.has_signed(hall)


def _due(hall: Hall) -> list[JournalEntry]:
    """Return the entries to be signed, also those whose row went away behind the journal's back."""
    found = JournalEntry.objects.filter(hall=hall, kind__in=checkpoints_and_clock.KINDS).order_by(
        "number"
    )
    first = Checkpoint.objects.filter(hall=hall).order_by("number").first()
    if first is not None:
        start = first.number
    else:
        # Whoever holds the first key needs every change of it since.
        change = found.filter(kind=checkpoints_and_clock.KEY_CHANGED).first()
        newest = found.last()
        start = change.number if change else newest.number if newest else 0
    start = max(start, queries.keys_lost(hall))
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
    if keys is None or checkpoint.number < queries.keys_lost(hall):
        return checkpoint.note  # of a key that was lost nothing is known but what it signed
    try:
        head = checkpoints_and_clock.read_checkpoint(
            signed_notes.opened(checkpoint.note, queries.signing_keys(hall, keys).values())
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
    if inside.is_symlink():
        raise _Fault("checkpoint_place_link")
    inside.mkdir(exist_ok=True)
    if place.number and not os.path.lexists(_file(inside, place.number)):
        raise _Fault("checkpoint_place_emptied")
    return inside


def _put(file: Path, note: str) -> None:
    content = note.encode()
    if signed_notes.save_key(file, content):
        return
    # Whoever has the disk can lay a pipe or a link there, which a worker would wait for or follow.
    there = file.lstat()
    same = stat.S_ISREG(there.st_mode) and there.st_size == len(content)
    if not same or file.read_bytes() != content:
        raise _Fault("checkpoint_differs")


def _file(inside: Path, number: int) -> Path:
    return inside / f"{number:010d}{memory.SUFFIX}"


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
    """Let checkpoints be signed again where the signer's memory does not fit, or is gone.

    The journal ends before what was signed last, or one that remembered it does so no more, or the
    keys are gone, and a new one takes their place. The last head stays beside the key, and stands in
    the entry and its checkpoint. Whoever calls this has made sure that it is the two of them. Raises
    Refusal: not_allowed, key_reused, reason_missing, witness_same_person, witness_not_allowed,
    checkpoint_key_unreadable, checkpoint_memory_away, checkpoint_history_whole;
    checkpoint_history_rewritten where the journal does not follow its own newest checkpoint either.
    """
    entry, note = _recorded(hall, witness, reason, **who)
    if note is None:
        return entry
    # After the commit: a head of an entry that was rolled back would stop all signing again.
    folder = keys_folder(hall)
    signed_notes.put_aside(folder, number=entry.data["number"])
    memory.start_anew(hall, note)
    return entry


@transaction.atomic
def _recorded(
    hall: Hall, witness: Person, reason: str, **who: Unpack[Who]
) -> tuple[JournalEntry, str | None]:
    """Write the entry and give its note; of a key that has done so already no note."""
    permissions.require(who["by"], checkpoints_and_clock.SET_BACK, hall=hall.pk)
    second = second_person.witness_name(
        witness, by=who["by"], kind=checkpoints_and_clock.SET_BACK, at=who["at"]
    )
    # Nobody signs meanwhile.
    CheckpointPlace.objects.get_or_create(hall=hall, place="")
    CheckpointPlace.objects.select_for_update().get(hall=hall, place="")
    hall, done = begin_command(hall.pk, checkpoints_and_clock.SET_BACK, **who)
    if done:
        return done, None
    keys = queries.kept(hall)
    gone, lost = _gone(hall, keys)
    _require_restored(hall, keys)
    number, digest = (gone.number, gone.digest) if gone else (0, journal_json_and_chain.START)
    told = checkpoints_and_clock.set_back(
        number=number, digest=digest, reason=reason, witness=second or "", lost=lost,
        **({} if keys else _new_key(hall)),
    )  # fmt: skip
    entry = journal_services.append(hall, Fact(checkpoints_and_clock.SET_BACK, told), **who)
    return entry, queries.note_signing(hall, entry, queries.kept(hall))


def _new_key(hall: Hall) -> dict[str, Any]:
    """Make a key in the place of those that are lost; those before it are known no more."""
    version = queries.version(hall) + 1
    return {"version": version, "key": _make_key(hall, version=version).vkey}


def _gone(hall: Hall, keys: Keys) -> tuple[Head | None, str]:
    """Return the last head known, and why it is not simply one that the journal ends before.

    Raises Refusal: checkpoint_history_whole, checkpoint_memory_away, checkpoint_key_unreadable.
    """
    if not keys:
        if not (memory.has_signed(hall) or Checkpoint.objects.filter(hall=hall).exists()):
            raise Refusal("checkpoint_history_whole")
        newest = Checkpoint.objects.filter(hall=hall).select_related("entry").last()
        lost = "checkpoint_key_unreadable"
        return (Head(hall.code, newest.number, newest.entry.digest) if newest else None), lost
    try:
        memory.remembered(hall, keys)
    except Refusal as refused:
        if refused.code == "checkpoint_history_rewritten":
            return memory.newest_known(hall, keys), ""
        if refused.code in ("checkpoint_memory_lost", "checkpoint_memory_older"):
            return memory.newest_known(hall, keys), refused.code
        raise
    raise Refusal("checkpoint_history_whole")


def _require_restored(hall: Hall, keys: Keys) -> None:
    """Refuse a journal that does not follow from the newest checkpoint that came with it."""
    newest = Checkpoint.objects.filter(hall=hall).order_by("number").last()
    if newest is None:
        return
    try:
        known = newest.number >= queries.keys_lost(hall)
        vkeys = queries.signing_keys(hall, keys).values() if known else ()
        text = signed_notes.opened(newest.note, vkeys) if vkeys else _unsigned(newest.note)
        head = checkpoints_and_clock.read_checkpoint(text)
    except Refusal as error:
        raise Refusal("checkpoint_history_rewritten", number=newest.number) from error
    queries.require_same_history(hall, head, upto=hall.head_number)


def _unsigned(note: str) -> str:
    return note.rpartition("\n\n")[0] + "\n"
