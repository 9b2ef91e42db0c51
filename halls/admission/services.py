"""Record admission at the door: let in, let out, refuse, set the count; exclude persons (BOE III).

Persons are put on the list of the excluded and taken off it again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any, Unpack

from django.db import transaction

from bingo.rules import admission, rulebooks
from bingo.rules.admission import Document, Doorway, sealed
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from halls import authorisations, permissions, second_person
from halls.admission import documents, queries
from halls.admission.documents import Hashed
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command, earlier
from halls.models import Admission, Exclusion, Hall, JournalEntry, LiftedExclusion, Person, Visit

Data = dict[str, Any]
SALT = 16  # bytes


def capacity(hall: Hall, at: datetime) -> int | None:
    """Return how many people the authorisation in force lets be inside, None where it does not say."""
    granted = authorisations.granted(hall, at)
    return granted.capacity if granted else None


def identity_asked(hall: Hall, at: datetime) -> bool:
    """Return whether a document is asked of whoever comes in, by rule book or authorisation."""
    granted = authorisations.granted(hall, at)
    return rulebooks.get(hall.rulebook).identity_asked or bool(granted and granted.identity_asked)


@transaction.atomic
def admit(
    *, hall: Hall, born: date | None = None, document: Document | None = None, **who: Unpack[Who]
) -> JournalEntry:
    """Let one person in; `born` is looked at and not kept, nor is more than a hash of `document`.

    Raises Refusal: not_allowed, key_reused, document_needed, minor, bad_birth_date, excluded,
    hall_full, document_key_missing, document_key_differs.
    """
    hall, done = begin_command(hall.pk, admission.ADMITTED, **who)
    at = who["at"]
    hashes = documents.document_hashes(hall, document, at=at) if document else []
    if done:
        _require_same_document(done, hashes)
        return done
    stamp = head.stamp(at, hall.head_at)
    today, book = hall.day(stamp), rulebooks.get(hall.rulebook)
    asked, salt = identity_asked(hall, stamp), secrets.token_hex(SALT)
    data = admission.admit(
        queries.doorway(hall, capacity=capacity(hall, stamp)),
        born=born,
        today=today,
        least_age=book.least_age,
        identity_asked=asked,
        identity=sealed(hashes[0].document, salt=salt) if hashes else None,
        excluded=queries.any_holds(queries.exclusion_of(hall, hashes), on=today)
        if hashes
        else False,
    )
    row = _write(hall, admission.ADMITTED, data, **who)
    if asked:
        Visit.objects.create(
            hall=hall, admission=row, number=row.number, document=hashes[0].document,
            key=hashes[0].key, salt=salt, at=row.at,
            kept_until=row.at + timedelta(days=book.admission_days),
        )  # fmt: skip
    return row.entry


def _require_same_document(done: JournalEntry, hashes: list[Hashed]) -> None:
    """Refuse a key that let in somebody else: key_reused."""
    visit = Visit.objects.filter(admission__entry=done).first()
    if visit and Hashed(visit.document, visit.key) not in hashes:
        raise Refusal("key_reused")


def leave(*, hall: Hall, **who: Unpack[Who]) -> JournalEntry:
    """Let one person out. Raises Refusal: not_allowed, key_reused, nobody_inside."""
    return _record(hall, admission.LEFT, admission.leave, asked={}, **who)


def refuse(*, hall: Hall, reason: str, **who: Unpack[Who]) -> JournalEntry:
    """Write down that somebody was sent away. Raises Refusal: not_allowed, key_reused, unknown_reason."""
    return _record(
        hall, admission.REFUSED, lambda doorway: admission.refuse(doorway, reason=reason),
        asked={"reason": reason}, **who,
    )  # fmt: skip


def count(*, hall: Hall, inside: int, reason: str, **who: Unpack[Who]) -> JournalEntry:
    """Set how many are inside to what was counted.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.admission.count` refuses.
    """
    return _record(
        hall, admission.COUNTED,
        lambda doorway: admission.count(doorway, inside=inside, reason=reason),
        asked={"inside": inside, "reason": reason.strip()}, **who,
    )  # fmt: skip


@transaction.atomic
def _record(
    hall: Hall, kind: str, decide: Callable[[Doorway], Data], *, asked: Data, **who: Unpack[Who]
) -> JournalEntry:
    """Decide and write one thing at the door, with the hall held: two doors never count the same."""
    hall, done = begin_command(hall.pk, kind, inputs=asked, **who)
    if done:
        return done
    stamp = head.stamp(who["at"], hall.head_at)
    data = decide(queries.doorway(hall, capacity=capacity(hall, stamp)))
    return _write(hall, kind, data, **who).entry


def _write(hall: Hall, kind: str, data: Data, **who: Unpack[Who]) -> Admission:
    entry = journal_services.entry_append(hall, Fact(kind, data), **who)
    newest = queries.last(hall)
    return Admission.objects.create(
        hall=hall, number=1 + (newest.number if newest else 0), kind=kind, inside=data["inside"],
        capacity=data.get("capacity"), reason=data.get("reason", ""), at=entry.at, entry=entry,
    )  # fmt: skip


@transaction.atomic
def add_exclusion(
    *,
    hall: Hall,
    document: Document,
    reason: str,
    begins: date,
    ends: date | None = None,
    **who: Unpack[Who],
) -> Exclusion:
    """Put the person of a document on the list, from a first day to a last one, if it has one.

    Raises Refusal: not_allowed, key_reused, document_key_missing, document_key_differs, or what
    `bingo.rules.admission.add_exclusion` refuses.
    """
    permissions.require(who["by"], admission.ADDED, hall=hall.pk)
    hall, at = head.lock(hall.pk), who["at"]
    hashes = documents.document_hashes(hall, document, at=at)
    asked = {
        "document": hashes[0].document, "reason": reason, "begins": begins.isoformat(),
        "ends": ends.isoformat() if ends else None,
    }  # fmt: skip
    if done := earlier(hall, kind=admission.ADDED, by=who["by"], key=who.get("key"), inputs=asked):
        return Exclusion.objects.get(entry=done)
    newest = hall.exclusions.order_by("-number").first()
    data = admission.add_exclusion(
        queries.exclusion_of(hall, hashes),
        number=1 + (newest.number if newest else 0),
        document=hashes[0].document,
        key=hashes[0].key,
        reason=reason,
        begins=begins,
        ends=ends,
        today=head.entry_day(hall, at),
    )
    entry = journal_services.entry_append(hall, Fact(admission.ADDED, data), **who)
    return Exclusion.objects.create(
        hall=hall, number=data["exclusion"], document=data["document"], key=data["key"],
        reason=reason, begins=begins, ends=ends, entry=entry,
    )  # fmt: skip


@transaction.atomic
def lift(
    *, hall: Hall, number: int, reason: str, witness: Person | None, **who: Unpack[Who]
) -> JournalEntry:
    """Take somebody off the list, before a second person.

    Raises Refusal: not_allowed, key_reused, unknown_exclusion, witness_same_person,
    witness_not_allowed, or what `bingo.rules.admission.lift` refuses.
    """
    asked = {"exclusion": number, "reason": reason.strip()}
    hall, done = begin_command(hall.pk, admission.LIFTED, inputs=asked, **who)
    if done:
        return done
    row = queries.exclusion_listed(hall).filter(number=number).first()
    if row is None:
        raise Refusal("unknown_exclusion", number=number)
    second = second_person.witness_name(witness, by=who["by"], kind=admission.LIFTED, at=who["at"])
    data = admission.lift(queries.exclusion_state(row), reason=reason, witness=second)
    entry = journal_services.entry_append(hall, Fact(admission.LIFTED, data), **who)
    LiftedExclusion.objects.create(exclusion=row, reason=data["reason"], entry=entry)
    return entry
