"""Tills and their shifts: who has which drawer, and what must be in it (R39, R44, R57).

A till is added, taken out of use or taken back. None is deleted or renamed: the record names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bingo.rules.journal_json_and_chain import Data, stored
from bingo.rules.refusal import Refusal
from bingo.rules.setup import MOST_TILLS
from bingo.rules.texts import is_plain, require_text

MOST = 10**10  # minor units that a drawer is given or loses at once: more is a slip of the hand
CASH_IN = MappingProxyType(
    {
        "cards_sold": 1,
        "block_settled": 1,
        "prize_paid": -1,
        "cards_refunded": -1,
        "sale_taken_back": -1,
        "unclaimed_paid": -1,
    }
)


@stored("counted")
@dataclass(frozen=True, slots=True)
class ShiftState:
    """One cashier at one till; `cash` is what the drawer should hold, in minor units."""

    shift: int
    till: str
    cashier: str
    cash: int
    counted: int | None = None


Shifts = tuple[ShiftState, ...]


def find(shifts: Shifts, till: str) -> ShiftState:
    """Return the open shift of a till. Raises Refusal shift_not_open."""
    for shift in shifts:
        if shift.till == till and shift.counted is None:
            return shift
    raise Refusal("shift_not_open", till=till)


def still_open(shifts: Shifts) -> Shifts:
    """Return the shifts that nobody has counted yet."""
    return tuple(shift for shift in shifts if shift.counted is None)


def open_shift(shifts: Shifts, *, till: str, cashier: str, float: int) -> Data:
    """Open a till with its float. Raises Refusal: shift_already_open, cashier_has_a_shift, bad_amount."""
    if any(one.till == till for one in still_open(shifts)):
        raise Refusal("shift_already_open", till=till)
    if any(one.cashier == cashier for one in still_open(shifts)):
        raise Refusal("cashier_has_a_shift", cashier=cashier)
    if not 0 <= float <= MOST:
        raise Refusal("bad_amount", amount=float)
    return {"till": till, "cashier": cashier, "float": float, "shift": len(shifts) + 1}


def shift_opened(shifts: Shifts, data: Data) -> Shifts:
    """Add the shift."""
    return (*shifts, ShiftState(data["shift"], data["till"], data["cashier"], data["float"]))


def move_cash(shifts: Shifts, *, till: str, amount: int, reason: str) -> Data:
    """Bring cash into a drawer, or (negative) take it to the safe.

    Raises Refusal: bad_amount, reason_missing, cash_short, shift_not_open.
    """
    if amount == 0 or abs(amount) > MOST:
        raise Refusal("bad_amount", amount=amount)
    require_text(reason)
    shift = find(shifts, till)
    if shift.cash + amount < 0:
        raise Refusal("cash_short", left=shift.cash, taken=-amount)
    return {"till": till, "amount": amount, "reason": reason}


def cash_moved(shifts: Shifts, data: Data) -> Shifts:
    """Move the drawer."""
    return _moved(shifts, data["till"], data["amount"])


def close_shift(shifts: Shifts, *, till: str, counted: int, comment: str, limit: int = 0) -> Data:
    """Close a till's shift by its count; a difference above `limit` needs a comment.

    Amounts in minor units. Raises Refusal: shift_not_open, bad_amount, difference_needs_comment.
    """
    shift = find(shifts, till)
    # What many moves have brought may be more than one may bring.
    if not 0 <= counted <= max(MOST, 2 * shift.cash):
        raise Refusal("bad_amount", amount=counted)
    difference = counted - shift.cash
    if abs(difference) > limit and not comment.strip():
        raise Refusal("difference_needs_comment", counted=counted)
    return {
        "till": till,
        "counted": counted,
        "comment": comment,
        "shift": shift.shift,
        "expected": shift.cash,
        "difference": difference,
    }


def shift_closed(shifts: Shifts, data: Data) -> Shifts:
    """Keep the count."""
    return _changed(shifts, replace(find(shifts, data["till"]), counted=data["counted"]))


def cards_unpaid(data: Data) -> int:
    """Return how many winning cards a closed shift hands on: a double card may have won twice (R15)."""
    return len({(one["issue"], one["card"]) for one in data.get("unpaid", ())})


def paid_out(data: Data) -> int:
    """Return what a payment hands over, in minor units: net of tax, and of what coins leave over."""
    amount: int = data["amount"] - data.get("tax", 0) - data.get("left_over", 0)
    return amount


def cash_of(kind: str, data: Data) -> int:
    """Return what a game's fact brings into its till, in minor units; below 0 what it takes out."""
    amount: int = paid_out(data) if kind == "prize_paid" else data["amount"]
    return CASH_IN[kind] * amount


def game_cash(shifts: Shifts, kind: str, data: Data) -> Shifts:
    """Move the drawer of a sale, payment or refund. Raises Refusal: shift_not_open, cash_short."""
    return _moved(shifts, data["till"], cash_of(kind, data))


def require_cash_in_till(shifts: Shifts, kind: str, data: Data) -> None:
    """Refuse what `game_cash` would refuse: shift_not_open, cash_short.

    `tills` of that refusal are the open ones that have the cash, where there are any.
    """
    amount = cash_of(kind, data)
    try:
        _holding(shifts, data["till"], amount)
    except Refusal as refusal:
        if refusal.code == "cash_short" and (tills := _with_cash(shifts, -amount)):
            raise Refusal("cash_short", **refusal.values, tills=tills) from None
        raise


def lacking(shifts: Shifts, due: Sequence[int]) -> tuple[tuple[ShiftState, int], ...]:
    """Return the open shifts, each with what it lacks to pay all that is `due`, in minor units.

    Nothing where some drawer has the cash for the dearest of them.
    """
    tills = still_open(shifts)
    if not due or any(one.cash >= max(due) for one in tills):
        return ()
    return tuple((one, sum(due) - one.cash) for one in tills)


def _with_cash(shifts: Shifts, due: int) -> list[str]:
    return sorted(shift.till for shift in still_open(shifts) if shift.cash >= due)


def _moved(shifts: Shifts, till: str, amount: int) -> Shifts:
    shift = _holding(shifts, till, amount)
    return _changed(shifts, replace(shift, cash=shift.cash + amount))


def _holding(shifts: Shifts, till: str, amount: int) -> ShiftState:
    """Return the open shift of a till, which has the cash for it when the amount is taken."""
    shift = find(shifts, till)
    if shift.cash + amount < 0:
        raise Refusal("cash_short", left=shift.cash, due=-amount)
    return shift


def _changed(shifts: Shifts, changed: ShiftState) -> Shifts:
    return tuple(changed if one.shift == changed.shift else one for one in shifts)


STEPS: MappingProxyType[str, tuple[Callable[..., Data], Callable[[Shifts, Data], Shifts]]] = (
    MappingProxyType(
        {
            "shift_opened": (open_shift, shift_opened),
            "cash_moved": (move_cash, cash_moved),
            "shift_closed": (close_shift, shift_closed),
        }
    )
)


CHANGED = "tills_changed"
ADDED, RETIRED, RESTORED = "added", "retired", "restored"
CHANGES = (ADDED, RETIRED, RESTORED)
LONGEST_NAME = 50  # characters


@dataclass(frozen=True, slots=True)
class TillState:
    """A till as it stands: whether it is in use, and whether somebody's drawer is in it now."""

    in_use: bool = True
    taken: bool = False


def change_till(known: Mapping[str, TillState], change: str, *, till: str) -> Data:
    """Return what becomes of a till, as the journal has it; `known` are all of the hall by name.

    Raises Refusal: bad_till_name, till_exists, too_many_tills, unknown_till, nothing_changed,
    shift_still_open, last_till, bad_input.
    """
    if change not in CHANGES:
        raise Refusal("bad_input", field="change")
    in_use = [one for one in known.values() if one.in_use]
    if change == ADDED:
        _require_new(known, till)
    elif till not in known:
        raise Refusal("unknown_till")
    elif known[till].in_use == (change == RESTORED):
        raise Refusal("nothing_changed")
    if change == RETIRED and known[till].taken:
        raise Refusal("shift_still_open", till=till)
    if change == RETIRED and len(in_use) == 1:
        raise Refusal("last_till")
    if change != RETIRED and len(in_use) >= MOST_TILLS:
        raise Refusal("too_many_tills", most=MOST_TILLS)
    return {"change": change, "till": till}


def _require_new(known: Mapping[str, TillState], till: str) -> None:
    """Refuse a name that cannot be read on a paper, or that another till has but for its letters' size."""
    if not is_plain(till) or len(till) > LONGEST_NAME:
        raise Refusal("bad_till_name", most=LONGEST_NAME)
    if till.casefold() in {name.casefold() for name in known}:
        raise Refusal("till_exists", till=till)
