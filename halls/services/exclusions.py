"""Putting persons on the list of the excluded, and taking them off it (BOE III)."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import exclusions as rules
from bingo.rules.documents import Document
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import Exclusion, Hall, JournalEntry, LiftedExclusion, Person
from halls.queries import exclusions as queries
from halls.services import beside, clock, documents, journal, witnesses
from halls.services.sessions import local_day


@transaction.atomic
def add(
    *,
    hall: Hall,
    document: Document,
    reason: str,
    begins: date,
    ends: date | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Exclusion:
    """Put the person of a document on the list, from a first day to a last one, if it has one.

    Raises Refusal: not_allowed, key_reused, document_key_missing, document_key_differs, or what
    `bingo.rules.exclusions.add` refuses.
    """
    permissions.require(by, rules.ADDED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    hashes = documents.hashes(hall, document, at=at)
    asked = {
        "document": hashes[0].document, "reason": reason, "begins": begins.isoformat(),
        "ends": ends.isoformat() if ends else None,
    }  # fmt: skip
    if done := journal.earlier(hall, kind=rules.ADDED, by=by, key=key, inputs=asked):
        return Exclusion.objects.get(entry=done)
    newest = hall.exclusions.order_by("-number").first()
    data = rules.add(
        queries.of(hall, hashes),
        number=1 + (newest.number if newest else 0),
        document=hashes[0].document,
        key=hashes[0].key,
        reason=reason,
        begins=begins,
        ends=ends,
        today=local_day(hall, clock.stamp(at, hall.head_at)),
    )
    entry = beside.append(hall, Fact(rules.ADDED, data), by=by, at=at, key=key)
    return Exclusion.objects.create(
        hall=hall, number=data["exclusion"], document=data["document"], key=data["key"],
        reason=reason, begins=begins, ends=ends, entry=entry,
    )  # fmt: skip


@transaction.atomic
def lift(
    *,
    hall: Hall,
    number: int,
    reason: str,
    witness: Person | None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Take somebody off the list, before a second person.

    Raises Refusal: not_allowed, key_reused, unknown_exclusion, witness_same_person,
    witness_not_allowed, or what `bingo.rules.exclusions.lift` refuses.
    """
    permissions.require(by, rules.LIFTED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    asked = {"exclusion": number, "reason": reason.strip()}
    if done := journal.earlier(hall, kind=rules.LIFTED, by=by, key=key, inputs=asked):
        return done
    row = queries.listed(hall).filter(number=number).first()
    if row is None:
        raise Refusal("unknown_exclusion", number=number)
    second = witnesses.name(witness, by=by, kind=rules.LIFTED)
    data = rules.lift(queries.known(row), reason=reason, witness=second)
    entry = beside.append(hall, Fact(rules.LIFTED, data), by=by, at=at, key=key)
    LiftedExclusion.objects.create(exclusion=row, reason=data["reason"], entry=entry)
    return entry
