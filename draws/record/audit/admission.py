"""What entries of a hall's door must have written: the count, the register, the list of the excluded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from bingo.rules import admission, rulebooks
from bingo.rules.admission import Doorway, ExclusionState
from bingo.rules.refusal import Refusal
from draws.record.audit import people
from draws.record.audit.expected_rows import Books, Listed
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry, Visit

CHUNK = 2_000


def _door(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    doorway = Doorway(books.inside, data.get("capacity"))
    if decided(doorway, entry) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    if "capacity" in data and data["capacity"] not in [
        one["capacity"] for one in _in_force(books, entry)
    ]:
        raise Refusal("fact_disagrees", kind=entry.kind)
    if entry.kind == admission.ADMITTED:
        _require_identity(books, entry)
    books.inside = data["inside"]
    number = 1 + len(books.tables["admission"])
    books.put(
        "admission", (number,), entry.number,
        entry=entry.pk, kind=entry.kind, inside=data["inside"], capacity=data.get("capacity"),
        reason=data.get("reason", ""), at=entry.at,
    )  # fmt: skip
    if "identity" in data:
        books.visits[number] = entry


def _require_identity(books: Books, entry: JournalEntry) -> None:
    """Refuse an admission that is not in the register where it must be, or is where nobody asks.

    Halls that asked before there was a register have no key of documents yet.
    """
    if not books.document_keys and "identity" not in entry.data:
        return
    by_law = rulebooks.get(entry.hall.rulebook).identity_asked
    granted = _in_force(books, entry)
    asked = by_law or bool(granted and granted[-1]["identity_asked"])
    if ("identity" in entry.data) is not asked:
        raise Refusal("fact_disagrees", kind=entry.kind)


def decided(doorway: Doorway, entry: JournalEntry) -> dict[str, Any]:
    """Decide an entry again. The birth date is not kept: that it was looked at is believed.

    So is that a document was, where none is asked; whose it was is proved by the register's row.
    """
    data = entry.data
    if entry.kind == admission.ADMITTED:
        asked, checked = "identity" in data, "document_checked" in data
        identity = data.get("identity") if asked else ("" if checked else None)
        told = admission.admit(
            doorway,
            born=None,
            today=_day(entry),
            least_age=0,
            identity_asked=asked,
            identity=identity,
        )
        return told | ({"age_checked": True} if data.get("age_checked") is True else {})
    if entry.kind == admission.LEFT:
        return admission.leave(doorway)
    if entry.kind == admission.REFUSED:
        return admission.refuse(doorway, reason=data["reason"])
    return admission.count(doorway, inside=data["inside"], reason=data["reason"])


def _in_force(books: Books, entry: JournalEntry) -> list[dict[str, Any]]:
    """Return what the authorisations say that held on the entry's day, the one that counts last."""
    day = _day(entry)
    held = [
        row
        for row in books.tables["authorisation"].values()
        if row.values["valid_from"] <= day <= (row.values["valid_until"] or day)
    ]
    held.sort(key=lambda row: (row.values["valid_from"], row.number))
    return [row.values for row in held]


def _day(entry: JournalEntry) -> date:
    return entry.hall.day(entry.at)


def _key_made(books: Books, entry: JournalEntry) -> None:
    version, fingerprint = entry.data["version"], entry.data["fingerprint"]
    if version != 1 + max(books.document_keys, default=0) or entry.by is not None:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.document_keys[version] = str(fingerprint)


def _added(books: Books, entry: JournalEntry) -> None:
    """Book an exclusion. Raises Refusal: fact_disagrees, or the rules'."""
    data = entry.data
    begins = date.fromisoformat(data["begins"])
    ends = date.fromisoformat(data["ends"]) if "ends" in data else None
    known = [one.exclusion for one in books.exclusions.values()]
    told = admission.add_exclusion(
        [one for one in known if one.document == data["document"]],
        number=1 + len(known),
        document=data["document"],
        key=max(books.document_keys, default=0),
        reason=data["reason"],
        begins=begins,
        ends=ends,
        today=_day(entry),
    )
    if told != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.exclusions[data["exclusion"]] = Listed(
        ExclusionState(data["exclusion"], data["document"], data["reason"], begins, ends),
        data["key"],
        entry.at,
    )
    books.put(
        "exclusion", (data["exclusion"],), entry.number,
        entry=entry.pk, document=data["document"], key=data["key"], reason=data["reason"],
        begins=begins, ends=ends,
    )  # fmt: skip


def _lifted(books: Books, entry: JournalEntry) -> None:
    """Book the end of an exclusion. Raises Refusal: fact_disagrees, second_person_needed, the rules'."""
    data = entry.data
    listed = books.exclusions[data["exclusion"]]
    witness = people.second_person_of_entry(books, entry).get("witness")
    if admission.lift(listed.exclusion, reason=data["reason"], witness=witness) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    listed.exclusion, listed.lifted = replace(listed.exclusion, lifted=True), entry.at
    books.put(
        "lifted_exclusion",
        (data["exclusion"],),
        entry.number,
        entry=entry.pk,
        reason=data["reason"],
    )


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    dict.fromkeys(admission.KINDS, _door)
    | {admission.KEY_MADE: _key_made, admission.ADDED: _added, admission.LIFTED: _lifted}
)


def find_admission_differences(hall: Hall, books: Books) -> Iterator[Finding]:
    """Compare the register with the journal: each row proves its entry, each entry has its row.

    Those that a removal lists may be gone, or about to go. Nobody was let in who was excluded then.
    """
    left = {number: one for number, one in books.visits.items() if number > books.visits_gone}
    zone = ZoneInfo(hall.time_zone)
    rows = Visit.objects.filter(hall=hall).select_related("admission").order_by("number")
    for row in rows.iterator(chunk_size=CHUNK):
        left.pop(row.number, None)
        entry = books.visits.get(row.number)
        if entry is None or row.admission.number != row.number:
            yield Finding(hall.head_number, "visit_differs", f"{row.number}: no entry made it")
        elif not _proves(row, entry):
            yield Finding(entry.number, "visit_differs", f"{row.number}: not what was recorded")
        elif any(_kept_out(one, row, row.at.astimezone(zone).date()) for one in _of(books, row)):
            yield Finding(entry.number, "visit_differs", f"{row.number}: excluded then")
    for number, entry in left.items():
        yield Finding(entry.number, "visit_differs", f"{number}: the row is missing")


def _proves(row: Visit, entry: JournalEntry) -> bool:
    kept = timedelta(days=rulebooks.get(entry.hall.rulebook).admission_days)
    try:
        proof = admission.sealed(row.document, salt=row.salt)
    except ValueError:
        return False
    told = (entry.data["identity"], entry.at, entry.at + kept)
    return (proof, row.at, row.kept_until) == told


def _of(books: Books, row: Visit) -> Iterator[Listed]:
    for one in books.exclusions.values():
        if (one.exclusion.document, one.key) == (row.document, row.key):
            yield one


def _kept_out(listed: Listed, row: Visit, day: date) -> bool:
    standing = listed.added <= row.at and (listed.lifted is None or row.at < listed.lifted)
    return standing and replace(listed.exclusion, lifted=False).holds(day)
