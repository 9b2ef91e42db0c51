"""The issues that may follow in a game when the first of a price has none left, by the rules (R38)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, Q

from bingo.rules import sales, stock
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Run
from bingo.rules.state import GameState
from bingo.rules.stock import IssueState, Place
from draws.models import Issue
from draws.queries import shelf
from draws.queries.shelf import Counted
from halls.models import Hall

LOOKED_AT = 50  # issues of one series and price that are not sold to the end


@dataclass(frozen=True, slots=True)
class Second:
    """An issue that may follow: `cards` of it, from `first` to `last`, could be sold in the game."""

    issue: Issue
    first: int
    last: int
    cards: int


@dataclass(frozen=True, slots=True)
class Seconds:
    """The issues that may follow; `why_not` tells why none ever could, `unfit` why some may not."""

    ready: tuple[Second, ...] = ()
    why_not: Refusal | None = None
    unfit: tuple[tuple[Issue, Refusal], ...] = ()


def seconds(hall: Hall, game: GameState, face: int) -> Seconds:
    """Give what may follow at a price of the game, in minor units: fresh, in stock, up to s - 1.

    The issue with the lowest identification number comes first.
    """
    runs = game.runs_at(face)
    try:
        _follow(runs, face)
    except Refusal as refusal:
        return Seconds(why_not=refusal)
    ready: list[Second] = []
    unfit: list[tuple[Issue, Refusal]] = []
    for issue in _alike(hall, game, runs[0].issue, face):
        try:
            ready.append(_second(runs, issue))
        except Refusal as refusal:
            unfit.append((issue, refusal))
    return Seconds(tuple(ready), None, tuple(unfit))


def _alike(hall: Hall, game: GameState, first: int, face: int) -> list[Counted]:
    """Give the hall's other issues like the first, the unused ones ahead."""
    on_sale = [run.issue for run in game.runs]
    like = Issue.objects.filter(pk=first).values("series", "double", "symbols")[:1].get()
    alike = Issue.objects.filter(
        ~Q(place=Place.SENT), hall=hall, face=face, last_sold__lt=F("series__size"), **like
    ).exclude(pk__in=on_sale)
    counted = shelf.counted(alike.select_related("series").prefetch_related("retirements"))
    return list(counted.order_by("last_sold", "identification")[:LOOKED_AT])


def _second(runs: tuple[Run, ...], issue: Counted) -> Second:
    """Give what an issue would add. Raises Refusal: what keeps it from following."""
    known = IssueState(
        letter=issue.series.letter,
        identification=issue.identification,
        size=issue.series.size,
        last_sold=issue.last_sold,
        place=Place(issue.place),
        retired=tuple(sorted((one.first, one.last) for one in issue.retirements.all())),
        double=issue.double,
        symbols=issue.symbols,
    )
    stock.may_open(known)
    run = _follow(runs, issue.face, issue.pk, known)
    return Second(issue, run.next, run.limit, run.left)


def _follow(
    runs: tuple[Run, ...], face: int, issue: int = 0, known: IssueState | None = None
) -> Run:
    """Give the run that an issue would be, without one a fresh issue yet to come. Raises Refusal."""
    first = runs[0]
    known = known or IssueState(
        first.letter, identification="", size=first.size, symbols=first.symbols
    )
    return sales.add_second(
        runs,
        issue=issue,
        letter=known.letter,
        identification=known.identification,
        size=known.size,
        last_sold=known.last_sold,
        retired=known.passed_over,
        symbols=known.symbols,
        face=face,
        first_face=face,
    )[-1]
