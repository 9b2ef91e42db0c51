"""A sealed acta, and what is said of it."""

from __future__ import annotations

from typing import Any

from draws.models import Acta
from draws.record import rectifications
from halls import sessions, tills
from halls.models import JournalEntry, Role, Session
from tests.support import custody_hall
from tests.support.evening import FLOAT, Evening

TEXT = "Falta a hora da última jogada"


def seal(evening: Evening) -> Acta:
    """Close the evening's session before any game, and seal its acta."""
    session = evening.session
    cash, manager = evening.who(Role.CASHIER), evening.who(Role.HALL_MANAGER)
    tills.close_shift(shift=evening.shift, counted=FLOAT, comment="", **cash)
    sessions.close_session(session=session, **manager)
    session.refresh_from_db()
    return custody_hall.sealed(session)


def sealed(evening: Evening) -> Session:
    """The session whose acta was sealed last."""
    return Acta.objects.filter(session__hall=evening.hall).latest("pk").session


def acknowledge(evening: Evening, who: dict[str, Any]) -> JournalEntry:
    """Acknowledge the acta."""
    session = sealed(evening)
    return rectifications.acknowledge(session=session, acta=session.acta.digest, **who)


def remark(evening: Evening, who: dict[str, Any], *, text: str = TEXT) -> JournalEntry:
    """Remark on the acta."""
    return rectifications.remark(session=sealed(evening), text=text, **who)


def answer(evening: Evening, who: dict[str, Any], *, text: str = "Corrigido") -> JournalEntry:
    """Answer the first remark."""
    first = JournalEntry.objects.filter(hall=evening.hall, kind="acta_remarked").order_by("pk")[0]
    return rectifications.answer(session=sealed(evening), remark=first.number, text=text, **who)


def remarked(evening: Evening) -> None:
    """Seal the acta and remark on it."""
    seal(evening)
    remark(evening, evening.who(Role.INSPECTOR))
