"""What holds everything of a session beyond its days: an open case, complaint or remark (R51, R52, R61)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bingo.rules.retention import CASE, COMPLAINT, REMARK
from draws.models import Case, Game
from draws.queries import complaints, remarks
from halls.models import Hall, Session


@dataclass(frozen=True, slots=True)
class Hold:
    """One of them by its name: a case's number, session/complaint, a remark's entry."""

    why: str
    name: str
    session: int
    opened_at: datetime


def of_hall(hall: Hall) -> list[Hold]:
    """Give what is open now, by session."""
    cases = Case.objects.filter(hall=hall, closed_at__isnull=True)
    found = [
        _hold(CASE, str(one.number), one.game.session)
        for one in cases.select_related("game__session").order_by("number")
    ]
    found += [
        _hold(COMPLAINT, f"{one.session.number}/{one.number}", one.session)
        for one in complaints.still_open(hall)
    ]
    found += [
        _hold(REMARK, str(one.number), one.session)
        for one in remarks.unanswered(hall)
        if one.session is not None
    ]
    return sorted(found, key=lambda one: (one.session, one.why, one.name))


def _hold(why: str, name: str, session: Session) -> Hold:
    # To the second, as lists of removals have their times.
    return Hold(why, name, session.number, session.opened_at.replace(microsecond=0))


def issues(hall: Hall, session: int) -> set[int]:
    """Give the issues that were on sale in a session."""
    games = Game.objects.filter(session__hall=hall, session__number=session).order_by()
    found = games.values_list("issue", "further")
    return {pk for both in found for pk in both if pk is not None}
