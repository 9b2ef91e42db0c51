"""The door: people let in, out and away, and the count set right (BOE III)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import admission as rules
from bingo.rules import rulebooks
from bingo.rules.admission import Doorway
from bingo.rules.documents import Document, sealed
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import Admission, Hall, JournalEntry, Person, Visit
from halls.queries import admission as queries
from halls.queries import exclusions
from halls.queries.documents import Hashed
from halls.services import beside, clock, documents, journal, sessions

Data = dict[str, Any]
SALT = 16  # bytes


def capacity(hall: Hall, at: datetime) -> int | None:
    """Return how many people the authorisation in force lets be inside, None where it does not say."""
    granted = sessions.granted(hall, at)
    return granted.capacity if granted else None


def identity_asked(hall: Hall, at: datetime) -> bool:
    """Tell whether a document is asked of whoever comes in, by rule book or authorisation."""
    granted = sessions.granted(hall, at)
    return rulebooks.get(hall.rulebook).identity_asked or bool(granted and granted.identity_asked)


@transaction.atomic
def admit(
    *,
    hall: Hall,
    born: date | None = None,
    document: Document | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Let one person in; `born` is looked at and not kept, nor is more than a hash of `document`.

    Raises Refusal: not_allowed, key_reused, document_needed, minor, bad_birth_date, excluded,
    hall_full, document_key_missing, document_key_differs.
    """
    permissions.require(by, rules.ADMITTED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    hashes = documents.hashes(hall, document, at=at) if document else []
    if done := journal.earlier(hall, kind=rules.ADMITTED, by=by, key=key):
        _require_same_document(done, hashes)
        return done
    stamp = clock.stamp(at, hall.head_at)
    today, book = sessions.local_day(hall, stamp), rulebooks.get(hall.rulebook)
    asked, salt = identity_asked(hall, stamp), secrets.token_hex(SALT)
    data = rules.admit(
        queries.doorway(hall, capacity=capacity(hall, stamp)),
        born=born,
        today=today,
        least_age=book.least_age,
        identity_asked=asked,
        identity=sealed(hashes[0].document, salt=salt) if hashes else None,
        excluded=exclusions.any_holds(exclusions.of(hall, hashes), on=today) if hashes else False,
    )
    row = _write(hall, rules.ADMITTED, data, by=by, at=at, key=key)
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


def leave(*, hall: Hall, by: Person, at: datetime, key: UUID | None = None) -> JournalEntry:
    """Let one person out. Raises Refusal: not_allowed, key_reused, nobody_inside."""
    return _record(hall, rules.LEFT, rules.leave, asked={}, by=by, at=at, key=key)


def refuse(
    *, hall: Hall, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Write down that somebody was sent away. Raises Refusal: not_allowed, key_reused, unknown_reason."""
    return _record(
        hall, rules.REFUSED, lambda doorway: rules.refuse(doorway, reason=reason),
        asked={"reason": reason}, by=by, at=at, key=key,
    )  # fmt: skip


def count(
    *, hall: Hall, inside: int, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Set how many are inside to what was counted.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.admission.count` refuses.
    """
    return _record(
        hall, rules.COUNTED,
        lambda doorway: rules.count(doorway, inside=inside, reason=reason),
        asked={"inside": inside, "reason": reason.strip()}, by=by, at=at, key=key,
    )  # fmt: skip


@transaction.atomic
def _record(
    hall: Hall,
    kind: str,
    decide: Callable[[Doorway], Data],
    *,
    asked: Data,
    by: Person,
    at: datetime,
    key: UUID | None,
) -> JournalEntry:
    """Decide and write one thing at the door, with the hall held: two doors never count the same."""
    permissions.require(by, kind, hall=hall.pk)
    hall = journal.lock(hall.pk)
    if done := journal.earlier(hall, kind=kind, by=by, key=key, inputs=asked):
        return done
    stamp = clock.stamp(at, hall.head_at)
    data = decide(queries.doorway(hall, capacity=capacity(hall, stamp)))
    return _write(hall, kind, data, by=by, at=at, key=key).entry


def _write(
    hall: Hall, kind: str, data: Data, *, by: Person, at: datetime, key: UUID | None
) -> Admission:
    entry = beside.append(hall, Fact(kind, data), by=by, at=at, key=key)
    newest = queries.last(hall)
    return Admission.objects.create(
        hall=hall, number=1 + (newest.number if newest else 0), kind=kind, inside=data["inside"],
        capacity=data.get("capacity"), reason=data.get("reason", ""), at=entry.at, entry=entry,
    )  # fmt: skip
