"""Read a hall's signed checkpoints: the newest, faults of their places, and how they fit the journal.

Also which key signs an entry, the note of a head, and what a page says of checkpoints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bingo import signed_notes
from bingo.rules import journal
from bingo.rules import policies as rules_of
from bingo.rules.journal import Comparison, chain_digest
from bingo.rules.journal import JournalHead as Head
from bingo.rules.refusal import Refusal
from bingo.signed_notes import NoteKey
from halls.journal.head import as_value
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry
from halls.policy import queries as policy_queries

MOST = 50  # checkpoints pasted at once
PRINTER = "printer:"  # no folder's name: those begin at the root


@dataclass(frozen=True, slots=True)
class CheckpointCopy:
    """A checkpoint that somebody kept, and what it says of the journal; or why it is none."""

    head: Head | None
    comparison: Comparison | None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Printer:
    """The till at which checkpoints are printed, and the "host:port" of its printer."""

    till: str
    address: str


def printer(hall: Hall) -> Printer | None:
    """Return where the last session's policy wants checkpoints printed, or None."""
    session = hall.sessions.order_by("-number").first()
    policy = (
        rules_of.of(session.state["terms"])
        if session
        else policy_queries.in_force(hall, timezone.now())
    )
    address = policy.printers.get(policy.checkpoint_till)
    return Printer(policy.checkpoint_till, address) if address else None


def printed_at(till: str) -> str:
    """Return the name of a till's printer as a place for checkpoints."""
    return f"{PRINTER}{till}"


def newest(hall: Hall) -> Checkpoint | None:
    """Return the last checkpoint signed, or None."""
    return (
        Checkpoint.objects.filter(hall=hall)
        .select_related("entry__hall", "entry__session")
        .order_by("number")
        .last()
    )


def of_hall(hall: Hall) -> QuerySet[Checkpoint]:
    """Return a hall's checkpoints, newest first."""
    found = Checkpoint.objects.filter(hall=hall).select_related("entry__session")
    return found.order_by("-number")


def faults(hall: Hall) -> list[CheckpointPlace]:
    """Return the places that cannot be written to; one without a name stands for the key."""
    told = CheckpointPlace.objects.filter(hall=hall).exclude(fault="").order_by("place")
    asked = {"", *settings.CHECKPOINT_DIRS}
    if wanted := printer(hall):
        asked.add(printed_at(wanted.till))
    return [one for one in told if one.place in asked]


def set_back(hall: Hall) -> QuerySet[JournalEntry]:
    """Return the entries by which an older history was accepted, the newest first."""
    found = JournalEntry.objects.filter(hall=hall, kind=journal.SET_BACK).select_related("by")
    return found.order_by("-number")


def hold(hall: Hall, pasted: str, vkeys: Sequence[str]) -> list[CheckpointCopy]:
    """Hold checkpoints that were pasted one under the other against the hall's journal."""
    return [_held(hall, note, vkeys) for note in _parted(pasted)[:MOST]]


def _parted(pasted: str) -> list[str]:
    """Part notes where one begins; a page's field ends lines in its own way."""
    begin = journal.origin("")
    text = "\n".join(line.strip() for line in pasted.splitlines())
    parts = ("\n" + text).split(f"\n{begin}")
    found = [begin + part.strip("\n") + "\n" for part in parts[1:]]
    return found if found or not text.strip() else [text]


def _held(hall: Hall, note: str, vkeys: Sequence[str]) -> CheckpointCopy:
    try:
        head = journal.read_checkpoint(signed_notes.opened(note, vkeys))
    except Refusal as refused:
        return CheckpointCopy(None, None, refused)
    entry = JournalEntry.objects.filter(hall=hall, number=head.number).only("digest").first()
    return CheckpointCopy(head, journal.against(head, entry.digest if entry else None))


Keys = Mapping[int, NoteKey]


def keys_folder(hall: Hall) -> Path:
    """Return where a hall's checkpoint keys lie: beside the seal's folder, not in it."""
    return Path(settings.KEYS_DIR) / f"{hall.code}.checkpoints"


def kept(hall: Hall) -> Keys:
    """Return the hall's keys by their version, none before its first.

    Raises Refusal checkpoint_key_unreadable.
    """
    return signed_notes.kept(keys_folder(hall), name=journal.origin(hall.code))


def version(hall: Hall, *, number: int | None = None) -> int:
    """Return the version of the key that signs an entry, or the next one."""
    changes = JournalEntry.objects.filter(hall=hall, kind=journal.KEY_CHANGED)
    if number is not None:
        changes = changes.filter(number__lte=number)
    last = changes.order_by("number").last()
    return last.data["version"] if last else 1


def list_signing_keys(hall: Hall, keys: Keys) -> list[str]:
    """Return every key that has signed, as it is written down, the oldest first.

    Earlier ones are known from the journal, so that their files may be put away.
    """
    changes = JournalEntry.objects.filter(hall=hall, kind=journal.KEY_CHANGED).order_by("number")
    data = [entry.data for entry in changes]
    told = [one["before"] for one in data[:1]] + [one["key"] for one in data]
    return told or [key.vkey for number, key in keys.items() if number == 1]


def signing_head(hall: Hall, entry: JournalEntry) -> Head:
    """Return the head at an entry."""
    further = {"session": str(entry.session.number)} if entry.session else {}
    if entry.game is not None:
        further["game"] = str(entry.game)
    further["time"] = entry.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if entry.kind == journal.KEY_CHANGED:
        further["key"] = entry.data["key"]
    if entry.kind == journal.SET_BACK:
        further["set-back"] = f"{entry.data['number']}:{entry.data['digest']}"
    return Head(hall.code, entry.number, entry.digest, further)


def note_signing(hall: Hall, entry: JournalEntry, keys: Keys) -> str:
    """Sign the head at an entry: the same entry and keys give the same note.

    A renewal is signed by the key before and the new one. Raises Refusal checkpoint_key_unreadable
    where one of them is away, or is not the one that the journal names.
    """
    told = version(hall, number=entry.number)
    wanted = [told] if entry.kind != journal.KEY_CHANGED else [told - 1, told]
    signers = [keys[one] for one in wanted if one in keys]
    named = [entry.data["before"], entry.data["key"]] if len(wanted) == 2 else []
    if len(signers) != len(wanted) or (named and named != [one.vkey for one in signers]):
        raise Refusal("checkpoint_key_unreadable", folder=str(keys_folder(hall)))
    return signed_notes.sign_note(journal.written(signing_head(hall, entry)), signers)


def remembered(hall: Hall, keys: Keys) -> Head | None:
    """Return the last head signed, from the file beside the key; where that is away, from the database.

    Raises Refusal checkpoint_key_unreadable where none of the keys signed it.
    """
    folder = keys_folder(hall)
    told = signed_notes.read_note_head(folder)
    if told is None:
        newest = Checkpoint.objects.filter(hall=hall).order_by("number").last()
        told = newest.note if newest else None
    if told is None:
        return None
    try:
        return journal.read_checkpoint(signed_notes.opened(told, list_signing_keys(hall, keys)))
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
        right = before.digest if first else chain_digest(previous, as_value(entry))
        if entry.number != expected or entry.digest != right:
            raise Refusal("checkpoint_history_rewritten", number=before.number)
        expected, previous = expected + 1, entry.digest
    if expected <= max(upto, before.number):
        raise Refusal("checkpoint_history_rewritten", number=before.number)


COMPARISONS: Mapping[Comparison, Promise] = MappingProxyType(
    {
        Comparison.SAME: _("The journal is as it was then."),
        Comparison.REWRITTEN: _(
            "The journal has another entry there now: its history was rewritten."
        ),
        Comparison.MISSING: _("The journal ends before it: entries are missing at its end."),
    }
)
FAULTS: Mapping[str, Promise] = MappingProxyType(
    {
        "checkpoint_place_unwritable": _(
            "{place} cannot be written ({cause}): look whether the disk is there and has room."
        ),
        "checkpoint_place_emptied": _(
            "{place} no longer holds what was written there: look whether its disk is mounted."
        ),
        "checkpoint_differs": _(
            "{place} holds another checkpoint of the same entry: the journal was rewritten, or "
            "restored from an older copy. Keep that disk as it is, and call the inspector."
        ),
        "printer_unreachable": _(
            "The printer of {place} ({cause}) prints no checkpoints: look whether it is on and has "
            "paper. The next slip covers what was not printed."
        ),
        "bad_printer": _(
            "The printer of {place} ({cause}) prints no checkpoints: its address is none of the "
            "hall's own network. Set it in the rules of the hall."
        ),
        "checkpoint_history_rewritten": _(
            "The journal no longer passes through entry {cause} as it was signed: it was rewritten, "
            "or restored from an older copy. Nothing more is signed. Keep everything as it is, and "
            "call the inspector."
        ),
        "checkpoint_key_unreadable": _(
            "The key that signs checkpoints cannot be read in {cause}: restore it from its copy."
        ),
    }
)


def checkpoint_fault(place: CheckpointPlace) -> str:
    """Say what is wrong with a place, and what to do."""
    words = FAULTS.get(place.fault)
    if words is None:
        return _now("Checkpoints cannot be written")
    named = place.place.removeprefix(PRINTER)
    return str(words).format(place=named, cause=place.cause)


def describe_set_back(data: Mapping[str, Any], _money: object = None) -> str:
    """Say that an older history goes on, what was signed that is gone, and why."""
    said = _now(
        "signed before up to entry %(number)s, which is gone; before %(witness)s: %(reason)s"
    )
    return said % {name: data[name] for name in ("number", "witness", "reason")}
