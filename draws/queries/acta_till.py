"""What an acta tells of a till: float, sums of the shift, cash brought or taken, the count (R39)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.db.models import Sum

from draws.documents import words
from draws.documents.acta_values import CashValues, TillValues
from draws.queries import acta_game, witnessed
from halls.models import CashMovement, JournalEntry, Session, Shift

Kind = CashMovement.Kind


def values(session: Session, zone: ZoneInfo) -> tuple[TillValues, ...]:
    """Give a session's shifts in their order, hours in the hall's time zone."""
    closings = JournalEntry.objects.filter(session=session, kind="shift_closed")
    closed = {entry.data["shift"]: entry for entry in closings.select_related("by")}
    shifts = session.shifts.select_related("till", "cashier")
    return tuple(_till(shift, closed.get(shift.number), zone) for shift in shifts)


def _till(shift: Shift, closing: JournalEntry | None, zone: ZoneInfo) -> TillValues:
    sums = dict(shift.movements.values_list("kind").annotate(amount=Sum("amount")))
    expected = sum(sums.values())
    counted = shift.counted or 0
    data = closing.data if closing else {}
    return TillValues(
        name=shift.till.name,
        cashier=shift.cashier.name,
        opening_float=sums.get(Kind.FLOAT, 0),
        sales=sums.get(Kind.SALE, 0),
        prizes=-sums.get(Kind.PRIZE, 0),
        refunds=-sums.get(Kind.REFUND, 0),
        moved=sums.get(Kind.MOVED, 0),
        expected=expected,
        counted=counted,
        difference=counted - expected,
        opened_at=shift.opened_at.astimezone(zone),
        closed_at=closing.at.astimezone(zone) if closing else None,
        closed_by=acta_game.name_of(closing),
        comment=data.get("comment", ""),
        witness=_name(shift, data.get("witness", "")),
        unclaimed_paid=-sums.get(Kind.UNCLAIMED, 0),
        unpaid=len(data.get("unpaid", ())),
        movements=_movements(shift, zone),
    )


def _movements(shift: Shift, zone: ZoneInfo) -> tuple[CashValues, ...]:
    moved = shift.movements.filter(kind=Kind.MOVED).select_related("entry__by").order_by("pk")
    return tuple(
        CashValues(
            at=each.entry.at.astimezone(zone),
            amount=each.amount,
            reason=str(each.entry.data.get("reason") or words.kind(each.entry.kind)),
            by=acta_game.name_of(each.entry),
            witness=_name(shift, each.entry.data.get("witness", "")),
        )
        for each in moved
    )


def _name(shift: Shift, username: str) -> str:
    if not username:
        return ""
    return witnessed.names(shift.session.hall, [username]).get(username, username)
