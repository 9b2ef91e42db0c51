"""Everything a session's acta says, read from its rows and its journal (R61)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from django.db.models import Q, Sum

from bingo.rules import rulebooks
from bingo.rules.steps.drawing import BY_HAND, RNG
from draws.documents import acta, words
from draws.documents.acta_values import BallSource, NoteKind
from draws.models import Game, Payment
from draws.queries import record
from halls.models import CashMovement, JournalEntry, Session, Shift

SOURCES: Mapping[str, BallSource] = MappingProxyType({RNG: "rng", BY_HAND: "hand"})
NOTES: Mapping[str, NoteKind] = MappingProxyType(
    {
        "complaint": "complaint",
        "substitution": "ball_set",
        "breakdown": "breakdown",
        "occurrence": "occurrence",
        "other": "other",
    }
)
CHECK_CHARACTERS = 4


def head(session: Session) -> JournalEntry:
    """Give the entry that closed the session: the head its acta carries."""
    return JournalEntry.objects.get(session=session, kind="session_closed")


def values(session: Session, *, made_at: datetime) -> acta.ActaValues:
    """Give the acta's values, hours in the hall's time zone; words in the active language."""
    zone = ZoneInfo(session.hall.time_zone)
    journal = JournalEntry.objects.filter(session=session).select_related("by").order_by("number")
    last = head(session)
    first = journal[0]
    by = session.closed_by
    book = rulebooks.get(session.hall.rulebook)
    return acta.ActaValues(
        hall=session.hall.name,
        licence=session.hall.licence,
        rulebook=book.title,
        article=book.acta_rule,
        language=session.hall.language,
        currency=session.hall.currency,
        session=session.number,
        opened_at=session.opened_at.astimezone(zone),
        closed_at=last.at.astimezone(zone),
        opened_by=session.opened_by.name,
        closed_by=by.name if by else "",
        games=tuple(_game(game, zone) for game in record.games_of(session)),
        notes=tuple(_note(entry, zone) for entry in journal.filter(kind="note_recorded")),
        tills=tuple(_till(shift) for shift in session.shifts.select_related("till", "cashier")),
        journal_first=first.number,
        journal_last=last.number,
        journal_head=last.digest,
        made_at=made_at.astimezone(zone),
    )


def _game(game: Game, zone: ZoneInfo) -> acta.GameValues:
    journal = JournalEntry.objects.filter(session=game.session_id, game=game.number)
    kept = {entry.kind: entry for entry in journal.select_related("by").order_by("number")}
    completed = kept["entry_completed"].data
    return acta.GameValues(
        number=game.number,
        format=str(game.issue.series.format),
        issues=tuple(
            acta.IssueValues(
                letter=run["issue__series__letter"],
                identification=run["issue__identification"],
                first=run["first"],
                last=run["last"],
                cards=run["cards"],
            )
            for run in record.ranges(game)
        ),
        face_value=game.face,
        cards_sold=game.cards,
        gross=game.gross,
        fund=game.line + game.bingo + game.accrual,
        line=game.line,
        bingo=game.bingo,
        jackpot_accrual=0 if game.void else game.accrual,
        jackpot_awarded=completed["paid"]["jackpot"],
        tax_withheld=completed["tax"],
        paid_line=completed["paid"]["line"],
        paid_bingo=completed["paid"]["bingo"],
        refunded=completed["refunded"],
        balls=tuple(
            acta.BallValues(ball.order, ball.number, SOURCES[ball.source], ball.at.astimezone(zone))
            for ball in game.balls.all()
        ),
        winners=_winners(game, zone),
        rejected=_rejected(game, zone),
        started_at=game.opened_at.astimezone(zone),
        ended_at=game.ended_at.astimezone(zone) if game.ended_at else None,
        voided=game.void or None,
        caller=_name(kept.get("draw_announced") or kept.get("sale_announced")),
        table_chief=_name(kept["entry_completed"]),
        check=kept["entry_completed"].digest[:CHECK_CHARACTERS].upper(),
    )


def _name(entry: JournalEntry | None) -> str:
    return entry.by.name if entry and entry.by else ""


def _winners(game: Game, zone: ZoneInfo) -> tuple[acta.WinnerValues, ...]:
    # What a double card won in its first game may have been paid with the second (R45).
    both = Payment.objects.filter(Q(game=game) | Q(game__first_half=game)).order_by("-pk")
    paid = {(payment.issue_id, payment.card): payment.at for payment in both}
    return tuple(
        acta.WinnerValues(
            combination=prize.combination,
            issue=str(prize.issue),
            card=prize.card,
            amount=prize.amount,
            tax=prize.tax,
            paid_at=paid[prize.issue_id, prize.card].astimezone(zone),
        )
        for prize in game.prizes.select_related("issue__series")
    )


def _rejected(game: Game, zone: ZoneInfo) -> tuple[acta.RejectedValues, ...]:
    wrong = game.checks.filter(valid=False).select_related("entry").order_by("pk")
    return tuple(
        acta.RejectedValues(
            combination=check.combination,
            card=check.card,
            reason=words.verdict(check.reason, len(check.entry.data["missing"])),
            at=check.at.astimezone(zone),
        )
        for check in wrong
    )


def _note(entry: JournalEntry, zone: ZoneInfo) -> acta.NoteValues:
    text = entry.data["text"]
    if entry.data["decision"]:
        text = f"{text} — {entry.data['decision']}"
    return acta.NoteValues(
        kind=NOTES[entry.data["category"]],
        text=text,
        at=entry.at.astimezone(zone),
        by=_name(entry),
        game=entry.data["game"] or None,
    )


def _till(shift: Shift) -> acta.TillValues:
    kinds = CashMovement.Kind
    sums = dict(shift.movements.values_list("kind").annotate(amount=Sum("amount")))
    expected = sum(sums.values())
    counted = shift.counted or 0
    return acta.TillValues(
        name=shift.till.name,
        cashier=shift.cashier.name,
        opening_float=sums.get(kinds.FLOAT, 0),
        sales=sums.get(kinds.SALE, 0),
        prizes=-sums.get(kinds.PRIZE, 0),
        refunds=-sums.get(kinds.REFUND, 0),
        moved=sums.get(kinds.MOVED, 0),
        expected=expected,
        counted=counted,
        difference=counted - expected,
    )
