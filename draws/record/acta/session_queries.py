"""What an acta tells of the session as a whole: terms, planned end, last game, clock (R53, R58).

Who was on duty in a session, by what the journal says each of them did.

What an acta tells of the door: how many came, and how many were sent away and why (BOE III).

What an acta tells of a till: float, sums of the shift, cash brought or taken, the count (R39).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum, Value
from django.utils.translation import gettext as _

from bingo.rules import journal, session_end
from bingo.rules.admission import REASONS
from draws import terms as draws_terms
from draws.record.acta import game_queries
from draws.record.acta.session_values import (
    AdmissionValues,
    AnomalyValues,
    ClockReadingValues,
    ClockValues,
    EndingValues,
    LastGameValues,
    SentAwayValues,
    StaffValues,
    TaskValues,
    TermsValues,
)
from draws.record.acta.values import CashValues, TillValues
from halls.admission import queries as admission_queries
from halls.equipment import queries as equipment_queries
from halls.journal import queries as journal_queries
from halls.models import CashMovement, JournalEntry, Person, Session, Shift

SERVER = "server"


def terms(session: Session) -> TermsValues:
    """Return the terms frozen when the session opened; rates in basis points."""
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
    """Return each plan of the session's end, the first one first (R53)."""
    opened = _opening(session, zone)
    planned = tuple(
        EndingValues(
            at=entry.at.astimezone(zone),
            ends_at=_moment(entry, zone),
            reason=entry.data["reason"],
            by=game_queries.name_of(entry),
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
            ends_at=session_end.read_ending(told).astimezone(zone),
            reason="",
            by=session.opened_by.name,
        ),
    )


def last_game(session: Session, zone: ZoneInfo) -> LastGameValues | None:
    """Return the announcement of the last game, None where there was none (R53)."""
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
        by=game_queries.name_of(entry),
        ends_at=plans[0] if plans else None,
    )


def clock(session: Session, zone: ZoneInfo) -> ClockValues:
    """Return where the hours come from, and each time that the clock was seen to go back."""
    return ClockValues(
        source=SERVER,
        anomalies=tuple(
            AnomalyValues(
                at=entry.at.astimezone(zone),
                clock=datetime.fromisoformat(entry.data["clock"]).astimezone(zone),
            )
            for entry in equipment_queries.told_in(session, ["clock_anomaly"])
        ),
        readings=tuple(
            ClockReadingValues(
                at=entry.at.astimezone(zone),
                synchronised=entry.data["synchronised"],
                error=entry.data["error"],
                step=entry.data.get("step", 0),
            )
            for entry in equipment_queries.told_in(session, [journal.READ])
        ),
    )


def _of(session: Session, kind: str) -> QuerySet[JournalEntry]:
    found = JournalEntry.objects.filter(session=session, kind=kind)
    return found.select_related("by").order_by("number")


def _moment(entry: JournalEntry, zone: ZoneInfo) -> datetime:
    return session_end.read_ending(entry.data["ends_at"]).astimezone(zone)


BEFORE = ("equipment_checked", "equipment_waived", "balls_called", "ball_set_used", "ball_replaced")
SELLER, WITNESS = "seller", "witness"

Done = tuple[str, str, int, datetime, datetime]


def staff_values(session: Session, zone: ZoneInfo) -> tuple[StaffValues, ...]:
    """Return everybody by the hour of their first act; hours in the hall's time zone."""
    found: dict[str, list[Done]] = defaultdict(list)
    for done in _done(session):
        found[done[0]].append(done)
    known = Person.objects.filter(hall=session.hall, username__in=found)
    names = dict(known.values_list("username", "name"))
    staff = [_person(username, names, told, zone) for username, told in found.items()]
    return tuple(sorted(staff, key=lambda one: (one.first.timestamp(), one.username)))


def _person(username: str, names: dict[str, str], told: list[Done], zone: ZoneInfo) -> StaffValues:
    return StaffValues(
        name=names.get(username, username),
        username=username,
        first=min(one[3] for one in told).astimezone(zone),
        last=max(one[4] for one in told).astimezone(zone),
        tasks=tuple(
            TaskValues(kind, _task(kind), times)
            for _username, kind, times, *_span in sorted(told, key=lambda one: (one[3], one[1]))
        ),
    )


def _task(kind: str) -> str:
    if kind == SELLER:
        return _("Sold on the floor")
    return _("Second person") if kind == WITNESS else str(draws_terms.kind(kind))


def _done(session: Session) -> Iterator[Done]:
    """Return username, kind, how often, first and last time."""
    entries = _entries(session)
    yield from _counted(entries.filter(by__isnull=False), name=F("by__username"), what=F("kind"))
    for role in (SELLER, WITNESS):
        named = entries.filter(**{f"data__{role}__isnull": False}).exclude(
            **{f"data__{role}": None}
        )
        yield from _counted(named, name=F(f"data__{role}"), what=Value(role))


def _counted(entries: QuerySet[JournalEntry], *, name: F, what: F | Value) -> Iterator[Done]:
    grouped = entries.order_by().annotate(_name=name, _what=what).values("_name", "_what")
    counted = grouped.annotate(times=Count("pk"), since=Min("at"), until=Max("at"))
    for one in counted.order_by("since", "_what"):
        yield one["_name"], one["_what"], one["times"], one["since"], one["until"]


def _entries(session: Session) -> QuerySet[JournalEntry]:
    """Return the session's entries up to its close, and what was done to its equipment before it."""
    first, last = equipment_queries.span(session)
    before = Q(session__isnull=True, kind__in=BEFORE, number__gt=first)
    found = JournalEntry.objects.filter(Q(session=session) | before, hall=session.hall_id)
    return found if last is None else found.filter(number__lte=last)


def admission_values(session: Session) -> AdmissionValues | None:
    """Return what the door counted while the session was open, None where it counted nothing."""
    day = admission_queries.in_session(session)
    if not (day.admitted or day.left or day.most or day.refused):
        return None
    return AdmissionValues(
        admitted=day.admitted,
        left=day.left,
        most=day.most,
        refused=tuple(
            SentAwayValues(reason, day.refused[reason])
            for reason in REASONS
            if reason in day.refused
        ),
    )


Kind = CashMovement.Kind


def till_values(session: Session, zone: ZoneInfo) -> tuple[TillValues, ...]:
    """Return a session's shifts in their order, hours in the hall's time zone."""
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
        closed_by=game_queries.name_of(closing),
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
            reason=str(each.entry.data.get("reason") or draws_terms.kind(each.entry.kind)),
            by=game_queries.name_of(each.entry),
            witness=_name(shift, each.entry.data.get("witness", "")),
        )
        for each in moved
    )


def _name(shift: Shift, username: str) -> str:
    if not username:
        return ""
    return journal_queries.names(shift.session.hall, [username]).get(username, username)
