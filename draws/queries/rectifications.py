"""What rectifies a session's acta, and which acta is the last of it."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from bingo.rules import rulebooks
from draws.documents.rectification_values import RectificationValues
from draws.models import Acta, Rectification, RectifiedActa
from draws.queries.acta_game import name_of
from halls.models import Person, Session


def last(session: Session) -> tuple[int, str | None]:
    """Give the number of a session's last acta, 0 for the first, and its SHA-256 once it is sealed."""
    newest = session.rectifications.order_by("-number").first()
    if newest is None:
        sealed = Acta.objects.filter(session=session)
        return 0, sealed.values_list("digest", flat=True).first()
    after = RectifiedActa.objects.filter(rectification=newest)
    return newest.number, after.values_list("digest", flat=True).first()


def files(session: Session) -> list[tuple[int, str, datetime]]:
    """Give a session's sealed actas in order: number, 0 for the first, SHA-256, and when sealed."""
    first = Acta.objects.filter(session=session).values_list("digest", "sealed_at")
    after = RectifiedActa.objects.filter(rectification__session=session)
    named = ("rectification__number", "digest", "sealed_at")
    return [(0, *one) for one in first] + list(after.order_by(named[0]).values_list(*named))


def of(session: Session) -> QuerySet[Rectification]:
    """Give a session's rectifications in order, with their actas but for the files."""
    found = session.rectifications.select_related("acta", "entry__by", "session__hall")
    return found.defer("acta__pdf").order_by("number")


def values(rectification: Rectification, *, made_at: datetime) -> RectificationValues:
    """Give what the acta of a rectification says, hours in the hall's time zone."""
    session, entry = rectification.session, rectification.entry
    hall = session.hall
    zone = ZoneInfo(hall.time_zone)
    witness = entry.data["witness"]
    second = Person.objects.filter(username=witness).first()
    return RectificationValues(
        hall=hall.name,
        licence=hall.licence,
        training=hall.is_training,
        rulebook=rulebooks.get(hall.rulebook).title,
        language=hall.language,
        currency=hall.currency,
        session=session.number,
        opened_at=session.opened_at.astimezone(zone),
        number=rectification.number,
        rectifies=rectification.number - 1,
        rectifies_digest=rectification.rectifies,
        rectifies_sealed_at=_sealed_at(rectification).astimezone(zone),
        reason=rectification.reason,
        what=rectification.what,
        by=name_of(entry),
        witness=second.name if second else witness,
        at=rectification.at.astimezone(zone),
        journal_last=entry.number,
        journal_head=entry.digest,
        made_at=made_at.astimezone(zone),
    )


def _sealed_at(rectification: Rectification) -> datetime:
    session, before = rectification.session, rectification.number - 1
    if not before:
        return Acta.objects.defer("pdf").get(session=session).sealed_at
    named = {"rectification__session": session, "rectification__number": before}
    return RectifiedActa.objects.defer("pdf").get(**named).sealed_at
