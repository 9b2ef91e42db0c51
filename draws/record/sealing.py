"""Seal the acta of a closed session exactly once, and change the key that seals actas (R58).

An acta is drawn, signed, stored and journalled. When the worker's sealing fails, that is written
down, told, and tried again by itself and by hand. The next version of a key is stored, tried, and
then journalled.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from cryptography import x509
from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from psycopg.errors import DiskFull

from bingo import system_users
from bingo.celery_app import later
from bingo.pdf import SealError, keys, seal
from bingo.pdf.keys import SigningKey, Token
from bingo.pdf.seal import tried
from bingo.rules import actas_after_sealing
from bingo.rules.actas_after_sealing import KEY_CHANGED, seldom
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.models import Acta, Rectification, RectifiedActa, SealFault
from draws.receipts import documents
from draws.record import rectifications, seal_queries
from draws.record.acta import document
from draws.record.acta import queries as acta_queries
from halls import permissions
from halls.checkpoints import services as checkpoints_services
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.queries import open_session
from halls.models import Hall, JournalEntry, Person, Session

Sealed = TypeVar("Sealed", Acta, RectifiedActa)
TURNS = 3  # a key that was changed while its seal was being made; nobody changes it that often


@dataclass(frozen=True, slots=True)
class _Drawn(Generic[Sealed]):
    """A document that is to be sealed: of which session, what it carries, what its entry adds.

    `kept` finds its row once it is sealed, and `named` is what the row belongs to.
    """

    kept: QuerySet[Sealed]
    session: Session
    named: Mapping[str, Model]
    pdf: bytes
    title: str
    head: JournalEntry
    told: Mapping[str, Any]


def seal_acta(*, session: Session, at: datetime) -> Acta:
    """Seal a closed session's acta, or give the one it already has.

    Drawn and signed before the hall is held, for a time-stamp authority may take its time. Raises
    Refusal session_open; SealError when it cannot be sealed, and then nothing is done.
    """
    kept = Acta.objects.filter(session=session)
    if sealed := kept.first():
        return sealed
    if not Session.objects.filter(pk=session.pk, closed_at__isnull=False).exists():
        raise Refusal("session_open")
    with translation.override(session.hall.language):
        values = acta_queries.values(session, made_at=at)
        pdf = document.draw(values, checkpoint=documents.checkpoint_of_session(session))
        title = _("Acta of session %(number)s") % {"number": session.number}
    named = {"session": session}
    return _once(_Drawn(kept, session, named, pdf, title, acta_queries.head(session), {}), at=at)


def seal_rectification(*, rectification: Rectification, at: datetime) -> RectifiedActa:
    """Seal the acta of a rectification, or give the one it already has. Raises SealError."""
    kept = RectifiedActa.objects.filter(rectification=rectification)
    if sealed := kept.first():
        return sealed
    values = rectifications.values(rectification, made_at=at)
    with translation.override(values.language):
        pdf = rectifications.draw_rectification(values)
        title = rectifications.rectification_title(values)
    named, told = {"rectification": rectification}, {"rectification": rectification.number}
    drawn = _Drawn(kept, rectification.session, named, pdf, title, rectification.entry, told)
    return _once(drawn, at=at)


def _once(drawn: _Drawn[Sealed], *, at: datetime) -> Sealed:
    """Sign, then record in one transaction; a key that was changed meanwhile is taken anew.

    Raises SealError, history_unproven where the journal is not the one that was signed before.
    """
    session = drawn.session
    try:
        checkpoints_services.require_signable(session.hall)
    except Refusal as refused:
        raise SealError("history_unproven", cause=refused.code) from refused
    for _turn in range(TURNS):
        key = seal_queries.signing_key(session.hall, at=at)
        pdf = seal.sign_pdf(
            drawn.pdf, key=key, at=at, field_name="Acta", reason=drawn.title,
            location=session.hall.name, level=_level(), stamps=seal_queries.stamps(),
        )  # fmt: skip
        with transaction.atomic():
            hall = head.lock(session.hall_id)
            if sealed := drawn.kept.first():
                return sealed
            if seal_queries.recorded(hall).version == key.version:
                return _recorded(drawn, hall, pdf, key, at=at)
    raise SealError("key_swapped", version=key.version)


def _recorded(
    drawn: _Drawn[Sealed], hall: Hall, pdf: bytes, key: SigningKey, *, at: datetime
) -> Sealed:
    level = _level()
    carried = {
        "digest": hashlib.sha256(pdf).hexdigest(),
        "head_number": drawn.head.number,
        "head_digest": drawn.head.digest,
    }
    data = {
        **carried,
        "size": len(pdf),
        "certificate": seal_queries.authority_of(key),
        **seldom(key=key.version, level=level),
        **drawn.told,
    }
    entry = journal_services.append(
        hall, Fact("acta_sealed", data), session=drawn.session, by=None, at=at
    )
    return drawn.kept.model._default_manager.create(
        pdf=pdf,
        **carried,
        certificate=key.trust.decode(),
        sealed_at=entry.at,
        entry=entry,
        key=key.version,
        level=level,
        **drawn.named,
    )


def _level() -> seal.Level:
    # The settings take no other.
    return cast(seal.Level, settings.SEAL_LEVEL)


log = logging.getLogger(__name__)

TRIED = ("code", "at", "attempts", "next_at")
ACTA, RECTIFICATION = "draws.seal_acta", "draws.seal_rectification"


def session(found: Session) -> None:
    """Seal the acta of a closed session; a failure is noted and never raised."""
    # It carries the checkpoint of its session's end; without a key of those it is sealed all the same.
    checkpoints_services.attempt(found.hall, at=timezone.now())
    _try(found, None, partial(seal_acta, session=found))


def rectification(found: Rectification) -> None:
    """Seal the acta of a rectification; a failure is noted and never raised."""
    _try(found.session, found, partial(seal_rectification, rectification=found))


def _require_memory(hall: Hall) -> None:
    """Refuse a hall that sealed before, and of whose checkpoints neither key nor memory is left.

    Raises SealError history_unproven.
    """
    if checkpoints_services.has_lost_all(hall):
        raise SealError("history_unproven", cause="checkpoint_key_unreadable")


def due(*, at: datetime) -> None:
    """Seal all that is not sealed and whose turn it is: what a lost task or a failure left behind."""
    sessions, rectified = seal_queries.waiting(at=at)
    for one in sessions:
        session(one)
    for other in rectified:
        rectification(other)


def again(*, hall: Hall, by: Person, at: datetime) -> int:
    """Let all that a hall has not sealed be tried at once; return how many. Raises Refusal not_allowed."""
    permissions.require(by, "session_closed", hall=hall.pk)
    found = seal_queries.unsealed_of_hall(hall, at=at)
    with transaction.atomic():
        SealFault.objects.filter(session__hall=hall, next_at__gt=at).update(next_at=at)
        for one in found:
            if one.rectification:
                later(RECTIFICATION, rectification_id=one.rectification.pk)
            else:
                later(ACTA, session_id=one.session.pk)
    return len(found)


def _try(found: Session, part: Rectification | None, sealing: Callable[..., object]) -> None:
    named = f"session {found.number} of {found.hall.code}"
    try:
        _require_memory(found.hall)
        sealing(at=timezone.now())
    except SealError as error:
        log.warning("%s is not sealed: %s %s", named, error.code, error.values)
        code = error.code
    except DatabaseError as error:
        log.exception("%s is not sealed", named)
        code = "database_full" if isinstance(error.__cause__, DiskFull) else "database_failed"
    except Exception:
        # Whatever it is, the alarm must say so and the next session must have its turn.
        log.exception("%s is not sealed", named)
        code = "sealing_failed"
    else:
        later("halls.write_checkpoints", hall_id=found.hall_id)
        return
    _note(found, part, code)


def _note(found: Session, part: Rectification | None, code: str) -> None:
    """Write a failure down where that can be done; the alarm comes without it too, only later."""
    at = timezone.now()
    try:
        with transaction.atomic():
            rows = SealFault.objects.select_for_update().filter(session=found, rectification=part)
            row = rows.first() or SealFault(session=found, rectification=part, attempts=0)
            row.code, row.at, row.attempts = code, at, row.attempts + 1
            row.next_at = at + actas_after_sealing.wait(row.attempts)
            row.save(update_fields=TRIED if row.pk else None)
    except DatabaseError:
        log.exception("the failure of session %s could not be noted", found.number)


def first_key(hall: Hall, *, at: datetime) -> bool:
    """Make the key that seals a hall's actas, unless it is there; return whether it is there now.

    A process that may not read the keys asks the worker that does. Raises SealError.
    """
    if system_users.is_kept_out():
        later("draws.make_seal_key", hall_id=hall.pk)
        return (seal_queries.folder(hall) / keys.CERTIFICATE).exists()
    seal_queries.signing_key(hall, at=at)
    return True


def renew(*, hall: Hall, at: datetime) -> JournalEntry:
    """Let a new key under the hall's own authority seal from now on. Raises SealError."""
    seal_queries.signing_key(hall, at=at)
    return _changed(hall, "renewed", partial(keys.renew, now=at), at=at)


def revoke(*, hall: Hall, at: datetime) -> JournalEntry:
    """Take back the key that seals, which somebody else may hold, and let a new one seal.

    What it sealed before `at` still verifies. Raises SealError, not_ours where another authority
    certified it.
    """
    before = seal_queries.recorded(hall).version

    def make(folder: Path, *, version: int) -> SigningKey:
        keys.revoke(folder, version=before, at=at)
        return keys.renew(folder, version=version, now=at)

    return _changed(hall, "revoked", make, at=at)


def take_bundle(*, hall: Hall, bundle: bytes, secret: bytes, at: datetime) -> JournalEntry:
    """Let a key given as PKCS#12 seal from now on. Raises SealError."""
    seal_queries.signing_key(hall, at=at)
    make = partial(keys.take_bundle, bundle=bundle, secret=secret)
    return _changed(hall, "pkcs12", make, at=at)


def take_token(
    *, hall: Hall, token: Token, certificates: tuple[x509.Certificate, ...], at: datetime
) -> JournalEntry:
    """Let a key in a PKCS#11 token seal from now on. Raises SealError.

    `certificates` are the key's own and those above it; without them the token's are taken.
    """
    seal_queries.signing_key(hall, at=at)
    own, *above = certificates or token.certificates()
    make = partial(keys.take_token, token=token, certificate=own, others=tuple(above))
    return _changed(hall, "pkcs11", make, at=at)


def _changed(
    hall: Hall, how: str, make: Callable[..., SigningKey], *, at: datetime
) -> JournalEntry:
    """Keep the next key, try it, and write it down: until then the one before it seals.

    The hall is held meanwhile, so that no seal is made with one and recorded after the other.
    """
    with transaction.atomic():
        hall = head.lock(hall.pk)
        before = seal_queries.recorded(hall)
        key = make(seal_queries.folder(hall), version=before.version + 1)
        if key.digest == before.certificate:
            raise SealError("key_known", version=before.version)
        tried(key, at=at)
        data = {
            "key": key.version,
            "how": how,
            "certificate": key.digest,
            "authority": seal_queries.authority_of(key),
        }
        return journal_services.append(
            hall, Fact(KEY_CHANGED, data), session=open_session(hall), by=None, at=at
        )
