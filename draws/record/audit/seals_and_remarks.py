"""Audit entries about seals, remarks and rectifications, the clock and the access log (R58, R61).

Checkpoints in the database and beside the key must be what the journal says. A reading of the
system's clock must say something new after the one before it. Each look of the access log must
carry the digest of the one before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain

from bingo import signed_notes
from bingo.pdf.pdfa import attachment
from bingo.rules import actas_after_sealing, checkpoints_and_clock, retention
from bingo.rules.actas_after_sealing import FIRST_KEY, PLAIN
from bingo.rules.refusal import Refusal
from draws.models import Acta, RectifiedActa
from draws.models.record import SealedDocument
from draws.record.audit.engine import require, require_same, two_persons
from draws.record.audit.expected_rows import Books, Key
from halls.checkpoints import memory
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints.queries import Keys
from halls.journal.queries import Finding
from halls.models import Checkpoint, Hall, JournalEntry, Look, Removal


def seal_acta(books: Books, entry: JournalEntry) -> None:
    """Book the file of an acta, or of what rectifies one. Raises Refusal fact_disagrees."""
    data, session = entry.data, entry.session_id or 0
    key: Key
    # An acta carries its session's last entry, one that rectifies it that of its rectification.
    if "rectification" in data:
        table, key = "rectified_acta", (session, data["rectification"])
        head = books.rectified[key]
    else:
        table, key, head = "acta", (session,), books.closings[session]
    # Of a session, and of each rectification, there is one acta for ever (R58).
    require(entry, key not in books.tables[table])
    books.put(
        table, key, entry.number,
        entry=entry.pk, sealed_at=entry.at, digest=data["digest"], pdf_digest=data["digest"],
        certificate_digest=data.get("certificate"), head_number=head[0], head_digest=head[1],
        key=data.get("key", FIRST_KEY), level=data.get("level", PLAIN),
    )  # fmt: skip
    if (data["head_number"], data["head_digest"]) != head:
        raise ValueError("head")
    require(entry, data.get("key", FIRST_KEY) == books.seal_key)


def rectify_acta(books: Books, entry: JournalEntry) -> None:
    """Follow a rectification. Raises Refusal: second_person_needed, fact_disagrees, the rules'."""
    data, session = entry.data, entry.session_id
    witness = two_persons(books, entry)
    before = data["rectifies"]
    key: Key = (session, before) if before else (session,)
    sealed = books.tables["rectified_acta" if before else "acta"].get(key)
    told = actas_after_sealing.rectify(
        session=books.tables["session"][(session,)].values["number"],
        before=before,
        digest=sealed.values["digest"] if sealed else None,
        reason=data["reason"],
        what=data["what"],
    )
    require_same(entry, told | witness)
    made: Key = (session, told["rectification"])
    require(entry, made not in books.rectified)
    books.rectified[made] = (entry.number, entry.digest)


def change_seal_key(books: Books, entry: JournalEntry) -> None:
    """Let another key seal from now on, the next in number. Raises Refusal fact_disagrees."""
    require(entry, entry.data["key"] == books.seal_key + 1)
    books.seal_key = entry.data["key"]


def require_remark(books: Books, entry: JournalEntry) -> None:
    """Refuse what somebody says of an acta that is not sealed, or of a game, or nobody says."""
    sealed = (entry.session_id,) in books.tables["acta"]
    require(entry, sealed and entry.game is None and entry.by is not None)
    if "acta" in entry.data:
        # The session's acta, or one that had rectified it by then.
        tables = (books.tables["acta"], books.tables["rectified_acta"])
        rows = (row for table in tables for row in table.items())
        digests = [row.values["digest"] for key, row in rows if key[0] == entry.session_id]
        require(entry, entry.data["acta"] in digests)


def session_number(books: Books, entry: JournalEntry) -> int:
    """Return the number of the entry's session in the hall."""
    return int(books.tables["session"][(entry.session_id,)].values["number"])


def remarks(books: Books, entry: JournalEntry) -> set[int]:
    """Return the remarks on the acta of the entry's session."""
    return books.remarks[entry.session_id or 0]


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
    vkeys = [*checkpoints_queries.signing_keys(hall, keys).values()]
    begun = checkpoints_queries.keys_lost(hall)
    for one in _rows(hall):
        # Of a key that was lost nothing is known but what it signed.
        fault = _fault(hall, one, vkeys if one.number >= begun else ())
        if fault:
            yield Finding(one.entry.number, "checkpoint_differs", fault)
    yield from _missing(hall)
    yield from _remembered(hall, keys)


def _renewals(hall: Hall) -> Iterator[Finding]:
    """Find renewals that do not follow each other."""
    version, vkey = 1, None
    for entry in checkpoints_queries.key_changes(hall).order_by("number"):
        version += 1
        # A key in the place of a lost one follows from none, the first one from what it says.
        before = vkey if vkey and "before" in entry.data else entry.data.get("before")
        if (entry.data["version"], entry.data.get("before")) != (version, before):
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
    if entry.kind not in checkpoints_and_clock.KINDS:
        return "no checkpoint is made of such an entry"
    signed = row.note.rpartition("\n\n")[0] + "\n"
    try:
        text = signed_notes.opened(row.note, vkeys) if vkeys else signed
    except Refusal as refused:
        return f"{refused.code}: {refused.values}" if refused.values else refused.code
    right = checkpoints_and_clock.written(checkpoints_queries.signing_head(hall, entry))
    return "" if text == right else "another head was signed"


def _missing(hall: Hall) -> Iterator[Finding]:
    """Find entries between the first checkpoint and the last that have none."""
    numbers = Checkpoint.objects.filter(hall=hall).order_by("number")
    first, last = numbers.first(), numbers.last()
    if first is None or last is None:
        return
    begun = max(first.number, checkpoints_queries.keys_lost(hall))
    span = {"number__gt": begun, "number__lt": last.number, "kind__in": checkpoints_and_clock.KINDS}
    bare = JournalEntry.objects.filter(hall=hall, checkpoint__isnull=True, **span)
    for entry in bare.order_by("number"):
        yield Finding(entry.number, "checkpoint_differs", "the row is missing")


REMEMBERED = {
    "checkpoint_history_rewritten": "another head was signed there",
    "checkpoint_memory_lost": "{place} remembers none",
    "checkpoint_memory_older": "{place} remembers an older one",
    "checkpoint_memory_away": "{place} gives no answer",
    "checkpoint_key_unreadable": "{folder}: what is remembered there cannot be read",
}


def _remembered(hall: Hall, keys: Keys) -> Iterator[Finding]:
    """Hold the journal against what the signer remembers beside the key and elsewhere."""
    if not keys:
        return
    try:
        memory.remembered(hall, keys)
    except Refusal as refused:
        number = refused.values.get("number", hall.head_number)
        said = REMEMBERED[refused.code].format(**refused.values)
        yield Finding(int(str(number)), refused.code, said)


CHUNK_OF_FILES = 10  # sealed files held at once


def find_acta_differences(hall: Hall) -> Iterator[Finding]:
    """Open every sealed file, and return each that carries another head than the journal has."""
    actas = Acta.objects.filter(session__hall=hall)
    rectified = RectifiedActa.objects.filter(rectification__session__hall=hall)
    for one in chain(actas.iterator(chunk_size=CHUNK_OF_FILES), rectified.iterator(chunk_size=CHUNK_OF_FILES)):  # fmt: skip
        if fault := _carried_fault(hall, one):
            yield Finding(one.head_number, "acta_head_differs", f"{one.digest}: {fault}")


def _carried_fault(hall: Hall, sealed: SealedDocument) -> str:
    """Say what is wrong with the head that a file carries, or nothing."""
    pdf = bytes(sealed.pdf)
    try:
        said = attachment(pdf)
    except LookupError:
        return "the file carries no data"
    number, head = said.get("journal_last"), said.get("journal_head")
    if not isinstance(number, int) or not isinstance(head, str):
        return "the file carries no head"
    entry = JournalEntry.objects.filter(hall=hall, number=number).only("digest").first()
    if entry is None:
        return f"the file carries entry {number}, which is missing"
    if entry.digest != head:
        return f"the file carries another entry {number}: the history was rewritten"
    if hashlib.sha256(pdf).hexdigest() != sealed.digest:
        return "the file is another one"
    return ""


def read_clock(books: Books, entry: JournalEntry) -> None:
    """Follow the readings of the clock in a session. Raises Refusal fact_disagrees."""
    session = entry.session_id or 0
    now = checkpoints_and_clock.read_clock(entry.data)
    said = checkpoints_and_clock.describe_clock(books.clocks.get(session), now)
    # Of runs without a name older journals tell a step, too.
    untold = () if now.boot else ("step",)
    told = {name: value for name, value in entry.data.items() if name not in untold}
    require(entry, session and said == told)
    books.clocks[session] = now


CHUNK = 2_000


def find_access_log_differences(hall: Hall) -> Iterator[Finding]:
    """Return each look that does not follow from the one before it: one is gone, or says otherwise."""
    before: str | None = None
    first = True
    for look in Look.objects.filter(hall=hall).order_by("pk").iterator(chunk_size=CHUNK):
        expected = _removed(hall, look) if first else before
        if expected is not None and look.before != expected:
            yield Finding(hall.head_number, "looks_broken", f"before look {look.pk}")
        said = {name: getattr(look, name) for name in ("at", "method", "route", "path", "source")}
        before = actas_after_sealing.look_digest(look.before, person=look.person_id, **said)
        first = False


def _removed(hall: Hall, look: Look) -> str | None:
    """Return the digest of the last look that was removed before one, None where no list tells it."""
    removals = Removal.objects.filter(hall=hall, looks_upto__lt=look.pk).order_by("-number")
    listed = removals.values_list("listed", flat=True).first()
    if listed is None:
        return actas_after_sealing.START
    try:
        return retention.last_look(listed)
    except ValueError:
        return None  # that it cannot be read is told with the removals
