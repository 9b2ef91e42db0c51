"""The sessions of some days, a page at a time, each with what an inspector asks of it first.

A page begins where the one before ended, by the session's number, and figures are added up for its
own sessions alone: years of sessions cost no more than one week of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet, Sum

from draws.models import Acta, Game, RectifiedActa
from draws.queries.record import collected_of
from halls.models import Hall, JournalEntry, Session
from halls.models.journal import INCIDENTS, OF_AN_ACTA

PER_PAGE = 50
OPEN, CLOSED, SEALED = "open", "closed", "sealed"
REMARKED, ACKNOWLEDGED, RECTIFIED = "remarked", "acknowledged", "rectified"


@dataclass(frozen=True, slots=True)
class Held:
    """A session: how it stands, what it came to in minor units, and how much was out of the ordinary.

    `state` is one of OPEN, CLOSED, SEALED, RECTIFIED where another acta corrects the first,
    ACKNOWLEDGED of its newest acta, or REMARKED while a remark of the regulator waits for its
    answer; `rectified` are the numbers of the sealed actas that rectify it.
    """

    session: Session
    state: str
    games: int
    cards: int
    gross: int
    incidents: int
    rectified: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Period:
    """A page of sessions, newest first; `newer` and `older`: where the next pages begin, if any."""

    held: tuple[Held, ...]
    newer: int | None
    older: int | None


def sessions(
    hall: Hall,
    *,
    begins: date | None = None,
    ends: date | None = None,
    before: int | None = None,
    after: int | None = None,
    per_page: int = PER_PAGE,
) -> Period:
    """Give sessions opened on the days `begins` to `ends`, both counted, in the hall's own time.

    Those numbered below `before`, or else above `after`, nearest first.
    """
    found = _of_days(hall, begins, ends)
    if before is None and after is not None:
        page = list(found.filter(number__gt=after).order_by("number")[: per_page + 1])
        further, page = len(page) > per_page, page[:per_page][::-1]
        newer, older = further, bool(page)
    else:
        wanted = found if before is None else found.filter(number__lt=before)
        page = list(wanted.order_by("-number")[: per_page + 1])
        newer, older = before is not None and bool(page), len(page) > per_page
        page = page[:per_page]
    return Period(
        held=_held(page),
        newer=page[0].number if newer and page else None,
        older=page[-1].number if older and page else None,
    )


def _of_days(hall: Hall, begins: date | None, ends: date | None) -> QuerySet[Session]:
    """Give a hall's sessions between the first and the last number that those days have."""
    found = Session.objects.filter(hall=hall).select_related("opened_by").defer("state")
    by_day = Session.objects.filter(hall=hall).order_by("opened_at")
    if begins is not None:
        first = by_day.filter(opened_at__gte=midnight(hall, begins)).first()
        found = found.filter(number__gte=first.number) if first else found.none()
    if ends is not None and ends < date.max:
        last = by_day.filter(opened_at__lt=midnight(hall, ends + timedelta(days=1))).last()
        found = found.filter(number__lte=last.number) if last else found.none()
    return found


def midnight(hall: Hall, day: date) -> datetime:
    """Give the moment at which a day begins in the hall."""
    return datetime.combine(day, time(), tzinfo=ZoneInfo(hall.time_zone))


def _held(page: Sequence[Session]) -> tuple[Held, ...]:
    keys = [session.pk for session in page]
    games = Game.objects.filter(session__in=keys).values("session").order_by()
    # Double cards were sold with the first of their two games (R15, R61 d).
    sold = Sum("cards", filter=Q(first_half__isnull=True), default=0)
    figures = {
        one["session"]: one
        for one in games.annotate(n=Count("pk"), cards=sold, gross=Sum(collected_of()))
    }
    sealed = dict(Acta.objects.filter(session__in=keys).values_list("session", "digest"))
    after = _rectified(keys)
    incidents = dict(
        JournalEntry.objects.filter(session__in=keys, kind__in=INCIDENTS)
        .order_by()
        .values_list("session")
        .annotate(n=Count("pk"))
    )
    told = _told(keys)
    nothing = {"n": 0, "cards": 0, "gross": 0}
    return tuple(
        Held(
            session=session,
            state=_state(
                session,
                sealed.get(session.pk),
                after.get(session.pk, []),
                told.get(session.pk, []),
            ),
            games=figures.get(session.pk, nothing)["n"],
            cards=figures.get(session.pk, nothing)["cards"] or 0,
            gross=figures.get(session.pk, nothing)["gross"] or 0,
            incidents=incidents.get(session.pk, 0),
            rectified=tuple(number for number, _digest in after.get(session.pk, [])),
        )
        for session in page
    )


def _rectified(keys: Sequence[int]) -> dict[int, list[tuple[int, str]]]:
    """Give number and SHA-256 of the actas that rectify those of sessions, in order."""
    rows = RectifiedActa.objects.filter(rectification__session__in=keys)
    named = ("rectification__session", "rectification__number", "digest")
    found: dict[int, list[tuple[int, str]]] = {}
    for session, number, digest in rows.order_by("rectification__number").values_list(*named):
        found.setdefault(session, []).append((number, digest))
    return found


def _told(keys: Sequence[int]) -> dict[int, list[JournalEntry]]:
    """Give what was said of the actas of sessions, in order."""
    entries = JournalEntry.objects.filter(session__in=keys, kind__in=OF_AN_ACTA)
    told: dict[int, list[JournalEntry]] = {}
    for entry in entries.order_by("number"):
        told.setdefault(entry.session_id or 0, []).append(entry)
    return told


def _state(
    session: Session,
    digest: str | None,
    after: Sequence[tuple[int, str]],
    told: Sequence[JournalEntry],
) -> str:
    if session.closed_at is None:
        return OPEN
    if digest is None:
        return CLOSED
    answered = {one.data["remark"] for one in told if one.kind == "remark_answered"}
    if any(one.kind == "acta_remarked" and one.number not in answered for one in told):
        return REMARKED
    # An acknowledgement is of one file: an acta that takes its place has none yet.
    newest = after[-1][1] if after else digest
    if any(one.kind == "acta_acknowledged" and one.data["acta"] == newest for one in told):
        return ACKNOWLEDGED
    return RECTIFIED if after else SEALED
