"""Complaints opened at the table and decided, with whoever decides them (R61 j)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import complaints as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import Complaint, Game
from draws.queries import complaints as queries
from draws.queries import custody
from halls import permissions
from halls.models import Person, Session
from halls.services import beside, journal, witnesses

OPENED, DECIDED = "complaint_opened", "complaint_decided"


@transaction.atomic
def open_complaint(
    *,
    session: Session,
    text: str,
    game: Game | None = None,
    ball: int | None = None,
    issue: int | None = None,
    card: int | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Complaint:
    """Open a complaint of the open session, about a game of it and a ball or a card there.

    `ball` is its place in the game; its picture is named by itself. `issue` is the row's number of
    the card's issue. Raises Refusal: not_allowed, key_reused, session_closed, unknown_game, or what
    `bingo.rules.complaints.open_complaint` refuses.
    """
    permissions.require(by, OPENED, hall=session.hall_id)
    hall = journal.lock(session.hall_id)
    about = {"game": game.number if game else None, "ball": ball, "issue": issue, "card": card}
    asked = {"session": session.number, "text": rules.line(text), **about}
    if done := journal.earlier(hall, kind=OPENED, by=by, key=key, inputs=asked):
        return Complaint.objects.get(entry=done)
    if not Session.objects.filter(pk=session.pk, closed_at__isnull=True).exists():
        raise Refusal("session_closed")
    if game is not None and game.session_id != session.pk:
        raise Refusal("unknown_game")
    shown = queries.ball_of(game, ball)
    data = rules.open_complaint(
        session=session.number,
        complaint=queries.next_number(session),
        text=text,
        **about,
        drawn=game.balls.count() if game else 0,
        sold=_was_sold(game, issue, card),
        picture=shown.picture or None if shown else None,
    )
    number = game.number if game else None
    entry = journal.append(
        hall, Fact(OPENED, data), session=session, game=number, by=by, at=at, key=key
    )
    return Complaint.objects.create(
        session=session,
        number=data["complaint"],
        text=data["text"],
        game=game,
        ball=ball,
        issue_id=data["issue"],
        card=card,
        picture=data["picture"] or "",
        opened_at=entry.at,
        entry=entry,
    )


def _was_sold(game: Game | None, issue: int | None, card: int | None) -> bool:
    if game is None or issue is None or card is None:
        return False
    return custody.was_sold(game, issue, card)


@transaction.atomic
def decide(
    *,
    complaint: Complaint,
    decision: str,
    text: str,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Complaint:
    """Decide a complaint, in its session or later: what it held is let go.

    Raises Refusal: not_allowed, key_reused, second_person_needed where the hall wants two,
    witness_same_person, witness_not_allowed, or what `bingo.rules.complaints.decide` refuses.
    """
    permissions.require(by, DECIDED, hall=complaint.session.hall_id)
    hall = journal.lock(complaint.session.hall_id)
    row = Complaint.objects.select_related("session").get(pk=complaint.pk)
    named = {"session": row.session.number, "complaint": row.number}
    asked = named | {"decision": decision, "text": rules.line(text)}
    if journal.earlier(hall, kind=DECIDED, by=by, key=key, inputs=asked):
        return row
    second = witnesses.second(witness, by=by, kind=DECIDED, hall=hall)
    data = rules.decide(queries.known(row), decision=decision, text=text)
    entry = beside.append(hall, Fact(DECIDED, data | second), by=by, at=at, key=key)
    row.decision, row.reason = data["decision"], data["text"]
    row.decided_at, row.decided_by = entry.at, entry
    row.save(update_fields=["decision", "reason", "decided_at", "decided_by"])
    return row
