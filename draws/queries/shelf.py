"""The issues of a hall with what stands of each: sold, retired, left, and its state (R16-R18)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from django.db.models import (
    BooleanField,
    Case,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from bingo.rules.state import Phase
from bingo.rules.stock import Place, State
from draws.models import Game, Issue, Retirement
from halls.models import Hall


class Counts(TypedDict):
    """What `counted` adds to an issue: cards, and the name of its state."""

    sold: int
    retired: int
    left: int
    state: str


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

Counted: TypeAlias = "WithAnnotations[Issue, Counts]"


@dataclass(frozen=True, slots=True)
class Part:
    """Cards first..last of an issue that are sold, retired or left."""

    kind: str
    first: int
    last: int

    @property
    def cards(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def issues(hall: Hall) -> QuerySet[Counted, Counted]:
    """Give a hall's issues, counted, the newest first."""
    found = Issue.objects.filter(hall=hall).select_related("series", "authorisation")
    return counted(found).order_by("-received_at", "-pk")


def counted(found: QuerySet[Issue]) -> QuerySet[Counted, Counted]:
    """Add to issues the cards `sold`, `retired` and `left`, and their `state`."""
    passed = F("last_sold") - F("retired_among_sold")
    return (
        found.annotate(
            retired=_retired(Q()),
            retired_among_sold=_retired(Q(first__lte=OuterRef("last_sold"))),
            playing=_playing(),
        )
        .annotate(sold=_whole(passed))
        .annotate(left=_whole(F("series__size") - F("sold") - F("retired")))
        .annotate(state=_state())
    )


def _retired(among: Q) -> Any:
    of_issue = Retirement.objects.filter(among, issue=OuterRef("pk")).order_by().values("issue")
    cards = of_issue.annotate(cards=Sum(F("last") - F("first") + 1)).values("cards")
    return Coalesce(Subquery(cards, output_field=IntegerField()), 0)


def _playing() -> Any:
    begun = Game.objects.exclude(phase=Phase.COMPLETE)
    first, second = Q(issue=OuterRef("pk")), Q(further=OuterRef("pk"))
    either = Exists(begun.filter(first)) | Exists(begun.filter(second))
    return ExpressionWrapper(either, output_field=BooleanField())


def _whole(expression: Any) -> Any:
    return ExpressionWrapper(expression, output_field=IntegerField())


def _state() -> Any:
    """The state as `bingo.rules.stock` tells it; told here so that the database can sort by it."""
    return Case(
        When(place=Place.RECEIVED, then=Value(State.RECEIVED.value)),
        When(place=Place.WITHDRAWN, then=Value(State.WITHDRAWN.value)),
        When(place=Place.SENT, then=Value(State.SENT.value)),
        When(playing=True, then=Value(State.ON_SALE.value)),
        When(left=0, then=Value(State.EXHAUSTED.value)),
        default=Value(State.IN_STOCK.value),
    )


def parts(issue: Issue, retired: Iterable[tuple[int, int]]) -> list[Part]:
    """Cut an issue into its parts in order; `retired` are its ranges (first, last) in order."""
    found: list[Part] = []
    reached = 0
    for first, last in retired:
        found += _between(reached, first - 1, issue.last_sold)
        found.append(Part("retired", first, last))
        reached = last
    return found + _between(reached, issue.series.size, issue.last_sold)


def _between(before: int, last: int, last_sold: int) -> list[Part]:
    """Cut the cards after `before` up to `last` where the sold ones end."""
    sold = Part("sold", before + 1, min(last, last_sold))
    left = Part("left", max(before, last_sold) + 1, last)
    return [part for part in (sold, left) if part.cards > 0]
