"""Read a hall's signed checkpoints: the newest, faults of their places, and how they fit the journal.

Also which key signs an entry, the note of a head, and what a page says of checkpoints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bingo import signed_notes
from bingo.rules import checkpoints_and_clock
from bingo.rules import policies as rules_of
from bingo.rules.checkpoints_and_clock import Comparison
from bingo.rules.checkpoints_and_clock import JournalHead as Head
from bingo.rules.journal_json_and_chain import chain_digest
from bingo.rules.refusal import Refusal
from bingo.signed_notes import NoteKey
from halls.journal.head import as_value
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry
from halls.policy import queries as policy_queries

MOST = 50  # checkpoints pasted at once
PRINTER = "printer:"  # no folder's name: those begin at the root
WITNESS = "witness:"  # likewise
HEAD = "head"  # the file beside the key, as a place that remembers the last head


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
    """Return the till that the last session's policy names, with the printer it has now, or None.

    Where the hall has meanwhile moved its slips to another till, that of the session goes on.
    """
    session = hall.sessions.order_by("-number").first()
    policy = (
        rules_of.of(session.state["terms"])
        if session
        else policy_queries.in_force(hall, timezone.now())
    )
    printers = {**policy.printers, **policy_queries.printers(hall)}
    address = printers.get(policy.checkpoint_till)
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


def chosen_folder(hall: Hall) -> str:
    """Return the folder that the hall manager chose last, or an empty text."""
    told = JournalEntry.objects.filter(
        hall=hall, kind=checkpoints_and_clock.FOLDER_CHOSEN
    ).order_by("number")
    last = told.last()
    return last.data["folder"] if last else ""


def folders(hall: Hall) -> list[str]:
    """Return where checkpoints are written: the server's settings win over what was chosen."""
    chosen = chosen_folder(hall)
    return list(settings.CHECKPOINT_DIRS) or ([chosen] if chosen else [])


def is_kept_elsewhere(hall: Hall) -> bool:
    """Return whether there is a folder for checkpoints; a chosen one must hold some, without a fault."""
    if settings.CHECKPOINT_DIRS:
        return True
    held = CheckpointPlace.objects.filter(hall=hall, fault="", number__gt=0)
    chosen = chosen_folder(hall)
    return bool(chosen) and held.filter(place=chosen).exists()


def faults(hall: Hall) -> list[CheckpointPlace]:
    """Return the places that cannot be written to; one without a name stands for the key.

    That nothing is signed because a witness saw another history stands with that witness, by its name.
    """
    told = CheckpointPlace.objects.filter(hall=hall).exclude(fault="").select_related("hall")
    told = told.exclude(place="", fault="checkpoint_witness_conflict")
    asked = {"", *folders(hall), *(f"{WITNESS}{name}" for name in settings.WITNESSES)}
    if wanted := printer(hall):
        asked.add(printed_at(wanted.till))
    return [one for one in told.order_by("place") if one.place in asked]


def cosigned(checkpoint: Checkpoint) -> str:
    """Return a checkpoint's note with the lines of those witnesses that cosigned it."""
    lines = checkpoint.cosignatures.order_by("witness").values_list("line", flat=True)
    return checkpoint.note + "".join(lines)


@dataclass(frozen=True, slots=True)
class WitnessStand:
    """A witness of the settings: its key, the entry it has cosigned up to, and what is wrong."""

    name: str
    url: str
    key: str
    number: int
    fault: str


def witness_stands(hall: Hall) -> list[WitnessStand]:
    """Return how far each witness has seen a hall; none of training."""
    if hall.is_training:
        return []
    rows = {
        row.place.removeprefix(WITNESS): row
        for row in CheckpointPlace.objects.filter(hall=hall, place__startswith=WITNESS)
    }
    return [
        WitnessStand(
            name, url, key,
            rows[name].number if name in rows else 0,
            checkpoint_fault(rows[name]) if name in rows and rows[name].fault else "",
        )
        for name, (url, key) in settings.WITNESSES.items()
    ]  # fmt: skip


def stopped(hall: Hall) -> bool:
    """Return whether nothing is signed and no acta sealed until people decide."""
    return any(one.fault in STOPS for one in faults(hall))


def set_back(hall: Hall) -> QuerySet[JournalEntry]:
    """Return the entries by which an older history was accepted, the newest first."""
    found = JournalEntry.objects.filter(
        hall=hall, kind=checkpoints_and_clock.SET_BACK
    ).select_related("by")
    return found.order_by("-number")


def hold(hall: Hall, pasted: str, vkeys: Sequence[str]) -> list[CheckpointCopy]:
    """Hold checkpoints that were pasted one under the other against the hall's journal."""
    return [_held(hall, note, vkeys) for note in _parted(pasted)[:MOST]]


def _parted(pasted: str) -> list[str]:
    """Part notes where one begins; a page's field ends lines in its own way."""
    begin = checkpoints_and_clock.origin("")
    text = "\n".join(line.strip() for line in pasted.splitlines())
    parts = ("\n" + text).split(f"\n{begin}")
    found = [begin + part.strip("\n") + "\n" for part in parts[1:]]
    return found if found or not text.strip() else [text]


def _held(hall: Hall, note: str, vkeys: Sequence[str]) -> CheckpointCopy:
    try:
        head = checkpoints_and_clock.read_checkpoint(signed_notes.opened(note, vkeys))
    except Refusal as refused:
        return CheckpointCopy(None, None, refused)
    entry = JournalEntry.objects.filter(hall=hall, number=head.number).only("digest").first()
    return CheckpointCopy(
        head, checkpoints_and_clock.against(head, entry.digest if entry else None)
    )


Keys = Mapping[int, NoteKey]


def keys_folder(hall: Hall) -> Path:
    """Return where a hall's checkpoint keys lie: beside the seal's folder, not in it."""
    return Path(settings.KEYS_DIR) / f"{hall.code}.checkpoints"


def kept(hall: Hall) -> Keys:
    """Return the hall's keys by their version, none before its first.

    The file of a next one is no key before an entry names it: its change was refused, or interrupted.
    Raises Refusal checkpoint_key_unreadable.
    """
    last = version(hall)
    return {number: key for number, key in on_disk(hall).items() if number <= last}


def on_disk(hall: Hall) -> Keys:
    """Return every key in the hall's folder by its version, named or not.

    Raises Refusal checkpoint_key_unreadable.
    """
    return signed_notes.kept(keys_folder(hall), name=checkpoints_and_clock.origin(hall.code))


def key_changes(hall: Hall) -> QuerySet[JournalEntry]:
    """Return the entries from which on another key signs: renewals, and new keys for those lost."""
    told = (checkpoints_and_clock.KEY_CHANGED, checkpoints_and_clock.SET_BACK)
    return JournalEntry.objects.filter(hall=hall, kind__in=told, data__has_key="version")


def keys_lost(hall: Hall) -> int:
    """Return the last entry by which a new key took the place of lost ones, nought without any.

    What was not signed before it never can be.
    """
    found = key_changes(hall).filter(kind=checkpoints_and_clock.SET_BACK).order_by("number").last()
    return found.number if found else 0


def version(hall: Hall, *, number: int | None = None) -> int:
    """Return the version of the key that signs an entry, or the next one."""
    changes = key_changes(hall)
    if number is not None:
        changes = changes.filter(number__lte=number)
    last = changes.order_by("number").last()
    return last.data["version"] if last else 1


def signing_keys(hall: Hall, keys: Keys) -> dict[int, str]:
    """Return the keys that have signed, by their version, as they are written down, the oldest first.

    Earlier ones are known from the journal, so that their files may be put away; one that was lost
    before the journal named it is missing.
    """
    told: dict[int, str] = {}
    for data in key_changes(hall).order_by("number").values_list("data", flat=True):
        if "before" in data:
            told.setdefault(data["version"] - 1, data["before"])
        told[data["version"]] = data["key"]
    return told or {number: key.vkey for number, key in keys.items() if number == 1}


def signing_head(hall: Hall, entry: JournalEntry) -> Head:
    """Return the head at an entry."""
    further = {"session": str(entry.session.number)} if entry.session else {}
    if entry.game is not None:
        further["game"] = str(entry.game)
    further["time"] = entry.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if (
        entry.kind in (checkpoints_and_clock.KEY_CHANGED, checkpoints_and_clock.SET_BACK)
        and "key" in entry.data
    ):
        further["key"] = entry.data["key"]
    if entry.kind == checkpoints_and_clock.SET_BACK:
        further["set-back"] = f"{entry.data['number']}:{entry.data['digest']}"
    return Head(hall.code, entry.number, entry.digest, further)


def note_signing(hall: Hall, entry: JournalEntry, keys: Keys) -> str:
    """Sign the head at an entry: the same entry and keys give the same note.

    A renewal is signed by the key before and the new one. Raises Refusal checkpoint_key_unreadable
    where one of them is away, or is not the one that the journal names.
    """
    told = version(hall, number=entry.number)
    wanted = [told] if entry.kind != checkpoints_and_clock.KEY_CHANGED else [told - 1, told]
    signers = [keys[one] for one in wanted if one in keys]
    named = [entry.data["before"], entry.data["key"]] if len(wanted) == 2 else []
    if len(signers) != len(wanted) or (named and named != [one.vkey for one in signers]):
        raise Refusal("checkpoint_key_unreadable", folder=str(keys_folder(hall)))
    return signed_notes.sign_note(checkpoints_and_clock.written(signing_head(hall, entry)), signers)


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
        "checkpoint_place_link": _(
            "{place} holds a link where the hall's own folder should be: remove the link, then it is "
            "caught up with by itself."
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
        "checkpoint_memory_lost": _(
            "What was signed last is no longer remembered everywhere ({cause}): nothing more is signed, "
            "no acta is sealed. If its files were lost, bring them back from their copy; else two people "
            "decide by `manage.py accept_history`. Call the inspector, who compares with an earlier "
            "checkpoint."
        ),
        "checkpoint_memory_older": _(
            "What was signed last was set back in one place ({cause}): nothing more is signed, no acta "
            "is sealed. Keep everything as it is, and call the inspector; two people "
            "go on by `manage.py accept_history`."
        ),
        "checkpoint_memory_away": _(
            "One that remembers what was signed last does not answer ({cause}): nothing is signed, no "
            "acta is sealed until it does. See that `serve` runs."
        ),
        "checkpoint_witness_away": _(
            "The witness {place} does not answer ({cause}): the hall goes on, and what it missed is "
            "sent when it is back. See that the network reaches it."
        ),
        "checkpoint_witness_refused": _(
            "The witness {place} refuses the hall's checkpoints ({cause}): ask whoever runs it whether "
            "it knows the hall's key."
        ),
        "checkpoint_witness_conflict": _(
            "The witness {place} saw another history up to entry {cause}: the journal was rewritten, or "
            "restored from an older copy. Nothing more is signed, no acta is sealed. Keep everything as "
            "it is, and call the inspector and whoever runs the witness."
        ),
    }
)
KEEPERS: Mapping[str, Promise] = MappingProxyType(
    {HEAD: _("the folder of the keys"), "rng": _("the process of the RNG")}
)
# One who remembers the last head has none, another one, or gives no answer.
MEMORY = frozenset(["checkpoint_memory_lost", "checkpoint_memory_older", "checkpoint_memory_away"])
STOPS = MEMORY | {"checkpoint_history_rewritten", "checkpoint_witness_conflict"}


def checkpoint_fault(place: CheckpointPlace) -> str:
    """Say what is wrong with a place, since when, and what to do."""
    words = FAULTS.get(place.fault)
    if words is None:
        return _now("Checkpoints cannot be written")
    named = place.place.removeprefix(PRINTER).removeprefix(WITNESS)
    cause = str(KEEPERS.get(place.cause, place.cause))
    said = str(words).format(place=named, cause=cause)
    if place.since is None or not place.place.startswith(WITNESS):
        return said
    return f"{said} {_since(place.hall, place.since)}"


def _since(hall: Hall, at: datetime) -> str:
    told = date_format(at.astimezone(ZoneInfo(hall.time_zone)), "SHORT_DATETIME_FORMAT")
    return _now("Since %(moment)s.") % {"moment": told}


def describe_set_back(data: Mapping[str, Any], _money: object = None) -> str:
    """Say that an older history goes on, what was signed that is gone, and why."""
    if "lost" in data:
        said = _now(
            "what was signed last was no longer remembered as it was; known up to entry %(number)s, "
            "before %(witness)s: %(reason)s"
        )
        return said % {name: data[name] for name in ("number", "witness", "reason")}
    said = _now(
        "signed before up to entry %(number)s, which is gone; before %(witness)s: %(reason)s"
    )
    return said % {name: data[name] for name in ("number", "witness", "reason")}
