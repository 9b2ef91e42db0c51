"""Audit entries of a hall's door: the count, the register, the list of the excluded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from bingo.rules import admission, rulebooks
from bingo.rules.admission import Doorway, ExclusionState
from draws.record.audit.engine import require, require_same, second_person_of_entry
from draws.record.audit.expected_rows import Books, Listed
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry, Visit

CHUNK = 2_000


def pass_door(books: Books, entry: JournalEntry) -> None:
    """Follow who came, went, was sent away or was counted. Raises Refusal: fact_disagrees, the rules'."""
    data = entry.data
    require_same(entry, _decided(Doorway(books.inside, data.get("capacity")), entry))
    if entry.kind == admission.ADMITTED:
        require(entry, data.get("capacity") == in_force(books, entry).get("capacity"))
        _require_identity(books, entry)
    books.inside = data["inside"]
    if "identity" in data:
        number = next_number(books, entry)
        books.visits[number], books.visit_keys[number] = entry, _present_key(books)


def _present_key(books: Books) -> int:
    """Return the version of the key of documents in force, 0 where there is none yet."""
    return max(books.document_keys, default=0)


def next_number(books: Books, _entry: JournalEntry) -> int:
    """Return the number of the next row of the door's count."""
    return 1 + len(books.tables["admission"])


def _require_identity(books: Books, entry: JournalEntry) -> None:
    """Refuse an admission that is not in the register where it must be, or is where nobody asks.

    Halls that asked before there was a register have no key of documents yet.
    """
    if not books.document_keys and "identity" not in entry.data:
        return
    by_law = rulebooks.get(entry.hall.rulebook).identity_asked
    asked = by_law or bool(in_force(books, entry).get("identity_asked"))
    require(entry, ("identity" in entry.data) is asked)


def _decided(doorway: Doorway, entry: JournalEntry) -> dict[str, Any]:
    """Decide an entry again. The birth date is not kept: that it was looked at is believed.

    So is that a document was, where none is asked; whose it was is proved by the register's row.
    """
    data = entry.data
    if entry.kind == admission.ADMITTED:
        asked, checked = "identity" in data, "document_checked" in data
        identity = data.get("identity") if asked else ("" if checked else None)
        told = admission.admit(
            doorway, born=None, today=entry.hall.day(entry.at), least_age=0, identity_asked=asked,
            identity=identity,
        )  # fmt: skip
        return told | ({"age_checked": True} if data.get("age_checked") is True else {})
    if entry.kind == admission.LEFT:
        return admission.leave(doorway)
    if entry.kind == admission.REFUSED:
        return admission.refuse(doorway, reason=data["reason"])
    return admission.count(doorway, inside=data["inside"], reason=data["reason"])


def in_force(books: Books, entry: JournalEntry) -> Mapping[str, Any]:
    """Return what the authorisation says that counts on the entry's day, nothing without one."""
    day = entry.hall.day(entry.at)
    held = [
        row
        for row in books.tables["authorisation"].values()
        if row.values["valid_from"] <= day <= (row.values["valid_until"] or day)
    ]
    last = max(held, key=lambda row: (row.values["valid_from"], row.number), default=None)
    return last.values if last else {}


def make_key(books: Books, entry: JournalEntry) -> None:
    """Let the next key of the documents hold, which the system makes. Raises Refusal fact_disagrees."""
    version = entry.data["version"]
    require(entry, version == 1 + _present_key(books) and entry.by is None)
    books.document_keys[version] = str(entry.data["fingerprint"])


def list_exclusion(books: Books, entry: JournalEntry) -> None:
    """Put an exclusion on the list. Raises Refusal: fact_disagrees, or the rules'."""
    data = entry.data
    begins = date.fromisoformat(data["begins"])
    ends = date.fromisoformat(data["ends"]) if "ends" in data else None
    known = [one.exclusion for one in books.exclusions.values()]
    told = admission.add_exclusion(
        [one for one in known if one.document == data["document"]],
        number=1 + len(known), document=data["document"], key=_present_key(books),
        reason=data["reason"], begins=begins, ends=ends, today=entry.hall.day(entry.at),
    )  # fmt: skip
    require_same(entry, told)
    state = ExclusionState(data["exclusion"], data["document"], data["reason"], begins, ends)
    books.exclusions[data["exclusion"]] = Listed(state, data["key"], entry.number)


def lift_exclusion(books: Books, entry: JournalEntry) -> None:
    """End an exclusion. Raises Refusal: fact_disagrees, second_person_needed, the rules'."""
    listed = books.exclusions[entry.data["exclusion"]]
    witness = second_person_of_entry(books, entry).get("witness")
    told = admission.lift(listed.exclusion, reason=entry.data["reason"], witness=witness)
    require_same(entry, told)
    listed.exclusion, listed.lifted = replace(listed.exclusion, lifted=True), entry.number


def find_admission_differences(hall: Hall, books: Books) -> Iterator[Finding]:
    """Compare the register with the journal: each row proves its entry, each entry has its row.

    Those that a removal lists may be gone, or about to go. Nobody was let in who was excluded then.
    """
    left = {number: one for number, one in books.visits.items() if number > books.visits_gone}
    rows = Visit.objects.filter(hall=hall).select_related("admission").order_by("number")
    for row in rows.iterator(chunk_size=CHUNK):
        left.pop(row.number, None)
        entry = books.visits.get(row.number)
        if entry is None or row.admission.number != row.number:
            yield Finding(hall.head_number, "visit_differs", f"{row.number}: no entry made it")
        elif not _proves(row, entry, key=books.visit_keys[row.number]):
            yield Finding(entry.number, "visit_differs", f"{row.number}: not what was recorded")
        elif any(_kept_out(one, entry) for one in _of(books, row)):
            yield Finding(entry.number, "visit_differs", f"{row.number}: excluded then")
    for number, entry in left.items():
        yield Finding(entry.number, "visit_differs", f"{number}: the row is missing")


def _proves(row: Visit, entry: JournalEntry, *, key: int) -> bool:
    kept = timedelta(days=rulebooks.get(entry.hall.rulebook).admission_days)
    try:
        proof = admission.sealed(row.document, salt=row.salt)
    except ValueError:
        return False
    told = (entry.data["identity"], entry.at, entry.at + kept, key)
    return (proof, row.at, row.kept_until, row.key) == told


def _of(books: Books, row: Visit) -> Iterator[Listed]:
    for one in books.exclusions.values():
        if (one.exclusion.document, one.key) == (row.document, row.key):
            yield one


def _kept_out(listed: Listed, entry: JournalEntry) -> bool:
    # By number: under a clock that was set back many entries have one time.
    standing = listed.added < entry.number < (listed.lifted or entry.number + 1)
    return standing and replace(listed.exclusion, lifted=False).holds(entry.hall.day(entry.at))
