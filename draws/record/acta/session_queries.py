"""Read what an acta says of the session: terms, end, clock, staff, door, tills (R39, R53, R58).

Staff on duty are those the journal says did something. The door is how many came, and how many were
sent away and why (BOE III). A till has its float, sums of the shift, cash brought or taken, the
count (R39).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum, Value
from django.utils.translation import gettext as _

from bingo.rules import checkpoints_and_clock, journal_json_and_chain
from bingo.rules.admission import REASONS
from bingo.rules.till_cash_and_shifts import cards_unpaid
from draws import trade_words as draws_terms
from draws.record.acta import game_queries, session_values
from draws.record.acta.values import CashValues, TillValues
from halls.admission import queries as admission_queries
from halls.equipment import queries as equipment_queries
from halls.journal import queries as journal_queries
from halls.models import CashMovement, JournalEntry, Person, Session, Shift

SERVER = "server"


def terms(session: Session) -> session_values.TermsValues:
    """Return the terms frozen when the session opened; rates in basis points."""
    told = session.state["terms"]
    levels = [told["jackpot"], *told.get("levels", ())] if told["jackpot"] else []
    return session_values.TermsValues(
        authorisation=told["authorisation"],
        line=told["shares"]["line"],
        bingo=told["shares"]["bingo"],
        tax_rate=told["tax"]["rate"],
        tax_threshold=told["tax"]["threshold"],
        jackpot_rate=sum(level["rate"] for level in levels),
        tax_on_sales=told["tax"].get("on_sales", False),
    )


def endings(session: Session, zone: ZoneInfo) -> tuple[session_values.EndingValues, ...]:
    """Return each plan of the session's end, the first one first (R53)."""
    opened = _opening(session, zone)
    planned = tuple(
        session_values.EndingValues(
            at=entry.at.astimezone(zone),
            ends_at=_moment(entry, zone),
            reason=entry.data["reason"],
            by=game_queries.name_of(entry),
        )
        for entry in game_queries.list_entries(session, "session_end_planned")
    )
    return opened + planned


def _opening(session: Session, zone: ZoneInfo) -> tuple[session_values.EndingValues, ...]:
    """Return the plan with which the session opened; older ones opened without one."""
    told = session.state["terms"].get("ends_at")
    if not told:
        return ()
    return (
        session_values.EndingValues(
            at=session.opened_at.astimezone(zone),
            ends_at=journal_json_and_chain.read_moment(told).astimezone(zone),
            reason="",
            by=session.opened_by.name,
        ),
    )


def last_game(session: Session, zone: ZoneInfo) -> session_values.LastGameValues | None:
    """Return the announcement of the last game, None where there was none (R53)."""
    announced = game_queries.list_entries(session, "last_game_announced")
    if not announced:
        return None
    entry = announced[0]
    plans = [one.ends_at for one in _opening(session, zone)]
    moved = game_queries.list_entries(session, "session_end_planned")
    plans += [_moment(one, zone) for one in moved if one.number < entry.number]
    return session_values.LastGameValues(
        at=entry.at.astimezone(zone),
        game=entry.data["game"],
        by=game_queries.name_of(entry),
        ends_at=plans[-1] if plans else None,
    )


def clock(session: Session, zone: ZoneInfo) -> session_values.ClockValues:
    """Return where the hours come from, and each time that the clock was seen to go back."""
    return session_values.ClockValues(
        source=SERVER,
        anomalies=tuple(
            session_values.AnomalyValues(
                at=entry.at.astimezone(zone),
                clock=datetime.fromisoformat(entry.data["clock"]).astimezone(zone),
            )
            for entry in equipment_queries.entries_of_session(session, ["clock_anomaly"])
        ),
        readings=tuple(
            session_values.ClockReadingValues(
                at=entry.at.astimezone(zone),
                synchronised=entry.data["synchronised"],
                error=entry.data["error"],
                step=entry.data.get("step", 0),
            )
            for entry in equipment_queries.entries_of_session(session, [checkpoints_and_clock.READ])
        ),
    )


def _moment(entry: JournalEntry, zone: ZoneInfo) -> datetime:
    return journal_json_and_chain.read_moment(entry.data["ends_at"]).astimezone(zone)


BEFORE = (
    "equipment_checked", "balls_called", "ball_set_inspected", *equipment_queries.REPLACED,
    *equipment_queries.BROKEN,
)  # fmt: skip
SELLER, WITNESS = "seller", "witness"

Done = tuple[str, str, int, datetime, datetime]


def staff_values(session: Session, zone: ZoneInfo) -> tuple[session_values.StaffValues, ...]:
    """Return everybody by the hour of their first act; hours in the hall's time zone."""
    found: dict[str, list[Done]] = defaultdict(list)
    for done in _done(session):
        found[done[0]].append(done)
    known = Person.objects.filter(hall=session.hall, username__in=found)
    names = dict(known.values_list("username", "name"))
    staff = [_person(username, names, told, zone) for username, told in found.items()]
    return tuple(sorted(staff, key=lambda one: (one.first.timestamp(), one.username)))


def _person(
    username: str, names: dict[str, str], told: list[Done], zone: ZoneInfo
) -> session_values.StaffValues:
    return session_values.StaffValues(
        name=names.get(username, username),
        username=username,
        first=min(one[3] for one in told).astimezone(zone),
        last=max(one[4] for one in told).astimezone(zone),
        tasks=tuple(
            session_values.TaskValues(kind, _task(kind), times)
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


def admission_values(session: Session) -> session_values.AdmissionValues | None:
    """Return what the door counted while the session was open, None where it counted nothing."""
    day = admission_queries.in_session(session)
    if not (day.admitted or day.left or day.most or day.refused):
        return None
    return session_values.AdmissionValues(
        admitted=day.admitted,
        left=day.left,
        most=day.most,
        refused=tuple(
            session_values.SentAwayValues(reason, day.refused[reason])
            for reason in REASONS
            if reason in day.refused
        ),
    )


Kind = CashMovement.Kind


def till_values(session: Session, zone: ZoneInfo) -> tuple[TillValues, ...]:
    """Return a session's shifts in their order, hours in the hall's time zone."""
    closings = game_queries.list_entries(session, "shift_closed")
    closed = {entry.data["shift"]: entry for entry in closings}
    shifts = session.shifts.select_related("till", "cashier")
    return tuple(_till(shift, closed.get(shift.number), zone) for shift in shifts)


def _till(shift: Shift, closing: JournalEntry | None, zone: ZoneInfo) -> TillValues:
    sums = dict(shift.movements.values_list("kind").annotate(amount=Sum("amount")))
    expected = sum(sums.values())
    counted = shift.counted or 0
    data = closing.data if closing else {}
    moved = list(shift.movements.filter(kind=Kind.MOVED).select_related("entry__by").order_by("pk"))
    witness = journal_queries.second_persons(
        shift.session.hall, filter(None, [closing, *(each.entry for each in moved)])
    )
    return TillValues(
        name=shift.till.name,
        cashier=shift.cashier.name,
        opening_float=sums.get(Kind.FLOAT, 0),
        sales=sums.get(Kind.SALE, 0) + sums.get(Kind.TAKEN_BACK, 0),
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
        witness=witness(closing) if closing else "",
        unclaimed_paid=-sums.get(Kind.UNCLAIMED, 0),
        unpaid=cards_unpaid(data),
        movements=tuple(
            CashValues(
                at=each.entry.at.astimezone(zone),
                amount=each.amount,
                reason=str(each.entry.data.get("reason") or draws_terms.kind(each.entry.kind)),
                by=game_queries.name_of(each.entry),
                witness=witness(each.entry),
            )
            for each in moved
        ),
    )
