"""What entries about seals and rectifications must have written into which rows (R58).

What entries about a sealed acta must say: of which file, and which remark they answer (R61).

Whether what was signed of a hall's journal, in the database and beside the key, is what it says.

Readings of the system's clock: each is one that said something new after the one before it.

Whether the log of who looked at what is whole: each look carries the digest of the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from bingo import signed_notes
from bingo.rules import journal, record, retention
from bingo.rules.record import FIRST_KEY, KEY_CHANGED, PLAIN
from bingo.rules.refusal import Refusal
from draws.record.audit.expected_rows import Books, Key
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints.queries import Keys
from halls.inspection import look_digest
from halls.journal.queries import Finding
from halls.models import Checkpoint, Hall, JournalEntry, Look, Removal


def _sealed(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    number, digest = _head(books, entry)
    table, key = _row(entry)
    books.put(
        table, key, entry.number,
        entry=entry.pk, sealed_at=entry.at, digest=data["digest"], pdf_digest=data["digest"],
        certificate_digest=data.get("certificate"), head_number=number, head_digest=digest,
        key=data.get("key", FIRST_KEY), level=data.get("level", PLAIN),
    )  # fmt: skip
    if (data["head_number"], data["head_digest"]) != (number, digest):
        raise ValueError("head")
    if data.get("key", FIRST_KEY) != books.seal_key:
        raise Refusal("fact_disagrees", kind=entry.kind)


def _head(books: Books, entry: JournalEntry) -> tuple[int, str]:
    """Return the entry that a sealed acta carries: the session's last, or that of its rectification."""
    if "rectification" not in entry.data:
        return books.closings[entry.session_id or 0]
    return books.rectified[_row(entry)[1]]


def _row(entry: JournalEntry) -> tuple[str, Key]:
    if "rectification" not in entry.data:
        return "acta", (entry.session_id,)
    return "rectified_acta", (entry.session_id, entry.data["rectification"])


def _rectified(books: Books, entry: JournalEntry) -> None:
    """Book a rectification. Raises Refusal: second_person_needed, fact_disagrees, the rules'."""
    data, session = entry.data, entry.session_id
    if not data["witness"] or (entry.by and entry.by.username == data["witness"]):
        raise Refusal("second_person_needed", command=entry.kind)
    before = data["rectifies"]
    key: Key = (session, before) if before else (session,)
    sealed = books.tables["rectified_acta" if before else "acta"].get(key)
    told = record.rectify(
        session=books.tables["session"][(session,)].values["number"],
        before=before,
        digest=sealed.values["digest"] if sealed else None,
        reason=data["reason"],
        what=data["what"],
    )
    if told | {"witness": data["witness"]} != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    made: Key = (session, told["rectification"])
    if made in books.rectified:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.rectified[made] = (entry.number, entry.digest)
    books.put(
        "rectification", made, entry.number,
        entry=entry.pk, previous=before or None, rectifies=data["digest"], reason=data["reason"],
        what=data["what"], at=entry.at,
    )  # fmt: skip


def _acta_key_changed(books: Books, entry: JournalEntry) -> None:
    """Let another key seal from now on: the next in number."""
    if entry.data["key"] != books.seal_key + 1:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.seal_key = entry.data["key"]


ACTA_WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        "acta_sealed": _sealed,
        record.RECTIFIED: _rectified,
        KEY_CHANGED: _acta_key_changed,
    }
)


def _acknowledged(books: Books, entry: JournalEntry) -> None:
    told = record.acknowledge(
        session=_session(books, entry), acta=_acta(books, entry), known=books.acknowledged
    )
    _same(entry, told)
    books.acknowledged.add(told["acta"])


def _remarked(books: Books, entry: JournalEntry) -> None:
    session, acta = _session(books, entry), _acta(books, entry)
    _same(entry, record.remark(session=session, acta=acta, text=entry.data["text"]))
    books.remarks[entry.session_id or 0].add(entry.number)


def _answered(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    told = record.answer(
        session=_session(books, entry),
        remark=data["remark"],
        text=data["text"],
        remarks=books.remarks[entry.session_id or 0],
        answered=books.answered,
    )
    _same(entry, told)
    books.answered.add(data["remark"])


def _session(books: Books, entry: JournalEntry) -> int:
    """Return the number of the entry's session, whose acta must be sealed."""
    if (entry.session_id,) not in books.tables["acta"]:
        raise Refusal("fact_disagrees", kind=entry.kind)
    return int(books.tables["session"][(entry.session_id,)].values["number"])


def _acta(books: Books, entry: JournalEntry) -> str:
    """Return the file that an entry names: the session's acta, or one that rectified it by then."""
    rows = [books.tables["acta"].get((entry.session_id,))]
    rows += [
        row for key, row in books.tables["rectified_acta"].items() if key[0] == entry.session_id
    ]
    digests = [row.values["digest"] for row in rows if row is not None]
    if entry.data["acta"] not in digests:
        raise Refusal("fact_disagrees", kind=entry.kind)
    return str(entry.data["acta"])


def _same(entry: JournalEntry, told: dict[str, Any]) -> None:
    if told != entry.data or entry.game is not None or entry.by is None:
        raise Refusal("fact_disagrees", kind=entry.kind)


REMARK_WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        "acta_acknowledged": _acknowledged,
        "acta_remarked": _remarked,
        "remark_answered": _answered,
    }
)


def _checkpoint_key_changed(_books: Books, entry: JournalEntry) -> None:
    data = entry.data
    if journal.change_key(version=data["version"], before=data["before"], key=data["key"]) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)


def _set_back(_books: Books, entry: JournalEntry) -> None:
    if journal.set_back(**entry.data) != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)


CHECKPOINT_WRITES = {journal.KEY_CHANGED: _checkpoint_key_changed, journal.SET_BACK: _set_back}


def find_checkpoint_differences(hall: Hall) -> Iterator[Finding]:
    """Return each checkpoint that the journal does not bear out, and each that is missing.

    Signatures are looked at where the keys are: not of a copy elsewhere.
    """
    try:
        keys = checkpoints_queries.kept(hall)
    except Refusal as refused:
        yield Finding(hall.head_number, refused.code, str(refused.values["folder"]))
        keys = {}
    yield from _renewals(hall)
    vkeys = checkpoints_queries.list_signing_keys(hall, keys)
    for one in _rows(hall):
        fault = _fault(hall, one, vkeys)
        if fault:
            yield Finding(one.entry.number, "checkpoint_differs", fault)
    yield from _missing(hall)
    yield from _remembered(hall, keys)


def _renewals(hall: Hall) -> Iterator[Finding]:
    """Find renewals that do not follow each other."""
    version, vkey = 1, None
    changes = JournalEntry.objects.filter(hall=hall, kind=journal.KEY_CHANGED).order_by("number")
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
    if entry.kind not in journal.KINDS:
        return "no checkpoint is made of such an entry"
    try:
        text = (
            signed_notes.opened(row.note, vkeys) if vkeys else row.note.rpartition("\n\n")[0] + "\n"
        )
    except Refusal as refused:
        return f"{refused.code}: {refused.values}" if refused.values else refused.code
    return (
        ""
        if text == journal.written(checkpoints_queries.signing_head(hall, entry))
        else "another head was signed"
    )


def _missing(hall: Hall) -> Iterator[Finding]:
    """Find entries between the first checkpoint and the last that have none."""
    numbers = Checkpoint.objects.filter(hall=hall).order_by("number")
    first, last = numbers.first(), numbers.last()
    if first is None or last is None:
        return
    span = {"number__gt": first.number, "number__lt": last.number, "kind__in": journal.KINDS}
    bare = JournalEntry.objects.filter(hall=hall, checkpoint__isnull=True, **span)
    for entry in bare.order_by("number"):
        yield Finding(entry.number, "checkpoint_differs", "the row is missing")


def _remembered(hall: Hall, keys: Keys) -> Iterator[Finding]:
    """Hold the journal against the last head in the file beside the key."""
    if not keys:
        return
    try:
        head = checkpoints_queries.remembered(hall, keys)
        if head is not None:
            checkpoints_queries.require_same_history(hall, head, upto=0)
    except Refusal as refused:
        number = refused.values.get("number", hall.head_number)
        yield Finding(int(str(number)), refused.code, "the head beside the key says otherwise")


def _read(books: Books, entry: JournalEntry) -> None:
    """Follow the readings of a session. Raises Refusal fact_disagrees."""
    session = entry.session_id or 0
    now = journal.read_clock(entry.data)
    if not session or journal.describe_clock(books.clocks.get(session), now) != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.clocks[session] = now


CLOCK_WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {journal.READ: _read}
)


CHUNK = 2_000


def find_access_log_differences(hall: Hall) -> Iterator[Finding]:
    """Return each look that does not follow from the one before it: one is gone, or says otherwise."""
    before: str | None = None
    first = True
    for look in Look.objects.filter(hall=hall).order_by("pk").iterator(chunk_size=CHUNK):
        expected = _removed(hall, look) if first else before
        if expected is not None and look.before != expected:
            yield Finding(hall.head_number, "looks_broken", f"before look {look.pk}")
        before, first = look_digest(look), False


def _removed(hall: Hall, look: Look) -> str | None:
    """Return the digest of the last look that was removed before one, None where no list tells it."""
    removals = Removal.objects.filter(hall=hall, looks_upto__lt=look.pk).order_by("-number")
    listed = removals.values_list("listed", flat=True).first()
    if listed is None:
        return record.START
    try:
        return retention.last_look(listed)
    except ValueError:
        return None  # that it cannot be read is told with the removals
