"""What a hall's keys say of its journal's heads: which key signs an entry, and the note of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from pathlib import Path

from django.conf import settings

from bingo import note_head, note_keys, notes
from bingo.notes import NoteKey
from bingo.rules import checkpoints as rules
from bingo.rules.chain import digest
from bingo.rules.checkpoints import Checkpoint as Head
from bingo.rules.refusal import Refusal
from halls.models import Checkpoint, Hall, JournalEntry
from halls.queries.entry import as_value

Keys = Mapping[int, NoteKey]


def keys_folder(hall: Hall) -> Path:
    """Give where a hall's checkpoint keys lie: beside the seal's folder, not in it."""
    return Path(settings.KEYS_DIR) / f"{hall.code}.checkpoints"


def kept(hall: Hall) -> Keys:
    """Give the hall's keys by their version, none before its first.

    Raises Refusal checkpoint_key_unreadable.
    """
    return note_keys.kept(keys_folder(hall), name=rules.origin(hall.code))


def version(hall: Hall, *, number: int | None = None) -> int:
    """Give the version of the key that signs an entry, or the next one."""
    changes = JournalEntry.objects.filter(hall=hall, kind=rules.KEY_CHANGED)
    if number is not None:
        changes = changes.filter(number__lte=number)
    last = changes.order_by("number").last()
    return last.data["version"] if last else 1


def known(hall: Hall, keys: Keys) -> list[str]:
    """Give every key that has signed, as it is written down, the oldest first.

    Earlier ones are known from the journal, so that their files may be put away.
    """
    changes = JournalEntry.objects.filter(hall=hall, kind=rules.KEY_CHANGED).order_by("number")
    data = [entry.data for entry in changes]
    told = [one["before"] for one in data[:1]] + [one["key"] for one in data]
    return told or [key.vkey for number, key in keys.items() if number == 1]


def head(hall: Hall, entry: JournalEntry) -> Head:
    """Give the head at an entry."""
    further = {"session": str(entry.session.number)} if entry.session else {}
    if entry.game is not None:
        further["game"] = str(entry.game)
    further["time"] = entry.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if entry.kind == rules.KEY_CHANGED:
        further["key"] = entry.data["key"]
    if entry.kind == rules.SET_BACK:
        further["set-back"] = f"{entry.data['number']}:{entry.data['digest']}"
    return Head(hall.code, entry.number, entry.digest, further)


def note(hall: Hall, entry: JournalEntry, keys: Keys) -> str:
    """Sign the head at an entry: the same entry and keys give the same note.

    A renewal is signed by the key before and the new one. Raises Refusal checkpoint_key_unreadable
    where one of them is away, or is not the one that the journal names.
    """
    told = version(hall, number=entry.number)
    wanted = [told] if entry.kind != rules.KEY_CHANGED else [told - 1, told]
    signers = [keys[one] for one in wanted if one in keys]
    named = [entry.data["before"], entry.data["key"]] if len(wanted) == 2 else []
    if len(signers) != len(wanted) or (named and named != [one.vkey for one in signers]):
        raise Refusal("checkpoint_key_unreadable", folder=str(keys_folder(hall)))
    return notes.sign(rules.written(head(hall, entry)), signers)


def remembered(hall: Hall, keys: Keys) -> Head | None:
    """Give the last head signed, from the file beside the key; where that is away, from the database.

    Raises Refusal checkpoint_key_unreadable where none of the keys signed it.
    """
    folder = keys_folder(hall)
    told = note_head.read(folder)
    if told is None:
        newest = Checkpoint.objects.filter(hall=hall).order_by("number").last()
        told = newest.note if newest else None
    if told is None:
        return None
    try:
        return rules.read(notes.opened(told, known(hall, keys)))
    except Refusal as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


def require_same_history(hall: Hall, before: Head, *, upto: int) -> None:
    """Refuse a journal that no longer passes through a head, or breaks between it and `upto`.

    Raises Refusal checkpoint_history_rewritten.
    """
    found = JournalEntry.objects.filter(
        hall=hall, number__gte=before.number, number__lte=max(upto, before.number)
    )
    expected, previous = before.number, ""
    for entry in found.order_by("number").select_related("hall", "session", "by").iterator():
        first = expected == before.number
        right = before.digest if first else digest(previous, as_value(entry))
        if entry.number != expected or entry.digest != right:
            raise Refusal("checkpoint_history_rewritten", number=before.number)
        expected, previous = expected + 1, entry.digest
    if expected <= max(upto, before.number):
        raise Refusal("checkpoint_history_rewritten", number=before.number)
