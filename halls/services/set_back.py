"""An older copy of the database goes on in the place of what was signed: two people say so."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo import note_head, notes
from bingo.rules import checkpoints as rules
from bingo.rules.checkpoints import Checkpoint as Head
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry, Person
from halls.queries import signing
from halls.queries.signing import Keys, keys_folder
from halls.services import journal, witnesses


def accept(
    *,
    hall: Hall,
    by: Person,
    witness: Person,
    reason: str,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Let checkpoints be signed again over a journal that ends before what was signed last.

    The head that is gone stays beside the key, and stands in the entry and its checkpoint. Whoever
    calls this has made sure that it is the two of them. Raises Refusal: not_allowed, key_reused,
    reason_missing, witness_same_person, witness_not_allowed, checkpoint_key_unreadable, checkpoint_history_whole;
    checkpoint_history_rewritten where the journal does not follow its own newest checkpoint either.
    """
    entry, note = _recorded(hall, by, witness, reason, at, key)
    if note is None:
        return entry
    # After the commit: a head of an entry that was rolled back would stop all signing again.
    folder = keys_folder(hall)
    note_head.put_aside(folder, number=entry.data["number"])
    note_head.write(folder, note)
    return entry


@transaction.atomic
def _recorded(
    hall: Hall, by: Person, witness: Person, reason: str, at: datetime, key: UUID | None
) -> tuple[JournalEntry, str | None]:
    """Write the entry and give its note; of a key that has done so already no note."""
    permissions.require(by, rules.SET_BACK, hall=hall.pk)
    second = witnesses.name(witness, by=by, kind=rules.SET_BACK)
    # Nobody signs meanwhile.
    CheckpointPlace.objects.get_or_create(hall=hall, place="")
    CheckpointPlace.objects.select_for_update().get(hall=hall, place="")
    hall = journal.lock(hall.pk)
    if done := journal.earlier(hall, kind=rules.SET_BACK, by=by, key=key):
        return done, None
    keys = signing.kept(hall)
    gone = _gone(hall, keys)
    _require_restored(hall, keys)
    told = rules.set_back(
        number=gone.number, digest=gone.digest, reason=reason, witness=second or ""
    )
    entry = journal.append(hall, Fact(rules.SET_BACK, told), by=by, at=at, key=key)
    return entry, signing.note(hall, entry, keys)


def _gone(hall: Hall, keys: Keys) -> Head:
    """Give the last head signed, which the journal no longer passes through."""
    before = signing.remembered(hall, keys)
    if before is None:
        raise Refusal("checkpoint_history_whole")
    try:
        signing.require_same_history(hall, before, upto=0)
    except Refusal:
        return before
    raise Refusal("checkpoint_history_whole")


def _require_restored(hall: Hall, keys: Keys) -> None:
    """Refuse a journal that does not follow from the newest checkpoint that came with it."""
    newest = Checkpoint.objects.filter(hall=hall).order_by("number").last()
    if newest is None:
        return
    try:
        head = rules.read(notes.opened(newest.note, signing.known(hall, keys)))
    except Refusal as error:
        raise Refusal("checkpoint_history_rewritten", number=newest.number) from error
    signing.require_same_history(hall, head, upto=hall.head_number)
