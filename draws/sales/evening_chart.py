"""An evening as one picture: what was sold, what players got, the margin, and the cash in each till.

The moments are those at which cash moved in a drawer, one number a slot of the picture. The same
numbers stand in a table beside it, for whoever cannot see the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from bingo import charts
from bingo.charts import Line
from halls.models import CashMovement, Session

SLOTS = 120  # moments drawn, however long the evening
ROWS = 12  # moments told in the table
SOLD, GOT, MARGIN = "sold", "got", "margin"
# What a kind of movement brings the hall, and what it gives back to players.
SALES = ("sale", "refund", "taken_back")
TO_PLAYERS = ("prize", "unclaimed")
COUNTED = "counted"


@dataclass(frozen=True, slots=True)
class Moment:
    """How the evening stood: sums in minor units, `cash` of each till in the order of `tills`."""

    at: datetime
    sold: int
    got: int
    cash: tuple[int, ...]

    @property
    def margin(self) -> int:
        """What the hall has of the sales once players have their money."""
        return self.sold - self.got


@dataclass(frozen=True, slots=True)
class EveningChart:
    """The pictures of money and of tills, and the same as rows of a table."""

    money: tuple[Line, ...]
    tills: tuple[Line, ...]
    rows: tuple[Moment, ...]
    begun: datetime
    until: datetime


def evening_chart(session: Session, *, at: datetime) -> EveningChart | None:
    """Return the picture of a session until `at`, or until its close; None before cash has moved."""
    found = CashMovement.objects.filter(shift__session=session).order_by("entry__number")
    moved = list(found.values_list("entry__at", "kind", "amount", "shift__till__name"))
    if not any(kind in SALES for _at, kind, _amount, _till in moved):
        return None
    names = list(dict.fromkeys(till for *_rest, till in moved))
    # What is counted at the end of a shift leaves the drawer.
    shifts = session.shifts.filter(closed_at__isnull=False).values_list("closed_at", "till__name")
    counted = [(closed, COUNTED, 0, till) for closed, till in shifts if closed]
    moved = sorted([*moved, *counted])
    until = session.closed_at or max(at, moved[-1][0])
    moments = _slots(moved, names, session.opened_at, until)
    highest = max(1, *(one.sold for one in moments), *(one.got for one in moments))
    lowest = min(0, *(one.margin for one in moments))
    highest_cash = max(1, *(cash for one in moments for cash in one.cash))
    values = {
        SOLD: [one.sold for one in moments],
        GOT: [one.got for one in moments],
        MARGIN: [one.margin for one in moments],
    }
    return EveningChart(
        money=tuple(charts.line(name, each, lowest, highest) for name, each in values.items()),
        tills=tuple(
            charts.line(name, [one.cash[place] for one in moments], 0, highest_cash)
            for place, name in enumerate(names)
        ),
        rows=tuple(moments[len(moments) - 1 :: -max(1, len(moments) // ROWS)][::-1]),
        begun=session.opened_at,
        until=until,
    )


def _slots(
    moved: Iterable[tuple[datetime, str, int, str]],
    names: list[str],
    begun: datetime,
    until: datetime,
) -> list[Moment]:
    """Return how the evening stood at the end of each slot, from its beginning to its end."""
    slots = min(SLOTS, max(1, int((until - begun).total_seconds())))
    step = (until - begun) / slots
    cash: Mapping[str, int] = dict.fromkeys(names, 0)
    sold = got = 0
    moments, waiting = [], list(moved)
    for slot in range(slots + 1):
        end = until if slot == slots else begun + step * slot
        while waiting and waiting[0][0] <= end:
            _at, kind, amount, till = waiting.pop(0)
            cash = {**cash, till: 0 if kind == COUNTED else cash[till] + amount}
            sold += amount if kind in SALES else 0
            got -= amount if kind in TO_PLAYERS else 0
        moments.append(Moment(end, sold, got, tuple(cash.values())))
    return moments
