"""The regulator's word on a sealed acta, and the hall's answer, written into the journal (R59, R61)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import remarks as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.queries import rectifications, remarks
from halls import permissions
from halls.models import JournalEntry, Person, Session
from halls.services import journal

ACKNOWLEDGED, REMARKED, ANSWERED = "acta_acknowledged", "acta_remarked", "remark_answered"


def acknowledge(
    *, session: Session, acta: str, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Acknowledge a session's acta or rectification, the sealed file with the digest `acta`.

    Raises Refusal: not_allowed, key_reused, acta_not_sealed, acta_replaced,
    acta_acknowledged_already.
    """

    def decide(digests: Sequence[str]) -> dict[str, Any]:
        if acta not in digests:
            raise Refusal("acta_replaced")
        known = {one.data["acta"] for one in remarks.of(session) if one.kind == ACKNOWLEDGED}
        return rules.acknowledge(session=session.number, acta=acta, known=known)

    return _record(ACKNOWLEDGED, decide, session, {"acta": acta}, by=by, at=at, key=key)


def remark(
    *,
    session: Session,
    text: str,
    acta: str | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Remark on a session's newest sealed acta, which may be a rectification of the first.

    `acta` is the digest of the newest that was shown, where one was. Raises Refusal: not_allowed,
    key_reused, acta_not_sealed, acta_replaced, text_missing, bad_text.
    """

    def decide(digests: Sequence[str]) -> dict[str, Any]:
        if acta not in (None, digests[-1]):
            raise Refusal("acta_replaced")
        return rules.remark(session=session.number, acta=digests[-1], text=text)

    return _record(REMARKED, decide, session, {"text": text.strip()}, by=by, at=at, key=key)


def answer(
    *, session: Session, remark: int, text: str, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Answer a remark, which is the entry of that number.

    Raises Refusal: not_allowed, key_reused, acta_not_sealed, unknown_remark,
    remark_answered_already, text_missing, bad_text.
    """

    def decide(_digests: Sequence[str]) -> dict[str, Any]:
        said = remarks.of(session)
        return rules.answer(
            session=session.number,
            remark=remark,
            text=text,
            remarks={one.number for one in said if one.kind == REMARKED},
            answered={one.data["remark"] for one in said if one.kind == ANSWERED},
        )

    asked = {"remark": remark, "text": text.strip()}
    return _record(ANSWERED, decide, session, asked, by=by, at=at, key=key)


@transaction.atomic
def _record(
    kind: str,
    decide: Callable[[Sequence[str]], dict[str, Any]],
    session: Session,
    asked: dict[str, Any],
    *,
    by: Person,
    at: datetime,
    key: UUID | None,
) -> JournalEntry:
    permissions.require(by, kind, hall=session.hall_id)
    hall = journal.lock(session.hall_id)
    inputs = asked | {"session": session.number}
    if done := journal.earlier(hall, kind=kind, by=by, key=key, inputs=inputs):
        return done
    digests = [digest for _number, digest, _at in rectifications.files(session)]
    if not digests:
        raise Refusal("acta_not_sealed", session=session.number)
    return journal.append(hall, Fact(kind, decide(digests)), session=session, by=by, at=at, key=key)
