"""A cashier's shift: the float, cash brought and taken, the count and what it came to."""

from __future__ import annotations

from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from draws.models import Issue
from draws.queries.standing import Standing
from draws.views.order import Order
from draws.views.till import seat
from draws.views.witnessed import witness_of
from halls.models import CashMovement, JournalEntry, Person, Session, Shift, Till
from halls.queries.sessions import the_open_session
from halls.services import tills

MOVED = CashMovement.Kind.MOVED


def open_shift(order: Order, now: Standing) -> str:
    """Open a till with its float."""
    till = Till.objects.filter(hall=order.hall, pk=order.integer("till")).first()
    if till is None:
        raise Refusal("unknown_till")
    session = the_open_session(order.hall)
    given = order.amount("float")
    tills.open_shift(session=session, till=till, float=given, **order.who)
    if seat.policy(now).blind_count:
        return _("%(till)s is open") % {"till": till.name}
    values = {"till": till.name, "float": seat.money(order, given)}
    return _("%(till)s is open with %(float)s") % values


def move_cash(order: Order, _now: Standing) -> str:
    """Bring cash to the till or take it to the safe, before a second person."""
    mine = seat.shift(order)
    amount = order.amount("amount")
    out = order.choice("direction", ("in", "out")) == "out"
    tills.move_cash(
        shift=mine,
        amount=-amount if out else amount,
        reason=order.text("reason"),
        witness=witness_of(order, kind="cash_moved"),
        **order.who,
    )
    values = {"till": mine.till.name, "amount": seat.money(order, amount)}
    if out:
        return _("%(amount)s taken from %(till)s to the safe") % values
    return _("%(amount)s brought to %(till)s") % values


def close_shift(order: Order, _now: Standing) -> str:
    """Count the drawer and close the till."""
    mine = seat.shift(order)
    tills.close_shift(
        shift=mine,
        counted=order.amount("counted"),
        comment=order.text("comment"),
        witness=witness_of(order, kind="shift_closed"),
        **order.who,
    )
    return _("%(till)s is closed") % {"till": mine.till.name}


def closed_context(person: Person, now: Standing) -> dict[str, Any]:
    """Give what somebody without a shift sees: the free tills, and their last shift's result."""
    return {"tills": _free_tills(person, now), "ended": _ended(person, now)}


def open_context(now: Standing, mine: Shift, *, blind: bool) -> dict[str, Any]:
    """Give the drawer, or nothing that it follows from where the count is blind."""
    if blind:
        return {"cash": None}
    kept = now.state.shifts if now.state else ()
    return {
        "cash": next((one.cash for one in kept if one.shift == mine.number), 0),
        "mine": mine.sales.filter(game=now.game).aggregate(n=Sum("amount"))["n"] or 0,
        "moved": mine.movements.filter(kind=MOVED).select_related("entry").order_by("-pk"),
    }


def _free_tills(person: Person, now: Standing) -> list[dict[str, Any]]:
    """Give the tills that nobody sits at, with what the last shift of this session left there."""
    if now.session is None:
        return []
    shifts = Shift.objects.filter(session=now.session)
    taken = shifts.filter(closed_at__isnull=True).values("till")
    counts = shifts.filter(closed_at__isnull=False).order_by("number")
    left = dict(counts.values_list("till", "counted"))
    free = Till.objects.filter(hall=person.hall, in_use=True).exclude(pk__in=taken).order_by("name")
    return [{"till": till, "left": left.get(till.pk)} for till in free]


def _ended(person: Person, now: Standing) -> dict[str, Any] | None:
    """Give what the person's last shift came to, while its session is the hall's last."""
    last = now.session or Session.objects.filter(hall=now.hall).order_by("-number").first()
    closed = Shift.objects.filter(session=last, cashier=person, closed_at__isnull=False)
    shift = closed.select_related("till").order_by("-number").first()
    if shift is None:
        return None
    entry = JournalEntry.objects.filter(session=shift.session_id, kind="shift_closed")
    data = entry.get(data__shift=shift.number).data
    return {
        "shift": shift,
        "expected": data["expected"],
        "difference": data["difference"],
        "unpaid": _named(data.get("unpaid") or []),
    }


def _named(unpaid: list[dict[str, Any]]) -> list[dict[str, Any]]:
    issues = Issue.objects.select_related("series").in_bulk([one["issue"] for one in unpaid])
    return [one | {"issue": str(issues[one["issue"]])} for one in unpaid]
