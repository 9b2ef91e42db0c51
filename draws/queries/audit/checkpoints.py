"""Whether what was signed of a hall's journal, in the database and beside the key, is what it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bingo import notes
from bingo.rules import checkpoints as rules
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from halls.models import Checkpoint, Hall, JournalEntry
from halls.queries import signing
from halls.queries.chain import Finding
from halls.queries.signing import Keys


def _key_changed(_books: Books, entry: JournalEntry) -> None:
    data = entry.data
    if rules.change_key(version=data["version"], before=data["before"], key=data["key"]) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)


def _set_back(_books: Books, entry: JournalEntry) -> None:
    if rules.set_back(**entry.data) != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)


WRITES = {rules.KEY_CHANGED: _key_changed, rules.SET_BACK: _set_back}


def differing(hall: Hall) -> Iterator[Finding]:
    """Give each checkpoint that the journal does not bear out, and each that is missing.

    Signatures are looked at where the keys are: not of a copy elsewhere.
    """
    try:
        keys = signing.kept(hall)
    except Refusal as refused:
        yield Finding(hall.head_number, refused.code, str(refused.values["folder"]))
        keys = {}
    yield from _renewals(hall)
    vkeys = signing.known(hall, keys)
    for one in _rows(hall):
        fault = _fault(hall, one, vkeys)
        if fault:
            yield Finding(one.entry.number, "checkpoint_differs", fault)
    yield from _missing(hall)
    yield from _remembered(hall, keys)


def _renewals(hall: Hall) -> Iterator[Finding]:
    """Find renewals that do not follow each other."""
    version, vkey = 1, None
    changes = JournalEntry.objects.filter(hall=hall, kind=rules.KEY_CHANGED).order_by("number")
    for entry in changes:
        version += 1
        before = vkey or entry.data["before"]
        if (entry.data["version"], entry.data["before"]) != (version, before):
            yield Finding(entry.number, "checkpoint_key_differs", f"version {version} was next")
        vkey = entry.data["key"]


def _rows(hall: Hall) -> Iterator[Checkpoint]:
    ours = Checkpoint.objects.filter(hall=hall) | Checkpoint.objects.filter(entry__hall=hall)
    found = ours.select_related("entry__session").order_by("entry__number")
    yield from found.iterator(chunk_size=2_000)


def _fault(hall: Hall, row: Checkpoint, vkeys: Sequence[str]) -> str:
    """Say what is wrong with a row, or nothing."""
    entry = row.entry
    if (row.hall_id, entry.hall_id, row.number) != (hall.pk, hall.pk, entry.number):
        return f"{row.number}: of another entry"
    if entry.kind not in rules.KINDS:
        return "no checkpoint is made of such an entry"
    try:
        text = notes.opened(row.note, vkeys) if vkeys else row.note.rpartition("\n\n")[0] + "\n"
    except Refusal as refused:
        return f"{refused.code}: {refused.values}" if refused.values else refused.code
    return "" if text == rules.written(signing.head(hall, entry)) else "another head was signed"


def _missing(hall: Hall) -> Iterator[Finding]:
    """Find entries between the first checkpoint and the last that have none."""
    numbers = Checkpoint.objects.filter(hall=hall).order_by("number")
    first, last = numbers.first(), numbers.last()
    if first is None or last is None:
        return
    span = {"number__gt": first.number, "number__lt": last.number, "kind__in": rules.KINDS}
    bare = JournalEntry.objects.filter(hall=hall, checkpoint__isnull=True, **span)
    for entry in bare.order_by("number"):
        yield Finding(entry.number, "checkpoint_differs", "the row is missing")


def _remembered(hall: Hall, keys: Keys) -> Iterator[Finding]:
    """Hold the journal against the last head in the file beside the key."""
    if not keys:
        return
    try:
        head = signing.remembered(hall, keys)
        if head is not None:
            signing.require_same_history(hall, head, upto=0)
    except Refusal as refused:
        number = refused.values.get("number", hall.head_number)
        yield Finding(int(str(number)), refused.code, "the head beside the key says otherwise")
