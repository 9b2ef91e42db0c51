"""A hall's checkpoints: the newest, what is wrong with their places, and one held against the journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet

from bingo import notes
from bingo.rules import checkpoints as rules
from bingo.rules import policies as rules_of
from bingo.rules.checkpoints import Checkpoint as Head
from bingo.rules.checkpoints import Comparison
from bingo.rules.refusal import Refusal
from halls.models import Checkpoint, CheckpointPlace, Hall, JournalEntry
from halls.queries import policies

MOST = 50  # checkpoints pasted at once
PRINTER = "printer:"  # no folder's name: those begin at the root


@dataclass(frozen=True, slots=True)
class Held:
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
    """Give where the last session's policy wants checkpoints printed, or None."""
    session = hall.sessions.order_by("-number").first()
    policy = rules_of.of(session.state["terms"]) if session else policies.in_force(hall)
    address = policy.printers.get(policy.checkpoint_till)
    return Printer(policy.checkpoint_till, address) if address else None


def printed_at(till: str) -> str:
    """Give the name of a till's printer as a place for checkpoints."""
    return f"{PRINTER}{till}"


def newest(hall: Hall) -> Checkpoint | None:
    """Give the last checkpoint signed, or None."""
    return (
        Checkpoint.objects.filter(hall=hall)
        .select_related("entry__hall", "entry__session")
        .order_by("number")
        .last()
    )


def of_hall(hall: Hall) -> QuerySet[Checkpoint]:
    """Give a hall's checkpoints, newest first."""
    found = Checkpoint.objects.filter(hall=hall).select_related("entry__session")
    return found.order_by("-number")


def faults(hall: Hall) -> list[CheckpointPlace]:
    """Give the places that cannot be written to; one without a name stands for the key."""
    told = CheckpointPlace.objects.filter(hall=hall).exclude(fault="").order_by("place")
    asked = {"", *settings.CHECKPOINT_DIRS}
    if wanted := printer(hall):
        asked.add(printed_at(wanted.till))
    return [one for one in told if one.place in asked]


def set_back(hall: Hall) -> QuerySet[JournalEntry]:
    """Give the entries by which an older history was accepted, the newest first."""
    found = JournalEntry.objects.filter(hall=hall, kind=rules.SET_BACK).select_related("by")
    return found.order_by("-number")


def hold(hall: Hall, pasted: str, vkeys: Sequence[str]) -> list[Held]:
    """Hold checkpoints that were pasted one under the other against the hall's journal."""
    return [_held(hall, note, vkeys) for note in _parted(pasted)[:MOST]]


def _parted(pasted: str) -> list[str]:
    """Part notes where one begins; a page's field ends lines in its own way."""
    begin = rules.origin("")
    text = "\n".join(line.strip() for line in pasted.splitlines())
    parts = ("\n" + text).split(f"\n{begin}")
    found = [begin + part.strip("\n") + "\n" for part in parts[1:]]
    return found if found or not text.strip() else [text]


def _held(hall: Hall, note: str, vkeys: Sequence[str]) -> Held:
    try:
        head = rules.read(notes.opened(note, vkeys))
    except Refusal as refused:
        return Held(None, None, refused)
    entry = JournalEntry.objects.filter(hall=hall, number=head.number).only("digest").first()
    return Held(head, rules.against(head, entry.digest if entry else None))
