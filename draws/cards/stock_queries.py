"""Read the stock of cards: issues with counts sold and left, history, arrivals (R3, R15-R19).

Also which colours the issues that can still be sold have: the face's tells the price, the back's
the letter (R18); and which card of a hall a printed code names, wherever the card was printed.
"""

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
    Func,
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

from bingo.rules import cards, sale_order
from bingo.rules.refusal import Refusal
from bingo.rules.series import Colours
from bingo.rules.session_state import Phase
from bingo.rules.stock import BoxPlace, IssueStage, IssueState
from draws.models import Game, Issue, PrintJob, Retirement, Transfer
from halls.models import Hall, JournalEntry

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


def issue_state(issue: Issue) -> IssueState:
    """Return what the rules know of an issue; whoever decides by it holds the hall's lock."""
    return IssueState(
        letter=issue.series.letter,
        identification=issue.identification,
        size=issue.series.size,
        last_sold=issue.last_sold,
        place=BoxPlace(issue.place),
        retired=tuple(issue.retirements.order_by("first").values_list("first", "last")),
        on_sale=on_sale(issue),
        double=issue.double,
        symbols=issue.symbols,
    )


def is_used(hall: Hall, identification: str) -> bool:
    """Return whether an issue of a hall has an identification already, in capitals or not."""
    return Issue.objects.filter(hall=hall, identification__iexact=identification).exists()


def next_card(issue: Issue) -> int:
    """Return the card at which the sale of an issue goes on, beyond retired ones (R37).

    An issue sold to its end has none: it is one beyond its size.
    """
    retired = sale_order.merged((one.first, one.last) for one in issue.retirements.all())
    return sale_order.past(issue.last_sold + 1, retired)


def on_sale(issue: Issue) -> bool:
    """Return whether a game that is not complete uses the issue."""
    used = Game.objects.filter(Q(issue=issue) | Q(further=issue))
    return used.exclude(phase=Phase.COMPLETE).exists()


class Counts(TypedDict):
    """What `counted` adds to an issue: cards, and the name of its state."""

    sold: int
    retired: int
    left: int
    state: str


Counted: TypeAlias = "WithAnnotations[Issue, Counts]"


@dataclass(frozen=True, slots=True)
class IssuePart:
    """Cards first..last of an issue that are sold, retired or left."""

    kind: str
    first: int
    last: int

    @property
    def cards(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def issues(hall: Hall) -> QuerySet[Counted, Counted]:
    """Return a hall's issues, counted, the newest first."""
    found = Issue.objects.filter(hall=hall).select_related("series", "authorisation")
    return counted(found).order_by("-received_at", "-pk")


def counted(found: QuerySet[Issue]) -> QuerySet[Counted, Counted]:
    """Add to issues the cards `sold`, `retired` and `left`, and their `state`.

    What was sold or retired before an issue came from another hall counts as that here too.
    """
    coming = F("series__size") - F("last_sold")
    return (
        found.annotate(
            retired=_whole(_retired(Q()) + RetiredBefore("pk")),
            left=_whole(coming - _retired(Q(first__gt=OuterRef("last_sold")))),
            playing=_playing(),
        )
        .annotate(sold=_whole(F("series__size") - F("left") - F("retired")))
        .annotate(state=_state())
    )


def with_cards_left(found: QuerySet[Counted, Counted]) -> QuerySet[Counted, Counted]:
    """Return those of counted issues of which cards are neither sold nor retired."""
    # Nobody counts what is left of the many that were sold to the end.
    return found.filter(last_sold__lt=F("series__size"), left__gt=0)


def _retired(among: Q) -> Any:
    of_issue = Retirement.objects.filter(among, issue=OuterRef("pk")).order_by().values("issue")
    cards = of_issue.annotate(cards=Sum(F("last") - F("first") + 1)).values("cards")
    return Coalesce(Subquery(cards, output_field=IntegerField()), 0)


class RetiredBefore(Func):
    """How many cards of an issue were retired in other halls and passed over there (R37).

    Those still to come when it left are written down where it came.
    """

    output_field = IntegerField()
    template = """(
        WITH RECURSIVE came (issue) AS (
            SELECT issue_id FROM draws_transfer WHERE arrived_id = %(expressions)s
            UNION ALL
            SELECT issue_id FROM draws_transfer JOIN came ON arrived_id = came.issue
        )
        SELECT coalesce(sum(last - first + 1), 0)::integer FROM came
        JOIN draws_issue AS box ON box.id = came.issue
        JOIN draws_retirement ON issue_id = box.id AND first <= box.last_sold
    )"""


def retirements(issue: Issue) -> list[Retirement]:
    """Return what was retired of an issue, in order, also what other halls passed over before it came."""
    here, *before = issue_in_each_hall(issue)
    passed = Q(issue__in=before, first__lte=F("issue__last_sold"))
    return list(Retirement.objects.filter(Q(issue=here) | passed).order_by("first"))


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
        When(place=BoxPlace.RECEIVED, then=Value(IssueStage.RECEIVED.value)),
        When(place=BoxPlace.WITHDRAWN, then=Value(IssueStage.WITHDRAWN.value)),
        When(place=BoxPlace.SENT, then=Value(IssueStage.SENT.value)),
        When(playing=True, then=Value(IssueStage.ON_SALE.value)),
        When(left=0, then=Value(IssueStage.EXHAUSTED.value)),
        default=Value(IssueStage.IN_STOCK.value),
    )


def issue_stock_parts(issue: Issue, retired: Iterable[tuple[int, int]]) -> list[IssuePart]:
    """Cut an issue into its parts in order; `retired` are its ranges (first, last) in order."""
    found: list[IssuePart] = []
    reached = 0
    for first, last in retired:
        found += _between(reached, first - 1, issue.last_sold)
        found.append(IssuePart("retired", first, last))
        reached = last
    return found + _between(reached, issue.series.size, issue.last_sold)


def _between(before: int, last: int, last_sold: int) -> list[IssuePart]:
    """Cut the cards after `before` up to `last` where the sold ones end."""
    sold = IssuePart("sold", before + 1, min(last, last_sold))
    left = IssuePart("left", max(before, last_sold) + 1, last)
    return [part for part in (sold, left) if part.cards > 0]


OF_ISSUE = (
    "issue_received", "issue_counted", "cards_retired", "cards_written_off", "issue_withdrawn", "issue_reinstated",
    "issue_sent", "transfer_recalled", "print_ordered",
)  # fmt: skip
OF_PRINT = ("print_finished", "print_failed", "print_cancelled")
OF_GAME = ("game_opened", "second_issue_opened", "issue_added")


def of_issue(issue: Issue) -> QuerySet[JournalEntry]:
    """Return the entries that speak of an issue, the newest first."""
    prints = list(PrintJob.objects.filter(issue=issue).values_list("pk", flat=True))
    about = (
        Q(kind__in=OF_ISSUE, data__issue=issue.pk)
        | Q(kind__in=OF_GAME, data__issue__issue=issue.pk)
        | Q(kind__in=OF_PRINT, data__job__in=prints)
    )
    # The kinds once more by themselves: an index can find them, the data it cannot.
    kinds = Q(kind__in=(*OF_ISSUE, *OF_GAME, *OF_PRINT))
    found = JournalEntry.objects.filter(kinds & about, hall=issue.hall_id)
    return found.select_related("by", "hall", "session").order_by("-number")


@dataclass(frozen=True, slots=True)
class Arrival:
    """An issue on its way to a hall; `left` counts its unsold cards."""

    transfer: Transfer
    left: int


def waiting(hall: Hall) -> list[Arrival]:
    """Return what is on its way to a hall, the oldest first."""
    found = Transfer.objects.filter(to=hall, arrived__isnull=True, recalled_at__isnull=True)
    sent = Issue.objects.filter(pk__in=found.values("issue"))
    left = dict(counted(sent).values_list("pk", "left"))
    shown = found.select_related("issue__series", "issue__hall").order_by("pk")
    return [Arrival(one, left[one.issue_id]) for one in shown]


def faces(hall: Hall) -> dict[int, str]:
    """Return the face colour of each price (minor units)."""
    return {look.face: look.face_colour for look in looks(hall)}


def backs(hall: Hall) -> dict[str, str]:
    """Return the back colour of each series letter."""
    return {look.letter: look.back_colour for look in looks(hall)}


def looks(hall: Hall) -> list[Colours]:
    """Return the looks of the issues with cards left, each once (R18); those older than recorded authorisations have none."""
    left = with_cards_left(counted(Issue.objects.filter(hall=hall)))
    found = left.exclude(authorisation=None).exclude(transfers__arrived__isnull=False)
    named = found.order_by().values_list("series__letter", "face", "face_colour", "back_colour")
    return [Colours(*look) for look in named.distinct()]


DIGITS = 16


def is_code(typed: str) -> bool:
    """Return whether this is a code, or means to be one, rather than a card's number."""
    return sum(sign.isdigit() for sign in typed) >= DIGITS


def card_of(hall: Hall, typed: str) -> tuple[Issue, int]:
    """Return the issue of the hall, and the card.

    What was sold or passed over before an issue left stays in the hall that sold it (R37). Raises
    Refusal: bad_code, unknown_issue.
    """
    number, card = cards.read_code(typed)
    way = way_of(number)
    issue = next((one for one in way if card <= one.last_sold), way[-1] if way else None)
    if issue is None or issue.hall_id != hall.pk:
        raise Refusal("unknown_issue")
    return issue, card


def issue_in_each_hall(issue: Issue) -> list[int]:
    """Return the numbers of the issue and of those it was in other halls, back to the first.

    Their prints and retired cards are this one's; the last number is the one that its cards carry.
    """
    found = [issue.pk]
    sent = Transfer.objects.values_list("issue", flat=True)
    while (came := sent.filter(arrived=found[-1]).first()) is not None:
        found.append(came)
    return found


def way_of(printed: int) -> list[Issue]:
    """Return the issue of that number and what it became in other halls, in order.

    All its cards carry the number that they were printed with.
    """
    way = list(Issue.objects.filter(pk=printed))
    while way and (moved := Issue.objects.filter(arrival__issue=way[-1]).first()):
        way.append(moved)
    return way
