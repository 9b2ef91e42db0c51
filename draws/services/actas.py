"""Sealing the acta of a closed session: drawn, signed, stored, journalled, exactly once (R58)."""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from bingo.pdf import keys, seal
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.documents import acta as document
from draws.models import Acta
from draws.queries import acta as query
from draws.queries import checkpoints
from halls.models import Hall, Session
from halls.services import journal


def signing_key(hall: Hall, *, at: datetime) -> keys.SigningKey:
    """Give the key that seals a hall's actas, made at first use. Raises SealError."""
    return keys.ensure(settings.KEYS_DIR / hall.code, hall=hall.name, now=at)


@transaction.atomic
def seal_acta(*, session: Session, at: datetime) -> Acta:
    """Seal a closed session's acta, or give the one it already has.

    Raises Refusal session_open; SealError when the key cannot be used, and then nothing is done.
    """
    hall = journal.lock(session.hall_id)
    if sealed := Acta.objects.filter(session=session).first():
        return sealed
    if session.closed_at is None:
        raise Refusal("session_open")
    key = signing_key(hall, at=at)
    head = query.head(session)
    pdf = _signed(session, key, at=at)
    digest = hashlib.sha256(pdf).hexdigest()
    data = {
        "digest": digest,
        "size": len(pdf),
        "head_number": head.number,
        "head_digest": head.digest,
        "certificate": hashlib.sha256(key.trust).hexdigest(),
    }
    entry = journal.append(hall, Fact("acta_sealed", data), session=session, by=None, at=at)
    return Acta.objects.create(
        session=session,
        pdf=pdf,
        digest=digest,
        head_number=head.number,
        head_digest=head.digest,
        certificate=key.trust.decode(),
        sealed_at=entry.at,
        entry=entry,
    )


def _signed(session: Session, key: keys.SigningKey, *, at: datetime) -> bytes:
    with translation.override(session.hall.language):
        pdf = document.draw(
            query.values(session, made_at=at), checkpoint=checkpoints.of_session(session)
        )
        reason = _("Acta of session %(number)s") % {"number": session.number}
    return seal.sign(
        pdf, key=key, at=at, field_name="Acta", reason=reason, location=session.hall.name
    )
