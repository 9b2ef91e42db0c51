"""The tills of a hall and the shifts of its cashiers: float, cash moved, the count at the end.

A till may be added, taken out of use and taken back.
"""

from __future__ import annotations

from typing import Unpack

from django.db import transaction
from django.db.models import Exists, OuterRef

from bingo.rules import till_cash_and_shifts
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from halls import second_person
from halls.journal import services as journal_services
from halls.journal.head import Recorded
from halls.journal.services import Who, begin_command
from halls.models import CashMovement, Hall, JournalEntry, Person, Role, Session, Shift, Till


def list_tills(hall: Hall) -> dict[str, till_cash_and_shifts.TillState]:
    """Return all tills of a hall by name, those out of use too."""
    open_shift = Shift.objects.filter(till=OuterRef("pk"), closed_at__isnull=True)
    found = hall.tills.annotate(taken=Exists(open_shift)).order_by("name")
    return {one.name: till_cash_and_shifts.TillState(one.in_use, one.taken) for one in found}


Kind = CashMovement.Kind


def shift_of(session: Session, cashier: Person) -> Shift:
    """Return the shift a cashier has open. Raises Refusal no_shift."""
    found = Shift.objects.filter(session=session, cashier=cashier, closed_at__isnull=True)
    shift = found.select_related("till").first()
    if shift is None:
        raise Refusal("no_shift")
    return shift


@transaction.atomic
def open_shift(*, session: Session, till: Till, float: int, **who: Unpack[Who]) -> Shift:
    """Open a till with a float in minor units; the cashier is whoever opens it.

    Raises Refusal: not_allowed, unknown_till, till_out_of_use, shift_already_open,
    cashier_has_a_shift, bad_amount.
    """
    if till.hall_id != session.hall_id:
        raise Refusal("unknown_till")
    done = journal_services.record(
        session, "shift_opened", **who,
        till=till.name, cashier=who["by"].username, float=float,
    )  # fmt: skip
    if done.repeated:
        return session.shifts.get(number=done.entry.data["shift"])
    # Nobody takes it out of use any more: the entry holds the hall until all is written.
    if not Till.objects.filter(pk=till.pk, in_use=True).exists():
        raise Refusal("till_out_of_use", till=till.name)
    shift = Shift.objects.create(
        till=till,
        session=session,
        number=done.entry.data["shift"],
        cashier=who["by"],
        opened_at=done.entry.at,
    )
    _moved(shift, Kind.FLOAT, float, done)
    return shift


@transaction.atomic
def move_cash(
    *, shift: Shift, amount: int, reason: str, witness: Person | None = None, **who: Unpack[Who]
) -> None:
    """Bring cash into a drawer, or (negative) take it to the safe, in minor units.

    A cashier does it at the own till and before a `witness`. Raises Refusal: not_allowed,
    not_your_shift, second_person_needed, bad_amount, reason_missing, cash_short, shift_not_open.
    """
    if Role.HALL_MANAGER not in who["by"].roles:
        _require_own(shift, who["by"])
        if witness is None:
            raise Refusal("second_person_needed", command="cash_moved")
    done = journal_services.record(
        shift.session, "cash_moved", **who, drawer=shift,
        till=shift.till.name, amount=amount, reason=reason,
        witness=second_person.witness_name(witness, by=who["by"], kind="cash_moved", at=who["at"]),
    )  # fmt: skip
    if not done.repeated:
        _moved(shift, Kind.MOVED, amount, done)


@transaction.atomic
def close_shift(
    *, shift: Shift, counted: int, comment: str, witness: Person | None = None, **who: Unpack[Who]
) -> Shift:
    """Close a shift by counting its drawer; a difference above the hall's limit needs a comment.

    The hall manager may count for a cashier who has gone. Raises Refusal: not_allowed,
    not_your_shift, shift_not_open, bad_amount, difference_needs_comment, second_person_needed.
    """
    if Role.HALL_MANAGER not in who["by"].roles:
        _require_own(shift, who["by"])
    done = journal_services.record(
        shift.session, "shift_closed", **who, drawer=shift,
        till=shift.till.name, counted=counted, comment=comment,
        witness=second_person.witness_name(witness, by=who["by"], kind="shift_closed", at=who["at"]),
    )  # fmt: skip
    _require(shift, done.entry.data["shift"], done.entry)
    if done.repeated:
        shift.refresh_from_db(fields=["closed_at", "counted", "comment"])
        return shift
    shift.closed_at, shift.counted, shift.comment = done.entry.at, counted, comment
    shift.save(update_fields=["closed_at", "counted", "comment"])
    return shift


def game_moved(shift: Shift, kind: str, entry: JournalEntry) -> CashMovement:
    """Return the row of the cash that a sale, payment or refund just recorded moves; not saved yet."""
    names = {
        "prize_paid": Kind.PRIZE,
        "cards_refunded": Kind.REFUND,
        "sale_taken_back": Kind.TAKEN_BACK,
        "unclaimed_paid": Kind.UNCLAIMED,
    }
    amount = till_cash_and_shifts.cash_of(kind, entry.data)
    return CashMovement(shift=shift, kind=names.get(kind, Kind.SALE), amount=amount, entry=entry)


def _require_own(shift: Shift, by: Person) -> None:
    if shift.cashier_id != by.pk:
        raise Refusal("not_your_shift")


def _moved(shift: Shift, kind: CashMovement.Kind, amount: int, done: Recorded) -> None:
    CashMovement.objects.create(shift=shift, kind=kind, amount=amount, entry=done.entry)


def _require(shift: Shift, number: int, entry: JournalEntry) -> None:
    """Refuse when the till of that name has since been opened in another shift or session."""
    if (entry.session_id, number) != (shift.session_id, shift.number):
        raise Refusal("shift_not_open", till=shift.till.name)


@transaction.atomic
def change_tills(*, hall: Hall, change: str, till: str, **who: Unpack[Who]) -> Till:
    """Add a till, take one out of use or take it back; `till` is its name.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.till_cash_and_shifts.change_till` refuses.
    """
    inputs = {"change": change, "till": till}
    hall, done = begin_command(hall.pk, till_cash_and_shifts.CHANGED, inputs=inputs, **who)
    if done:
        return hall.tills.get(name=till)
    data = till_cash_and_shifts.change_till(list_tills(hall), change, till=till)
    journal_services.append(hall, Fact(till_cash_and_shifts.CHANGED, data), **who)
    if change == till_cash_and_shifts.ADDED:
        return Till.objects.create(hall=hall, name=till)
    changed = hall.tills.get(name=till)
    changed.in_use = change == till_cash_and_shifts.RESTORED
    changed.save(update_fields=["in_use"])
    return changed
