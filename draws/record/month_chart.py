"""A month of sessions as one picture: what each day collected, and on which days something happened."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from bingo import charts
from bingo.charts import Bar
from draws.record import queries
from draws.record.queries import SessionSummary
from halls.models import Hall, Session

MOST = 200  # sessions of a month


@dataclass(frozen=True, slots=True)
class DayOfMonth:
    """A day: its sessions, what they collected in minor units, its incidents, and its bar."""

    day: date
    sessions: int
    gross: int
    incidents: int
    bar: Bar


@dataclass(frozen=True, slots=True)
class MonthChart:
    """The days of a month in order, and what the top of the picture stands for."""

    days: tuple[DayOfMonth, ...]
    highest: int

    @property
    def opened_days(self) -> tuple[DayOfMonth, ...]:
        """The days on which a session was opened."""
        return tuple(one for one in self.days if one.sessions)


def month_chart(hall: Hall, day: date | None) -> MonthChart | None:
    """Return the month of a day, or of the newest session; None where no session was held in it."""
    zone = ZoneInfo(hall.time_zone)
    if day is None:
        newest = Session.objects.filter(hall=hall).order_by("-number").first()
        if newest is None:
            return None
        day = newest.opened_at.astimezone(zone).date()
    length = monthrange(day.year, day.month)[1]
    found = queries.sessions(
        hall, begins=day.replace(day=1), ends=day.replace(day=length), per_page=MOST
    ).held
    if not found:
        return None
    return _chart([day.replace(day=each) for each in range(1, length + 1)], found, zone)


def _chart(days: Sequence[date], found: Sequence[SessionSummary], zone: ZoneInfo) -> MonthChart:
    opened: dict[date, list[SessionSummary]] = {day: [] for day in days}
    opened |= _by_day(found, zone)
    gross = [sum(one.gross for one in opened[day]) for day in days]
    highest = max(1, *gross)
    return MonthChart(
        tuple(
            DayOfMonth(day, len(opened[day]), sold, sum(one.incidents for one in opened[day]), bar)
            for day, sold, bar in zip(days, gross, charts.bars(gross, highest), strict=True)
        ),
        highest,
    )


def _by_day(found: Sequence[SessionSummary], zone: ZoneInfo) -> dict[date, list[SessionSummary]]:
    opened: dict[date, list[SessionSummary]] = {}
    for one in found:
        opened.setdefault(one.session.opened_at.astimezone(zone).date(), []).append(one)
    return opened
