"""Complaints as they stand: open ones first, what they hold, what they name (R61 j)."""

from __future__ import annotations

from django.db.models import F, Max, QuerySet
from django.utils.translation import gettext as _

from bingo.rules import complaints as rules
from bingo.rules.custody import Card, Holder
from draws.models import Ball, Complaint, Game
from draws.queries import witnessed
from halls.models import Hall, Session

NAMED = (
    "session__hall", "game", "issue__series", "entry__by", "entry__hall", "decided_by__by",
)  # fmt: skip


def of_hall(hall: Hall) -> QuerySet[Complaint]:
    """Give a hall's complaints, the open ones first, each part the newest first."""
    found = Complaint.objects.filter(session__hall=hall).select_related(*NAMED)
    return found.order_by(F("decided_at").desc(nulls_first=True), "-opened_at", "-pk")


def of_session(session: Session) -> QuerySet[Complaint]:
    """Give a session's complaints in the order of their numbers."""
    return Complaint.objects.filter(session=session).select_related(*NAMED).order_by("number")


def still_open(hall: Hall) -> QuerySet[Complaint]:
    """Give those that nobody has decided yet, of all sessions."""
    return of_hall(hall).filter(decided_at__isnull=True)


def next_number(session: Session) -> int:
    """Give the number of the session's next complaint; the hall must be locked."""
    last = Complaint.objects.filter(session=session).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def known(complaint: Complaint) -> rules.Complaint:
    """Give a complaint as the rules know it."""
    card = complaint.card
    return rules.Complaint(
        complaint.session.number,
        complaint.number,
        None if complaint.issue_id is None or card is None else (complaint.issue_id, card),
        open=complaint.decided_at is None,
    )


def held(hall: Hall) -> dict[Card, Holder]:
    """Give the cards that open complaints are about: none of them is destroyed (R51, R52)."""
    return rules.holding(map(known, still_open(hall).filter(card__isnull=False)))


def ball_of(game: Game | None, ball: int | None) -> Ball | None:
    """Give the ball at a place of a game, None where it has none there now."""
    if game is None or ball is None:
        return None
    return Ball.objects.filter(game=game, order=ball).first()


def decided_by(complaint: Complaint) -> str:
    """Name whoever decided a complaint, with the second person where there was one; empty: nobody yet."""
    entry = complaint.decided_by
    if entry is None:
        return ""
    name = entry.by.name if entry.by else ""
    second = second_person(complaint)
    return f"{name}, {_('before %(witness)s') % {'witness': second}}" if second else name


def second_person(complaint: Complaint) -> str:
    """Return the name of whom a complaint was decided before; empty where there was nobody."""
    entry = complaint.decided_by
    username = entry.data.get("witness", "") if entry else ""
    if not username:
        return ""
    return witnessed.names(complaint.session.hall, [username]).get(username, username)
