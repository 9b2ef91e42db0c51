"""What an acta tells of the session as a whole: terms, planned end, last game, clock (R53, R58)."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from bingo.rules import clocks, ending
from draws.documents.acta_session_values import (
    AnomalyValues,
    ClockReadingValues,
    ClockValues,
    EndingValues,
    LastGameValues,
    TermsValues,
)
from draws.queries import acta_game
from halls.models import JournalEntry, Session
from halls.queries import equipment

SERVER = "server"


def terms(session: Session) -> TermsValues:
    """Give the terms frozen when the session opened; rates in basis points."""
    told = session.state["terms"]
    levels = [told["jackpot"], *told.get("levels", ())] if told["jackpot"] else []
    return TermsValues(
        authorisation=told["authorisation"],
        line=told["shares"]["line"],
        bingo=told["shares"]["bingo"],
        tax_rate=told["tax"]["rate"],
        tax_threshold=told["tax"]["threshold"],
        jackpot_rate=sum(level["rate"] for level in levels),
    )


def endings(session: Session, zone: ZoneInfo) -> tuple[EndingValues, ...]:
    """Give each plan of the session's end, the first one first (R53)."""
    opened = _opening(session, zone)
    planned = tuple(
        EndingValues(
            at=entry.at.astimezone(zone),
            ends_at=_moment(entry, zone),
            reason=entry.data["reason"],
            by=acta_game.name_of(entry),
        )
        for entry in _of(session, "session_end_planned")
    )
    return opened + planned


def _opening(session: Session, zone: ZoneInfo) -> tuple[EndingValues, ...]:
    """Return the plan with which the session opened; older ones opened without one."""
    told = session.state["terms"].get("ends_at")
    if not told:
        return ()
    return (
        EndingValues(
            at=session.opened_at.astimezone(zone),
            ends_at=ending.read(told).astimezone(zone),
            reason="",
            by=session.opened_by.name,
        ),
    )


def last_game(session: Session, zone: ZoneInfo) -> LastGameValues | None:
    """Give the announcement of the last game, None where there was none (R53)."""
    entry = _of(session, "last_game_announced").first()
    if entry is None:
        return None
    moved = _of(session, "session_end_planned").filter(number__lt=entry.number).last()
    plans = [one.ends_at for one in _opening(session, zone)]
    if moved is not None:
        plans = [_moment(moved, zone)]
    return LastGameValues(
        at=entry.at.astimezone(zone),
        game=entry.data["game"],
        by=acta_game.name_of(entry),
        ends_at=plans[0] if plans else None,
    )


def clock(session: Session, zone: ZoneInfo) -> ClockValues:
    """Give where the hours come from, and each time that the clock was seen to go back."""
    return ClockValues(
        source=SERVER,
        anomalies=tuple(
            AnomalyValues(
                at=entry.at.astimezone(zone),
                clock=datetime.fromisoformat(entry.data["clock"]).astimezone(zone),
            )
            for entry in equipment.told_in(session, ["clock_anomaly"])
        ),
        readings=tuple(
            ClockReadingValues(
                at=entry.at.astimezone(zone),
                synchronised=entry.data["synchronised"],
                error=entry.data["error"],
                step=entry.data.get("step", 0),
            )
            for entry in equipment.told_in(session, [clocks.READ])
        ),
    )


def _of(session: Session, kind: str) -> QuerySet[JournalEntry]:
    found = JournalEntry.objects.filter(session=session, kind=kind)
    return found.select_related("by").order_by("number")


def _moment(entry: JournalEntry, zone: ZoneInfo) -> datetime:
    return ending.read(entry.data["ends_at"]).astimezone(zone)
