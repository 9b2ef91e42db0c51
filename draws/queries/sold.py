"""What was sold in a game: runs of each issue, what was written off in them, who sold (R40, R61)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, Sum

from bingo.rules.unclaimed import REFUND
from draws.models import Game, Refund, Retirement, UnclaimedItem
from draws.queries import record, witnessed


@dataclass(frozen=True, slots=True)
class WrittenOff:
    """Cards first..last that nobody could buy, why, and before whom if anybody."""

    first: int
    last: int
    reason: str
    witness: str


@dataclass(frozen=True, slots=True)
class SoldRun:
    """The cards of one issue sold in a game, with what is missing among them; `face` in minor units."""

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
    """What one seller sold at one till; `seller` is empty for what the cashier sold."""

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
    """Give the run sold of each issue, the issue sold first at the head (R40 a)."""
    found = record.ranges(game)
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
            missing=tuple(
                gone
                for issue, gone in missing
                if issue == run["issue"] and run["first"] < gone.first < run["last"]
            ),
        )
        for run in found
    )


def _written_off(game: Game, issues: list[int]) -> list[tuple[int, WrittenOff]]:
    retired = Retirement.objects.filter(issue__in=issues).select_related("entry").order_by("first")
    listed = list(retired)
    told = [each.entry.data["witness"] for each in listed if "witness" in each.entry.data]
    people = witnessed.names(game.session.hall, told) if told else {}
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
    """Give who sold how much, till by till; nothing where only cashiers sold."""
    by = record.sold_in(game).order_by().values("shift__till__name", "seller__name")
    summed = by.annotate(cards=Sum(F("last") - F("first") + 1), paid=Sum("amount"))
    found = [
        SoldBy(each["shift__till__name"], each["seller__name"] or "", each["cards"], each["paid"])
        for each in summed.order_by("shift__till__name", F("seller__name").asc(nulls_first=True))
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
