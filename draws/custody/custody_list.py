"""List the cards in custody: what may be destroyed today, what waits, what a case holds (R51, R52).

Also the record of cards destroyed or handed over, read from its journal entry.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby, islice
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum

from bingo.rules import custody, rulebooks
from bingo.rules.custody import Card, Holder
from bingo.rules.custody import KeptCard as custody_KeptCard
from bingo.rules.unclaimed import PRIZE
from draws.complaints import services as complaints_services
from draws.custody import queries
from draws.custody.documents import CustodyRecord, RecordedCard
from draws.models import (
    Acta,
    Case,
    Game,
    Issue,
    Payment,
    Prize,
    UnclaimedItem,
    UnclaimedSettlement,
    UsedDestruction,
)
from halls.journal import queries as journal_queries
from halls.models import Hall, JournalEntry, Session

LISTED = 1500  # cards; eight busy days have fewer, and the oldest come first
SESSIONS = 2  # the newest, of which what was noted is shown too
OLDER = 50  # games; those that wait longest come first, and the next when they are noted


@dataclass(frozen=True, slots=True)
class KeptCard:
    """A card that lies there; `amount` as the player received it, None for a used card.

    `first` is the day from which it may be destroyed unless `case` or an open `complaint` holds it.
    """

    kept: custody_KeptCard
    issue: str
    amount: int | None
    first: date
    case: int | None
    complaint: Holder | None = None

    @property
    def name(self) -> str:
        """How a form names the card."""
        return f"{self.kept.issue}-{self.kept.card}"


@dataclass(frozen=True, slots=True)
class CaseCards:
    """An open case, the cards it holds, and whether their acta is sealed."""

    case: Case
    rows: list[KeptCard]
    sealed: bool

    @property
    def form(self) -> str:
        """Name the form that hands its cards over."""
        return f"hand-over-{self.case.number}"


@dataclass(frozen=True, slots=True)
class CustodyList:
    """What lies there: `due` today, `waiting` by the day it may be destroyed from, `held`.

    `cards` lie there in all; `more` may be destroyed today beside those that one record holds.
    """

    due: list[KeptCard]
    waiting: list[tuple[date, list[KeptCard]]]
    held: list[CaseCards]
    cards: int
    more: int


@dataclass(frozen=True, slots=True)
class Used:
    """A game that is over, and how many used cards it left; `done` where their destruction is noted.

    `collected` is what floor assistants say they have collected of them.
    """

    game: Game
    left: int
    done: UsedDestruction | None
    collected: int = 0


def list_kept_cards(hall: Hall, *, at: datetime) -> CustodyList:
    """Return what lies on a hall's shelf, the longest kept first."""
    today = hall.day(at)
    rows = _rows(hall)
    free = [row for row in rows if row.case is None]
    open_session = Session.objects.filter(hall=hall, closed_at__isnull=True).first()
    now = open_session.number if open_session else None
    loose = [row for row in free if row.complaint is None]
    due = [row for row in loose if row.first <= today and row.kept.session != now]
    named = {row.name for row in due}
    later = sorted((row for row in free if row.name not in named), key=lambda row: row.first)
    waiting = [(day, list(group)) for day, group in groupby(later, key=lambda row: row.first)]
    cards = queries.paid(hall).count() + queries.aside(hall).count()
    cards += queries.paid_later(hall).count()
    more = len(due[custody.MOST_AT_ONCE :])
    return CustodyList(due[: custody.MOST_AT_ONCE], waiting, _held(hall, rows), cards, more)


def issues(hall: Hall) -> list[Issue]:
    """Return the issues of which cards lie on the shelf, by their names."""
    named = {issue.pk: issue for issue in map(issue_of, queries.lying(hall, most=LISTED))}
    return sorted(named.values(), key=str)


def lost(hall: Hall) -> QuerySet[JournalEntry]:
    """Return the entries that tell of kept cards that are lost, the newest first."""
    found = JournalEntry.objects.filter(hall=hall, kind="kept_card_lost")
    return found.select_related("by").order_by("-number")


def due_today(hall: Hall, *, at: datetime) -> int:
    """Count the cards that may be destroyed today."""
    on = hall.day(at)
    found = (queries.due(hall, on=on), queries.later_due(hall, on=on), queries.aside_due(hall))
    return sum(one.count() for one in found)


def _rows(hall: Hall) -> list[KeptCard]:
    found = queries.lying(hall, most=LISTED)
    cases, days = queries.cases(hall), queries.days(hall)
    held = complaints_services.cards_of_open_complaints(hall)
    later = queries.all_paid_later(hall)
    sums = amounts((queries.card_of(one) for one in found), later)
    listed = []
    for one in found:
        kept = queries.kept(hall, one)
        case = custody.holding(kept, cases)
        first = custody.free_from(kept, days=days)
        number, held_by = case.number if case else None, held.get(kept.key)
        name, amount = str(issue_of(one)), sums.get(kept.key)
        listed.append(KeptCard(kept, name, amount, first, number, held_by))
    return listed


def issue_of(row: queries.Shelved) -> Issue:
    """Return the issue of a card on the shelf."""
    return row.item.issue if isinstance(row, UnclaimedSettlement) else row.issue


def amounts(cards: Iterable[Card], later: QuerySet[UnclaimedSettlement]) -> dict[Card, int]:
    """Return what players received for cards in their games and `later`, minor units.

    A double card may have been paid twice.
    """
    asked = set(cards)
    named = Q(issue__in={issue for issue, _ in asked}, card__in={card for _, card in asked})
    summed = Payment.objects.filter(named).order_by().values("issue", "card")
    sums = {(one["issue"], one["card"]): one["sum"] for one in summed.annotate(sum=Sum("amount"))}
    of_item = Q(
        item__issue__in={issue for issue, _ in asked}, first__in={card for _, card in asked}
    )
    for settled in later.filter(of_item):
        card = queries.card_of(settled)
        sums[card] = sums.get(card, 0) + settled.amount
    return sums


def _held(hall: Hall, rows: Collection[KeptCard]) -> list[CaseCards]:
    found = Case.objects.filter(hall=hall, closed_at__isnull=True)
    listed = list(found.select_related(*queries.GAME, "entry__by").order_by("number"))
    sessions = [one.game.session_id for one in listed]
    sealed = set(Acta.objects.filter(session__in=sessions).values_list("session", flat=True))
    return [
        CaseCards(one, [row for row in rows if _of(row, one)], one.game.session_id in sealed)
        for one in listed
    ]


def _of(row: KeptCard, case: Case) -> bool:
    """Return whether a card is of a case's game; several cases may hold it."""
    return custody.holding(row.kept, [queries.case_state(case)]) is not None


def closed_cases(hall: Hall) -> QuerySet[Case]:
    """Return the cases that are over, the newest first."""
    found = Case.objects.filter(hall=hall, closed_at__isnull=False)
    return found.select_related("game__session").order_by("-closed_at")


def used(hall: Hall) -> list[Used]:
    """Return the games whose used cards are to be destroyed, the newest first (R51).

    However old they are: a complaint may have held the cards for long. Of the newest sessions also
    those whose used cards are destroyed.
    """
    over = queries.over(hall).select_related("used_destruction")
    newest = Session.objects.filter(hall=hall).order_by("-number").values("number")[:SESSIONS]
    of_newest = Q(session__number__in=newest)
    older = over.filter(~of_newest, used_destruction__isnull=True).order_by("pk")
    waiting = (one for one in map(_used, older.iterator(OLDER)) if one.left)
    recent = [one for one in map(_used, over.filter(of_newest)) if one.left or one.done]
    return sorted([*islice(waiting, OLDER), *recent], key=lambda one: -one.game.pk)


def _used(game: Game) -> Used:
    collected = sum(one.cards for one in custody.newest(queries.collected(game)))
    return Used(game, queries.used(game), getattr(game, "used_destruction", None), collected)


def unpaid(hall: Hall) -> list[dict[str, Any]]:
    """Return the winning cards that players still have: session, game, issue, card and what is due."""
    same = Q(issue=OuterRef("issue"), card=OuterRef("card"))
    of_game = Q(game=OuterRef("game")) | Q(game__first_half=OuterRef("game"))
    paid = Exists(Payment.objects.filter(same, of_game))
    set_aside = Exists(
        UnclaimedItem.objects.filter(
            of_game, owed=PRIZE, issue=OuterRef("issue"), first=OuterRef("card")
        )
    )
    open_ones = Prize.objects.filter(~paid, ~set_aside, game__session__hall=hall)
    by = open_ones.filter(game__session__closed_at__isnull=True).order_by().values(
        "game__session__number", "game__number", "issue__series__letter",
        "issue__identification", "card",
    )  # fmt: skip
    summed = by.annotate(due=Sum(F("amount") - F("tax") - F("left_over")))
    return [dict(one) for one in summed.order_by("game__number", "issue", "card")]


KINDS = ("winning_cards_destroyed", "evidence_handed_over")


def entries(hall: Hall) -> QuerySet[JournalEntry]:
    """Return what was written down of cards that left the shelf, the newest first."""
    found = JournalEntry.objects.filter(hall=hall, kind__in=KINDS)
    return found.select_related("by", "hall").order_by("-number")


def get_custody_record(entry: JournalEntry) -> CustodyRecord:
    """Return what such an entry says, hours in the hall's time zone."""
    hall, data = entry.hall, entry.data
    case = Case.objects.filter(hall=hall, number=data["case"]).first() if "case" in data else None
    witness = data.get("witness", "")
    return CustodyRecord(
        **hall.letterhead,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        by=entry.by.name if entry.by else "",
        days=queries.days(hall),
        evidence_rule=rulebooks.get(hall.rulebook).evidence_rule,
        witness=journal_queries.names(hall, [witness]).get(witness, witness),
        to=data.get("to", ""),
        case=case.number if case else None,
        reference=case.reference if case else "",
        acta=data.get("acta", ""),
        acta_session=data.get("session"),
        cards=_cards(hall, data["cards"]),
        entry=entry.number,
        digest=entry.digest,
    )


def _cards(hall: Hall, told: list[Mapping[str, Any]]) -> tuple[RecordedCard, ...]:
    keys = {one["issue"] for one in told}
    issues = Issue.objects.select_related("series").in_bulk(keys)
    paid = amounts(((one["issue"], one["card"]) for one in told), queries.all_paid_later(hall))
    return tuple(
        RecordedCard(
            day=date.fromisoformat(one["day"]),
            session=one["session"],
            game=one["game"],
            issue=str(issues[one["issue"]]),
            card=one["card"],
            paid=date.fromisoformat(one["paid"]) if "paid" in one else None,
            amount=paid.get((one["issue"], one["card"])),
        )
        for one in told
    )
