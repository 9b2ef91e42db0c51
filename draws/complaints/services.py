"""Complaints of players: opened at the table, decided by a named person, listed, printed (R61 j).

Open ones come first. The slip is read from the complaint's row and its journal entry.
"""

from __future__ import annotations

from typing import Any, Unpack
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils.translation import gettext as _

from bingo.rules import complaints
from bingo.rules.custody import Card, Holder
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.complaints.slip import ComplaintSlip
from draws.models import Ball, Complaint, Game, UnclaimedItem
from draws.sales import queries as sales_queries
from halls import second_person as halls_second_person
from halls.journal import queries as journal_queries
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, JournalEntry, Person, Session

NAMED = (
    "session__hall",
    "game__session",
    "issue__series",
    "entry__by",
    "entry__hall",
    "decided_by__by",
)


def of_hall(hall: Hall) -> QuerySet[Complaint]:
    """Return a hall's complaints, the open ones first, each part the newest first."""
    found = Complaint.objects.filter(session__hall=hall).select_related(*NAMED)
    return found.order_by(F("decided_at").desc(nulls_first=True), "-opened_at", "-pk")


def of_session(session: Session) -> QuerySet[Complaint]:
    """Return a session's complaints in the order of their numbers."""
    return Complaint.objects.filter(session=session).select_related(*NAMED).order_by("number")


def still_open(hall: Hall) -> QuerySet[Complaint]:
    """Return those that nobody has decided yet, of all sessions."""
    return of_hall(hall).filter(decided_at__isnull=True)


def next_number(session: Session) -> int:
    """Return the number of the session's next complaint; the hall must be locked."""
    last = Complaint.objects.filter(session=session).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def complaint_state(complaint: Complaint) -> complaints.ComplaintState:
    """Return a complaint as the rules know it."""
    card = complaint.card
    return complaints.ComplaintState(
        complaint.session.number,
        complaint.number,
        None if complaint.issue_id is None or card is None else (complaint.issue_id, card),
        open=complaint.decided_at is None,
        of_session=complaint.game.session.number if complaint.game else None,
    )


def cards_of_open_complaints(hall: Hall) -> dict[Card, Holder]:
    """Return the cards that open complaints are about: none of them is destroyed (R51, R52)."""
    return complaints.holding(map(complaint_state, still_open(hall).filter(card__isnull=False)))


def ball_of(game: Game | None, ball: int | None) -> Ball | None:
    """Return the ball at a place of a game, None where it has none there now."""
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
    return journal_queries.names(complaint.session.hall, [username]).get(username, username)


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
    **who: Unpack[Who],
) -> Complaint:
    """Open a complaint of the open session, about a game of it and a ball or a card there.

    One about a card of an earlier session is opened while money of that game is owed for it.
    `ball` is its place in the game; its picture is named by itself. `issue` is the row's number of
    the card's issue. Raises Refusal: not_allowed, key_reused, session_closed, unknown_game, or what
    `bingo.rules.complaints.open_complaint` refuses.
    """
    about: dict[str, Any] = {"game": None, "ball": ball, "issue": issue, "card": card}
    earlier = game is not None and game.session_id != session.pk
    if game is not None and earlier:
        about |= {"of_session": game.session.number, "of_game": game.number}
    elif game is not None:
        about["game"] = game.number
    asked = {
        "session": session.number,
        "text": complaints.complaint_line(text),
        **about,
    }
    hall, done = begin_command(session.hall_id, OPENED, inputs=asked, **who)
    if done:
        return Complaint.objects.get(entry=done)
    if not Session.objects.filter(pk=session.pk, closed_at__isnull=True).exists():
        raise Refusal("session_closed")
    if game is not None and game.session.hall_id != hall.pk:
        raise Refusal("unknown_game")
    shown = ball_of(game, ball)
    data = complaints.open_complaint(
        session=session.number,
        complaint=next_number(session),
        text=text,
        **about,
        drawn=game.balls.count() if game else 0,
        sold=_was_sold(game, issue, card),
        owed=earlier and _is_owed(game, issue, card),
        picture=shown.picture or None if shown else None,
    )
    fact = Fact(OPENED, data)
    entry = journal_services.append(hall, fact, session=session, game=data["game"], **who)
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
    return sales_queries.was_sold(game, issue, card)


def _is_owed(game: Game | None, issue: int | None, card: int | None) -> bool:
    """Return whether money of a game was set aside for a card, and is owed still."""
    of_card = {"first__lte": card, "last__gte": card}
    found = UnclaimedItem.objects.filter(game=game, issue=issue, **of_card)
    return any(not item.settlements.filter(**of_card).exists() for item in found)


@transaction.atomic
def decide(
    *,
    complaint: Complaint,
    decision: str,
    text: str,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> Complaint:
    """Decide a complaint, in its session or later: what it held is let go.

    Raises Refusal: not_allowed, key_reused, second_person_needed where the hall wants two,
    witness_same_person, witness_not_allowed, or what `bingo.rules.complaints.decide_complaint` refuses.
    """
    named = {"session": complaint.session.number, "complaint": complaint.number}
    asked = named | {"decision": decision, "text": complaints.complaint_line(text)}
    hall, done = begin_command(complaint.session.hall_id, DECIDED, inputs=asked, **who)
    row = Complaint.objects.select_related("session", "game__session").get(pk=complaint.pk)
    if done:
        return row
    second = halls_second_person.second(
        witness, by=who["by"], kind=DECIDED, hall=hall, at=who["at"]
    )
    data = complaints.decide_complaint(complaint_state(row), decision=decision, text=text)
    entry = journal_services.entry_append(hall, Fact(DECIDED, data | second), **who)
    row.decision, row.reason = data["decision"], data["text"]
    row.decided_at, row.decided_by = entry.at, entry
    row.save(update_fields=["decision", "reason", "decided_at", "decided_by"])
    return row


def _recalled_since(complaint: Complaint) -> bool:
    """Return whether the ball that a complaint is about was recalled after it was opened."""
    game = complaint.game
    return game is not None and JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind="ball_recalled",
        data__count=complaint.ball, number__gt=complaint.entry.number,
    ).exists()  # fmt: skip


def get_complaint_slip(complaint: Complaint) -> ComplaintSlip:
    """Return the values of a complaint's slip, as it stands."""
    entry, hall = complaint.entry, complaint.session.hall
    # A ball recalled since is no longer what was there: then only its place is told.
    ball = None if _recalled_since(complaint) else ball_of(complaint.game, complaint.ball)
    return ComplaintSlip(
        hall=hall.name,
        licence=hall.licence,
        language=hall.language,
        currency=hall.currency,
        session=complaint.session.number,
        of_session=(complaint.game or complaint).session.number,
        complaint=complaint.number,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        taken_by=entry.by.name if entry.by else "",
        game=complaint.game.number if complaint.game else None,
        ball=complaint.ball,
        number=ball.number if ball else None,
        card=f"{complaint.issue} · {complaint.card}" if complaint.card is not None else "",
        picture=complaint.picture,
        text=complaint.text,
        decision=complaint.decision,
        reason=complaint.reason,
        decided_by=decided_by(complaint),
        entry=entry.number,
        digest=entry.digest,
        of_symbols=bool(complaint.game and complaint.game.issue.symbols),
    )
