"""Read a game's sale: what is on sale, runs sold, sellers, write-offs, pace (R36, R38, R40, R61).

What is on sale is told issue by issue: sold, left, with the sellers, come back (R36, R38). The
curve is how many cards were sold moment by moment, as the bars of a small picture; the pace says
how fast cards are sold just now, and when those of the game run out. The chart of an evening shows
what was sold, what players got, the margin and each till's cash, at the moments at which cash moved
in a drawer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Max, Sum

from bingo import charts
from bingo.charts import Line
from bingo.rules import sale_order as rules_sales
from bingo.rules.sale_order import Run, Stretches
from bingo.rules.session_state import GameState, Phase
from bingo.rules.unclaimed import REFUND
from draws.games import queries as games_queries
from draws.games.queries import HallState
from draws.models import Game, Refund, Retirement, Sale, UnclaimedItem
from halls.journal import queries as journal_queries
from halls.models import CashMovement, Hall, JournalEntry, Person, Session


@dataclass(frozen=True, slots=True)
class WrittenOff:
    """Cards first..last that nobody could buy, why, and before whom if anybody."""

    first: int
    last: int
    reason: str
    witness: str


@dataclass(frozen=True, slots=True)
class SoldRun:
    """The cards of one issue sold in a game; `face` in minor units.

    What is `missing` was written off among them, or since the card sold before them.
    """

    issue: int
    letter: str
    identification: str
    face: int
    first: int
    last: int
    cards: int
    missing: tuple[WrittenOff, ...]

    @property
    def name(self) -> str:
        """How people call the issue."""
        return f"{self.letter} {self.identification}"


@dataclass(frozen=True, slots=True)
class SoldBy:
    """What one seller sold at one till; `seller` is empty for what the cashier sold.

    Sellers of one name have their logins beside it.
    """

    till: str
    seller: str
    cards: int
    amount: int


@dataclass(frozen=True, slots=True)
class RefundedAt:
    """What one till gave back of a void game, or without a till what was set aside of it."""

    till: str
    cards: int
    amount: int


def runs(game: Game) -> tuple[SoldRun, ...]:
    """Return the run sold of each issue, the issue sold first at the head (R40 a)."""
    found = games_queries.ranges(game)
    missing = _written_off(game, [run["issue"] for run in found])
    return tuple(
        SoldRun(
            issue=run["issue"],
            letter=run["issue__series__letter"],
            identification=run["issue__identification"],
            face=run["issue__face"],
            first=run["first"],
            last=run["last"],
            cards=run["cards"],
            missing=_passed_over(run, missing),
        )
        for run in found
    )


def _passed_over(
    run: Mapping[str, Any], missing: Iterable[tuple[int, WrittenOff]]
) -> tuple[WrittenOff, ...]:
    """Return what was written off between the card sold before the run and the run's last."""
    sold = Sale.objects.filter(issue=run["issue"], last__lt=run["first"])
    before = sold.aggregate(last=Max("last"))["last"] or 0
    return tuple(
        gone
        for issue, gone in missing
        if issue == run["issue"] and before < gone.first < run["last"]
    )


def _written_off(game: Game, issues: list[int]) -> list[tuple[int, WrittenOff]]:
    retired = Retirement.objects.filter(issue__in=issues).select_related("entry").order_by("first")
    listed = list(retired)
    told = [each.entry.data["witness"] for each in listed if "witness" in each.entry.data]
    people = journal_queries.names(game.session.hall, told) if told else {}
    return [
        (
            each.issue_id,
            WrittenOff(
                each.first,
                each.last,
                each.reason,
                people.get(each.entry.data.get("witness", ""), each.entry.data.get("witness", "")),
            ),
        )
        for each in listed
    ]


def sellers(game: Game) -> tuple[SoldBy, ...]:
    """Return who sold how much, till by till; nothing where only cashiers sold."""
    named = ("shift__till__name", "seller__name", "seller__username")
    by = games_queries.sold_in(game).order_by().values(*named)
    summed = by.annotate(cards=Sum(F("last") - F("first") + 1), paid=Sum("amount"))
    ordered = summed.order_by(named[0], *(F(one).asc(nulls_first=True) for one in named[1:]))
    rows = list(ordered.values_list(*named, "cards", "paid"))
    names = Counter(name for name, _username in {(row[1], row[2]) for row in rows})
    found = [
        SoldBy(till, f"{name} ({username})" if names[name] > 1 else name or "", cards, paid)
        for till, name, username, cards, paid in rows
    ]
    return tuple(found) if any(each.seller for each in found) else ()


def refunds(game: Game) -> tuple[RefundedAt, ...]:
    """Return what each till gave back of a void game, then without a till what was set aside (R55-R57)."""
    by = Refund.objects.filter(game=game).values("shift__till__name")
    cards = F("last") - F("first") + 1
    summed = by.annotate(cards=Sum(cards), paid=Sum("amount"))
    given = [
        RefundedAt(each["shift__till__name"], each["cards"], each["paid"])
        for each in summed.order_by("shift__till__name")
    ]
    aside = UnclaimedItem.objects.filter(game=game, owed=REFUND).aggregate(
        cards=Sum(cards), owed=Sum(F("price") * cards)
    )
    if aside["cards"]:
        given.append(RefundedAt("", aside["cards"], aside["owed"]))
    return tuple(given)


def was_sold(game: Game, issue: int, card: int) -> bool:
    """Return whether a card was sold in a game."""
    found = games_queries.sold_in(game).filter(issue=issue, first__lte=card, last__gte=card)
    return found.exists()


@dataclass(frozen=True, slots=True)
class SellerRange:
    """Cards first..last in the hands of a floor seller, called by name."""

    seller: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Stack:
    """One issue on sale; `price` of a card in minor units, of a double one for both games."""

    name: str
    price: int
    sold: int
    left: int
    next: int | None
    out: tuple[SellerRange, ...]
    back: Stretches

    @property
    def handed_out(self) -> int:
        """How many cards sellers have in hand."""
        return rules_sales.count_range((held.first, held.last) for held in self.out)


def stacks(now: HallState) -> list[Stack]:
    """Return the issues of the game in the order of their prices, the one sold first at the head."""
    game = now.game_state
    if game is None:
        return []
    names = _names(now.hall, game)
    return [_stack(game, run, names) for face in game.prices for run in game.runs_at(face)]


def _stack(game: GameState, run: Run, names: dict[str, str]) -> Stack:
    return Stack(
        name=f"{run.letter} {run.identification}",
        price=game.costs(game.price(run)),
        sold=run.sold,
        left=run.left,
        next=run.upcoming,
        out=tuple(
            SellerRange(names.get(block.seller, block.seller), block.first, block.last)
            for block in run.out
        ),
        back=run.back,
    )


def _names(hall: Hall, game: GameState) -> dict[str, str]:
    usernames = {block.seller for run in game.runs for block in run.out}
    if not usernames:
        return {}
    known = Person.objects.filter(hall=hall, username__in=usernames)
    return dict(known.values_list("username", "name"))


STEP = 30  # seconds
BARS = 40

Moments = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class SalesCurve:
    """Cards sold in each `step` seconds, the oldest first; empty where nothing was sold."""

    step: int = STEP
    counts: tuple[int, ...] = ()


def curve(sold: Moments, *, within: Iterable[int] | None = None, bars: int = BARS) -> SalesCurve:
    """Return the curve of cards sold by the number of their moment, each STEP seconds long.

    It reaches from the first to the last moment of `within`, those sold in themselves when None;
    when they are more than `bars`, several moments make one bar.
    """
    reached = list(sold if within is None else within)
    if not reached or not sold:
        return SalesCurve()
    first, last = min(reached), max(reached)
    moments = last - first + 1
    merged = -(-moments // bars)
    counts = [0] * -(-moments // merged)
    for moment, cards in sold.items():
        counts[(moment - first) // merged] += cards
    return SalesCurve(STEP * merged, tuple(counts))


def total(parts: Iterable[Moments]) -> dict[int, int]:
    """Add moments up."""
    added: dict[int, int] = {}
    for part in parts:
        for moment, cards in part.items():
            added[moment] = added.get(moment, 0) + cards
    return added


WINDOW = 180  # seconds; a shorter one jumps with every customer


@dataclass(frozen=True, slots=True)
class Pace:
    """Cards `left` to this game, cards sold `per_minute`, and when the last one goes at that pace."""

    left: int
    per_minute: float
    runs_out: datetime | None

    def lasts(self, at: datetime) -> int | None:
        """Return the seconds that the cards last, None while nothing is sold."""
        return None if self.runs_out is None else int((self.runs_out - at).total_seconds())


def pace(game: GameState, sold: Moments, *, since: datetime, at: datetime) -> Pace | None:
    """Return the pace of a sale that goes on, None of any other.

    `sold` holds cards by moments of STEP seconds `since` a time; the last WINDOW seconds count and
    the moment that they began in, or only what there is since the first sale.
    """
    if game.phase != Phase.SELLING:
        return None
    left = sum(run.left for run in game.runs)
    reached = (at - since).total_seconds()
    begun = max(min(sold, default=0), int(reached) // STEP - WINDOW // STEP)
    cards = sum(count for moment, count in sold.items() if moment >= begun)
    if not cards:
        return Pace(left, 0.0, None)
    per_second = cards / max(float(STEP), reached - begun * STEP)
    return Pace(left, per_second * 60, at + timedelta(seconds=left / per_second))


SLOTS = 120  # moments drawn, however long the evening
ROWS = 12  # moments told in the table, after the first
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
    moved = list(
        found.values_list("entry__number", "entry__at", "kind", "amount", "shift__till__name")
    )
    if not any(kind in SALES for _number, _at, kind, _amount, _till in moved):
        return None
    names = list(dict.fromkeys(till for *_rest, till in moved))
    # What is counted at the end of a shift leaves the drawer, in the order of the journal: under a
    # clock that was set back many entries have one time.
    closings = JournalEntry.objects.filter(session=session, kind="shift_closed")
    closed = closings.values_list("number", "at", "data__till")
    counted = [(number, at, COUNTED, 0, till) for number, at, till in closed]
    in_order = [entry[1:] for entry in sorted([*moved, *counted])]
    until = session.closed_at or max(at, in_order[-1][0])
    moments = _slots(in_order, names, session.opened_at, until)
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
        rows=tuple(moments[:: (1 - len(moments)) // ROWS][::-1]),
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
