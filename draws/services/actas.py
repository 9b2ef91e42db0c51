"""Sealing the acta of a closed session: drawn, signed, stored, journalled, exactly once (R58)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar, cast

from django.conf import settings
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from bingo.pdf import seal
from bingo.pdf.keys import SealError, SigningKey
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.sealing import seldom
from draws.documents import acta as document
from draws.documents import rectification as paper
from draws.models import Acta, Rectification, RectifiedActa
from draws.queries import acta as query
from draws.queries import checkpoints, rectifications, seals
from halls.models import Hall, JournalEntry, Session
from halls.services import journal

Sealed = TypeVar("Sealed", Acta, RectifiedActa)
TURNS = 3  # a key that was changed while its seal was being made; nobody changes it that often


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A document that is to be sealed: of which session, what it carries, what its entry adds."""

    pdf: bytes
    title: str
    head: JournalEntry
    told: dict[str, Any]


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
        values = query.values(session, made_at=at)
        pdf = document.draw(values, checkpoint=checkpoints.of_session(session))
        title = _("Acta of session %(number)s") % {"number": session.number}
    drawn = _Drawn(pdf, title, query.head(session), {})
    return _once(kept, session, drawn, {"session": session}, at=at)


def seal_rectification(*, rectification: Rectification, at: datetime) -> RectifiedActa:
    """Seal the acta of a rectification, or give the one it already has. Raises SealError."""
    kept = RectifiedActa.objects.filter(rectification=rectification)
    if sealed := kept.first():
        return sealed
    values = rectifications.values(rectification, made_at=at)
    with translation.override(values.language):
        pdf, title = paper.draw(values), paper.title(values)
    drawn = _Drawn(pdf, title, rectification.entry, {"rectification": rectification.number})
    named = {"rectification": rectification}
    return _once(kept, rectification.session, drawn, named, at=at)


def _once(
    kept: QuerySet[Sealed],
    session: Session,
    drawn: _Drawn,
    named: Mapping[str, Model],
    *,
    at: datetime,
) -> Sealed:
    """Sign, then record in one transaction; a key that was changed meanwhile is taken anew."""
    for _turn in range(TURNS):
        key = seals.signing_key(session.hall, at=at)
        pdf = seal.sign(
            drawn.pdf, key=key, at=at, field_name="Acta", reason=drawn.title,
            location=session.hall.name, level=_level(), stamps=seals.stamps(),
        )  # fmt: skip
        with transaction.atomic():
            hall = journal.lock(session.hall_id)
            if sealed := kept.first():
                return sealed
            if seals.recorded(hall).version == key.version:
                return _recorded(kept, hall, session, drawn, pdf, key, at=at, named=named)
    raise SealError("key_swapped", version=key.version)


def _recorded(
    kept: QuerySet[Sealed],
    hall: Hall,
    session: Session,
    drawn: _Drawn,
    pdf: bytes,
    key: SigningKey,
    *,
    at: datetime,
    named: Mapping[str, Model],
) -> Sealed:
    digest, level = hashlib.sha256(pdf).hexdigest(), _level()
    data = {
        "digest": digest,
        "size": len(pdf),
        "head_number": drawn.head.number,
        "head_digest": drawn.head.digest,
        "certificate": seals.authority_of(key),
        **seldom(key=key.version, level=level),
        **drawn.told,
    }
    entry = journal.append(hall, Fact("acta_sealed", data), session=session, by=None, at=at)
    return kept.model._default_manager.create(
        pdf=pdf,
        digest=digest,
        head_number=drawn.head.number,
        head_digest=drawn.head.digest,
        certificate=key.trust.decode(),
        sealed_at=entry.at,
        entry=entry,
        key=key.version,
        level=level,
        **named,
    )


def _level() -> seal.Level:
    # The settings take no other.
    return cast(seal.Level, settings.SEAL_LEVEL)
