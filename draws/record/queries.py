"""Read sessions and search the journal by card, amount, person, kind or words, newest first.

The sessions of some days come a page at a time, each with what an inspector asks of it first.

A page begins where the one before ended, by the session's number, and figures are added up for its
own sessions alone: years of sessions cost no more than one week of them. A month is also a chart:
what each day collected, and on which days something happened.

Each search goes along an index from the newest entry back and stops when it has enough, so that a
million entries cost no more than a thousand. `before` is where the page before ended: a mark of
the same search, of no meaning elsewhere.
"""

from __future__ import annotations

from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.postgres.fields import IntegerRangeField
from django.db.models import Count, ExpressionWrapper, Q, QuerySet, Sum

from bingo import charts
from bingo.charts import Bar
from draws import models
from draws.games.queries import collected_of
from draws.models.cards import issue_cards
from halls.models import CashMovement, Hall, JournalEntry, Person, Session
from halls.models.journal import INCIDENTS, OF_AN_ACTA

PER_PAGE = 50
OPEN, CLOSED, SEALED = "open", "closed", "sealed"
REMARKED, ACKNOWLEDGED, RECTIFIED = "remarked", "acknowledged", "rectified"


@dataclass(frozen=True, slots=True)
class SessionSummary:
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
class SessionPage:
    """A page of sessions, newest first; `newer` and `older`: where the next pages begin, if any."""

    held: tuple[SessionSummary, ...]
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
) -> SessionPage:
    """Return sessions opened on the days `begins` to `ends`, both counted, in the hall's own time.

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
    return SessionPage(
        held=_held(page),
        newer=page[0].number if newer and page else None,
        older=page[-1].number if older and page else None,
    )


def _of_days(hall: Hall, begins: date | None, ends: date | None) -> QuerySet[Session]:
    """Return a hall's sessions between the first and the last number that those days have."""
    found = Session.objects.filter(hall=hall).select_related("opened_by").defer("state")
    by_day = Session.objects.filter(hall=hall).order_by("opened_at")
    if begins is not None:
        first = by_day.filter(opened_at__gte=hall.begins(begins)).first()
        found = found.filter(number__gte=first.number) if first else found.none()
    if ends is not None:
        last = by_day.filter(opened_at__lt=hall.ends(ends)).last()
        found = found.filter(number__lte=last.number) if last else found.none()
    return found


def _held(page: Sequence[Session]) -> tuple[SessionSummary, ...]:
    keys = [session.pk for session in page]
    games = models.Game.objects.filter(session__in=keys).values("session").order_by()
    # Double cards were sold with the first of their two games (R15, R61 d).
    sold = Sum("cards", filter=Q(first_half__isnull=True), default=0)
    figures = {
        one["session"]: one
        for one in games.annotate(n=Count("pk"), cards=sold, gross=Sum(collected_of()))
    }
    sealed = dict(models.Acta.objects.filter(session__in=keys).values_list("session", "digest"))
    after = _rectified(keys)
    incidents = dict(
        JournalEntry.objects.filter(session__in=keys, kind__in=INCIDENTS)
        .order_by()
        .values_list("session")
        .annotate(n=Count("pk"))
    )
    told = _acta_entries(keys)

    def summary(session: Session) -> SessionSummary:
        key, figure = session.pk, figures.get(session.pk, {"n": 0, "cards": 0, "gross": 0})
        return SessionSummary(
            session=session,
            state=_state(session, sealed.get(key), after[key], told[key]),
            games=figure["n"],
            cards=figure["cards"] or 0,
            gross=figure["gross"] or 0,
            incidents=incidents.get(key, 0),
            rectified=tuple(number for number, _digest in after[key]),
        )

    return tuple(summary(session) for session in page)


def _rectified(keys: Sequence[int]) -> dict[int, list[tuple[int, str]]]:
    """Return number and SHA-256 of the actas that rectify those of sessions, in order."""
    rows = models.RectifiedActa.objects.filter(rectification__session__in=keys)
    named = ("rectification__session", "rectification__number", "digest")
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for session, number, digest in rows.order_by("rectification__number").values_list(*named):
        found[session].append((number, digest))
    return found


def _acta_entries(keys: Sequence[int]) -> dict[int, list[JournalEntry]]:
    """Return what was said of the actas of sessions, in order."""
    entries = JournalEntry.objects.filter(session__in=keys, kind__in=OF_AN_ACTA)
    told: dict[int, list[JournalEntry]] = defaultdict(list)
    for entry in entries.order_by("number"):
        told[entry.session_id or 0].append(entry)
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


PEOPLE = 5  # of whom the entries are shown; more are found by a longer part of the name
RANGE = ExpressionWrapper(issue_cards(), output_field=IntegerRangeField())
NOTED = "note_recorded"


@dataclass(frozen=True, slots=True)
class Hits:
    """Entries, the newest first; `older` is where the next ones begin, None where there are none."""

    entries: tuple[JournalEntry, ...] = ()
    older: int | None = None


def of_card(
    hall: Hall, number: int, issues: Sequence[int] | None, most: int, before: int | None
) -> Hits:
    """Return where a card was sold, checked, paid, refunded or complained of.

    Also where its money was set aside, paid later, or past its period (R60), and its complaint decided.
    A card of those `issues`, or where that is None of whatever issue of the hall.
    """
    ours: dict[str, Any] = {"issue__hall": hall} if issues is None else {"issue__in": issues}
    one = ours | {"card": number}
    # Of few issues the index of their cards finds a range; of all, the newest sales are gone through.
    held = {"first__lte": number, "last__gte": number}
    within = held if issues is None else {"cards__contains": number}
    many = ours | within
    settled = within | {f"item__{name}": value for name, value in ours.items()}
    rows: list[QuerySet[Any]] = [
        models.Sale.objects.alias(cards=RANGE).filter(**many),
        models.Refund.objects.alias(cards=RANGE).filter(**many),
        models.ClaimCheck.objects.filter(**one),
        models.Payment.objects.filter(**one),
        models.UnclaimedItem.objects.alias(cards=RANGE).filter(**many),
        models.UnclaimedSettlement.objects.alias(cards=RANGE).filter(**settled),
        models.Complaint.objects.filter(**one),
    ]
    decided = _entries_of(hall, rows[-1:], most, before, named="decided_by")
    told = _of_kinds(hall, [NOTED], before).filter(data__card=number)
    if issues is not None:
        told = told.filter(data__issue__in=list(issues))
    return _page([*_entries_of(hall, rows, most, before), *decided, *told[: most + 1]], most)


def _entries_of(
    hall: Hall,
    rows: Iterable[QuerySet[Any]],
    most: int,
    before: int | None,
    *,
    named: str = "entry",
) -> Iterator[JournalEntry]:
    """Return the newest entries that rows name, such as those they were written with.

    Keys of entries grow as their numbers do.
    """
    until = None
    if before is not None:
        older = JournalEntry.objects.filter(hall=hall, number__lt=before)
        until = older.order_by("-number").values_list("pk", flat=True).first() or 0
    for found in rows:
        wanted = found if until is None else found.filter(**{f"{named}__lte": until})
        wanted = wanted.filter(**{f"{named}__isnull": False}).order_by(f"-{named}_id")
        newest = list(wanted.values_list(named, flat=True)[: most + 1])
        yield from _with_names(JournalEntry.objects.filter(pk__in=newest))


def has_card(hall: Hall, number: int) -> bool:
    """Return whether an issue of the hall has such a card."""
    return models.Issue.objects.filter(hall=hall, series__size__gte=number).exists()


def issues_of(hall: Hall, *, card: int, named: str, letter: str = "") -> list[int]:
    """Return the keys of the hall's issues of that identification which have such a card.

    A `letter` before it is the series', or the identification's own beginning: "2026 1".
    """
    meant = Q(identification__iexact=f"{letter} {named}".strip())
    if letter:
        meant |= Q(identification__iexact=named, series__letter__iexact=letter)
    found = models.Issue.objects.filter(meant, hall=hall, series__size__gte=card)
    return list(found.values_list("pk", flat=True))


def of_amount(hall: Hall, amount: int, most: int, before: int | None) -> Hits:
    """Return what moved this much cash in or out of a drawer, in minor units."""
    moved: list[tuple[int, int]] = []
    for signed in {amount, -amount}:
        found = CashMovement.objects.filter(amount=signed, shift__session__hall=hall)
        if before is not None:
            found = found.filter(pk__lt=before)
        moved += found.order_by("-pk").values_list("pk", "entry")[: most + 1]
    newest = sorted(moved, reverse=True)
    kept = newest[:most]
    entries = _with_names(JournalEntry.objects.filter(pk__in=[entry for _pk, entry in kept]))
    older = kept[-1][0] if len(newest) > most else None
    return Hits(tuple(sorted(entries, key=lambda entry: -entry.number)), older)


def people(hall: Hall, text: str) -> list[Person]:
    """Return the people of a hall whose name or username has these signs in it."""
    named = Q(username__icontains=text) | Q(name__icontains=text)
    return list(Person.objects.filter(named, hall=hall).order_by("name", "pk")[:PEOPLE])


def of_person(hall: Hall, person: Person, most: int, before: int | None) -> Hits:
    """Return what a person did, and what was sold in their name."""
    did = JournalEntry.objects.filter(hall=hall, by=person)
    if before is not None:
        did = did.filter(number__lt=before)
    sold = _entries_of(hall, [models.Sale.objects.filter(seller=person)], most, before)
    return _page([*_with_names(did.order_by("-number")[: most + 1]), *sold], most)


def of_kinds(
    hall: Hall, kinds: Sequence[str], categories: Sequence[str], most: int, before: int | None
) -> Hits:
    """Return entries of these kinds, and notes of these categories."""
    found = [entry for kind in kinds for entry in _of_kinds(hall, [kind], before)[: most + 1]]
    if categories:
        told = _of_kinds(hall, [NOTED], before).filter(data__category__in=list(categories))
        found += told[: most + 1]
    return _page(found, most)


def of_words(hall: Hall, text: str, most: int, before: int | None) -> Hits:
    """Return the notes that have these words in what happened or was decided."""
    said = Q(data__text__icontains=text) | Q(data__decision__icontains=text)
    return _page(_of_kinds(hall, [NOTED], before).filter(said)[: most + 1], most)


def _of_kinds(hall: Hall, kinds: Sequence[str], before: int | None) -> QuerySet[JournalEntry]:
    found = JournalEntry.objects.filter(hall=hall, kind__in=kinds)
    if before is not None:
        found = found.filter(number__lt=before)
    return _with_names(found.order_by("-number"))


def _with_names(found: QuerySet[JournalEntry]) -> QuerySet[JournalEntry]:
    return found.select_related("by", "hall", "session")


def _page(found: Iterable[JournalEntry], most: int) -> Hits:
    """Return the newest of these entries, each once."""
    by_number = {entry.number: entry for entry in found}
    newest = sorted(by_number, reverse=True)
    older = newest[most - 1] if len(newest) > most else None
    return Hits(tuple(by_number[number] for number in newest[:most]), older)


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
    found = sessions(
        hall, begins=day.replace(day=1), ends=day.replace(day=length), per_page=MOST
    ).held
    if not found:
        return None
    return _chart([day.replace(day=each) for each in range(1, length + 1)], found, zone)


def _chart(days: Sequence[date], found: Sequence[SessionSummary], zone: ZoneInfo) -> MonthChart:
    opened: dict[date, list[SessionSummary]] = {day: [] for day in days}
    for one in found:
        opened.setdefault(one.session.opened_at.astimezone(zone).date(), []).append(one)
    gross = [sum(one.gross for one in opened[day]) for day in days]
    highest = max(1, *gross)
    return MonthChart(
        tuple(
            DayOfMonth(day, len(opened[day]), sold, sum(one.incidents for one in opened[day]), bar)
            for day, sold, bar in zip(days, gross, charts.bars(gross, highest), strict=True)
        ),
        highest,
    )
