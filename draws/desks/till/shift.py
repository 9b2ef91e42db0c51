"""A cashier's shift at the till: the float, cash brought and taken, the count and its result.

Also the notes and coins of a currency: to type the cash given, and to count a drawer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from bingo.rules import policies
from bingo.rules.policies import HallPolicy
from bingo.rules.refusal import Refusal
from draws.games.queries import HallState
from draws.models import Issue
from draws.web import forms as web_forms
from draws.web.forms import CommandForm, session_of, witness_of
from draws.web.page_classes import Notice
from halls import tills
from halls.models import CashMovement, JournalEntry, Person, Session, Shift, Till


def shift_of(person: Person, now: HallState) -> Shift | None:
    """Return the shift that the person has open, if any."""
    if now.session is None:
        return None
    found = Shift.objects.filter(session=now.session, cashier=person, closed_at__isnull=True)
    return found.select_related("till").first()


def policy(now: HallState) -> HallPolicy:
    """Return what the hall has decided for this session."""
    return policies.of(now.state.terms if now.state else {})


MOVED = CashMovement.Kind.MOVED


def open_shift(order: CommandForm, now: HallState) -> str:
    """Open a till with its float."""
    till = Till.objects.filter(hall=order.hall, pk=order.integer("till")).first()
    if till is None:
        raise Refusal("unknown_till")
    session = session_of(order)
    given = order.amount("float")
    tills.open_shift(session=session, till=till, float=given, **order.who)
    if policy(now).blind_count:
        return _("%(till)s is open") % {"till": till.name}
    values = {"till": till.name, "float": order.money(given)}
    return _("%(till)s is open with %(float)s") % values


def move_cash(order: CommandForm, _now: HallState) -> str:
    """Bring cash to the till or take it to the safe, before a second person."""
    mine = web_forms.shift_of(order)
    amount = order.amount("amount")
    signed = -amount if order.choice("direction", ("in", "out")) == "out" else amount
    tills.move_cash(
        shift=mine,
        amount=signed,
        reason=order.text("reason"),
        witness=witness_of(order, kind="cash_moved"),
        **order.who,
    )
    return cash_moved(order, mine, signed)


def cash_moved(order: CommandForm, shift: Shift, amount: int) -> str:
    """Tell of cash, in minor units, that was brought to a till, or taken where they are negative."""
    values = {"till": shift.till.name, "amount": order.money(abs(amount))}
    if amount < 0:
        return _("%(amount)s taken from %(till)s to the safe") % values
    return _("%(amount)s brought to %(till)s") % values


def close_shift(order: CommandForm, _now: HallState) -> Notice:
    """Count the drawer and close the till."""
    mine = web_forms.shift_of(order)
    tills.close_shift(
        shift=mine,
        counted=order.amount("counted"),
        comment=order.text("comment"),
        witness=witness_of(order, kind="shift_closed"),
        **order.who,
    )
    return closed(mine, order)


def closed(counted: Shift, order: CommandForm) -> Notice:
    """Return what closing a shift came to: a warning with the difference where the count has one."""
    entry = JournalEntry.objects.filter(session=counted.session_id, kind="shift_closed")
    difference = entry.get(data__shift=counted.number).data["difference"]
    told = _("%(till)s is closed") % {"till": counted.till.name}
    if not difference:
        return Notice(told, "ok")
    return Notice(told, "warning", _("Difference %(amount)s") % {"amount": order.money(difference)})


def closed_context(person: Person, now: HallState) -> dict[str, Any]:
    """Return what somebody without a shift sees: the free tills, and their last shift's result.

    The till that they sat at last stands first.
    """
    ended, free = _ended(person, now), _free_tills(person, now)
    own = ended["shift"].till_id if ended else None
    return {"tills": sorted(free, key=lambda one: one["till"].pk != own), "ended": ended}


def open_context(now: HallState, mine: Shift, *, blind: bool) -> dict[str, Any]:
    """Return the drawer, or nothing that it follows from where the count is blind."""
    if blind:
        return {"cash": None}
    kept = now.state.shifts if now.state else ()
    return {
        "cash": next((one.cash for one in kept if one.shift == mine.number), 0),
        "mine": mine.sales.filter(game=now.game).aggregate(n=Sum("amount"))["n"] or 0,
        "moved": mine.movements.filter(kind=MOVED).select_related("entry").order_by("-pk"),
    }


def _free_tills(person: Person, now: HallState) -> list[dict[str, Any]]:
    """Return the tills that nobody sits at, with what the last shift of this session left there."""
    if now.session is None:
        return []
    shifts = Shift.objects.filter(session=now.session)
    taken = shifts.filter(closed_at__isnull=True).values("till")
    counts = shifts.filter(closed_at__isnull=False).order_by("number")
    left = dict(counts.values_list("till", "counted"))
    free = Till.objects.filter(hall=person.hall, in_use=True).exclude(pk__in=taken).order_by("name")
    return [{"till": till, "left": left.get(till.pk)} for till in free]


def _ended(person: Person, now: HallState) -> dict[str, Any] | None:
    """Return what the person's last shift came to, while its session is the hall's last."""
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


@dataclass(frozen=True, slots=True)
class Denominations:
    """Notes and coins in use, the largest first, in minor units."""

    notes: tuple[int, ...] = ()
    coins: tuple[int, ...] = ()


NONE = Denominations()

# EUR: Regulation (EC) 974/98 and the ECB's series; CVE: those the Banco de Cabo Verde issues.
OF: Mapping[str, Denominations] = MappingProxyType(
    {
        "EUR": Denominations(
            notes=(500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00),
            coins=(2_00, 1_00, 50, 20, 10, 5, 2, 1),
        ),
        "CVE": Denominations(
            notes=(5000_00, 2000_00, 1000_00, 500_00, 200_00),
            coins=(100_00, 50_00, 20_00, 10_00, 5_00, 1_00),
        ),
    }
)


def denomination_of(currency: str) -> Denominations:
    """Return those of a currency, none where they are not known here."""
    return OF.get(currency, NONE)
