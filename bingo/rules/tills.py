"""The tills of a hall: added, taken out of use, taken back.

None is deleted or called otherwise: the record names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bingo.rules.halls import MOST_TILLS
from bingo.rules.refusal import Refusal
from bingo.rules.signs import is_plain

Data = dict[str, Any]

CHANGED = "tills_changed"
ADDED, RETIRED, RESTORED = "added", "retired", "restored"
CHANGES = (ADDED, RETIRED, RESTORED)
LONGEST_NAME = 50  # characters


@dataclass(frozen=True, slots=True)
class Till:
    """A till as it stands: whether it is in use, and whether somebody's drawer is in it now."""

    in_use: bool = True
    taken: bool = False


def change(known: Mapping[str, Till], change: str, *, till: str) -> Data:
    """Give what becomes of a till, as the journal has it; `known` are all of the hall by name.

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


def _require_new(known: Mapping[str, Till], till: str) -> None:
    """Refuse a name that cannot be read on a paper, or that another till has but for its letters' size."""
    if not is_plain(till) or len(till) > LONGEST_NAME:
        raise Refusal("bad_till_name", most=LONGEST_NAME)
    if till.casefold() in {name.casefold() for name in known}:
        raise Refusal("till_exists", till=till)
