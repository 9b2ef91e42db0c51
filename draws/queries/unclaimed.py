"""The account of money that nobody fetched: what a hall owes, since when, until when (R44, R57, R60)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from bingo.rules import unclaimed as rules
from bingo.rules.unclaimed import Item, Ruling
from draws.models import Complaint, UnclaimedItem, UnclaimedSettlement
from draws.models.unclaimed import EXPIRED, PAID
from draws.queries import custody
from halls.models import Hall, Session

NAMED = ("game__session__hall", "issue__series", "entry__by")


@dataclass(frozen=True, slots=True)
class Balance:
    """The sums of an account, in minor units: `owed` is what is left of what was `set_aside`."""

    set_aside: int
    paid: int
    expired: int

    @property
    def owed(self) -> int:
        """What players are owed now."""
        return self.set_aside - self.paid - self.expired


@dataclass(frozen=True, slots=True)
class OpenItem:
    """An item with something still owed: its row, what the rules know of it, its age in days.

    `over`: its period has passed. `held`: an open complaint is about a card of it.
    """

    row: UnclaimedItem
    item: Item
    days: int
    over: bool
    held: bool


def of_hall(hall: Hall) -> QuerySet[UnclaimedItem]:
    """Return a hall's items, the oldest first, with what settles them."""
    found = UnclaimedItem.objects.filter(game__session__hall=hall)
    return found.select_related(*NAMED).prefetch_related("settlements").order_by("pk")


def still_open(hall: Hall) -> QuerySet[UnclaimedItem]:
    """Return those of which something is still owed."""
    settled = UnclaimedSettlement.objects.filter(item=OuterRef("pk")).order_by().values("item")
    sum_of = settled.annotate(sum=Sum(F("last") - F("first") + 1)).values("sum")
    cards = F("last") - F("first") + 1
    return of_hall(hall).annotate(settled=Coalesce(sum_of, 0)).filter(settled__lt=cards)


def known(row: UnclaimedItem) -> Item:
    """Return an item as the rules know it."""
    item = Item(
        entry=row.entry.number, owed=row.owed, session=row.game.session.number,
        game=row.game.number, issue=row.issue_id, first=row.first, last=row.last,
        price=row.price, reason=row.reason, until=row.until, to=row.to,
    )  # fmt: skip
    for one in row.settlements.all():
        item = rules.settle(item, one.first, one.last)
    return item


def of_card(hall: Hall, card: int) -> list[UnclaimedItem]:
    """Return every item of the cards of a number, settled or not, the newest first."""
    return list(of_hall(hall).filter(first__lte=card, last__gte=card).order_by("-pk"))


def recent(hall: Hall) -> QuerySet[UnclaimedSettlement]:
    """Return what was paid or past its period, the newest first."""
    found = UnclaimedSettlement.objects.filter(item__game__session__hall=hall)
    named = ("item__game__session", "item__issue__series", "shift__till", "complaint__session")
    return found.select_related(*named, "entry__by").order_by("-pk")


def settlement_of(row: UnclaimedItem, card: int) -> UnclaimedSettlement | None:
    """Return what settled a card of an item, if anything did."""
    found = row.settlements.filter(first__lte=card, last__gte=card)
    return found.select_related("shift__till", "shift__session", "entry__by").first()


def listed(hall: Hall, rows: Iterable[UnclaimedItem], *, on: date) -> list[OpenItem]:
    """Return items as an account shows them on a day of the hall."""
    found = [(row, known(row)) for row in rows]
    held = _held(hall, [item for _row, item in found])
    return [
        OpenItem(
            row=row,
            item=item,
            days=max(0, (on - custody.day(hall, row.at)).days),
            over=item.until is not None and on > item.until,
            held=item.entry in held,
        )
        for row, item in found
    ]


def _held(hall: Hall, items: Sequence[Item]) -> set[int]:
    """Return the entries of the items that an open complaint holds."""
    open_ones = Complaint.objects.filter(
        session__hall=hall, decided_at__isnull=True, card__isnull=False
    ).values_list("issue", "card")
    cards = {(issue, card) for issue, card in open_ones if issue is not None and card is not None}
    return {item.entry for item in items if rules.is_held(item, cards)}


def balance(hall: Hall) -> Balance:
    """Return the sums of a hall's account."""
    worth = F("price") * (F("last") - F("first") + 1)
    items = UnclaimedItem.objects.filter(game__session__hall=hall)
    settled = UnclaimedSettlement.objects.filter(item__game__session__hall=hall)
    sums: Mapping[str, int | None] = settled.aggregate(
        paid=Sum("amount", filter=Q(how=PAID)), expired=Sum("amount", filter=Q(how=EXPIRED))
    )
    return Balance(
        set_aside=items.aggregate(sum=Sum(worth))["sum"] or 0,
        paid=sums["paid"] or 0,
        expired=sums["expired"] or 0,
    )


def rulings(hall: Hall) -> QuerySet[Complaint]:
    """Return the upheld complaints by which something may be paid without its card, the newest first."""
    found = Complaint.objects.filter(session__hall=hall, decision="upheld")
    return found.select_related("session", "issue__series").order_by("-decided_at")


def ruling(hall: Hall, complaint: Complaint) -> Ruling:
    """Return a complaint as the account takes it."""
    card = complaint.card
    return Ruling(
        session=complaint.session.number,
        number=complaint.number,
        decision=complaint.decision,
        opened=custody.day(hall, complaint.opened_at),
        card=None if complaint.issue_id is None or card is None else (complaint.issue_id, card),
    )


def set_aside_in(session: Session) -> QuerySet[UnclaimedItem]:
    """Return what was set aside in a session, in order."""
    found = UnclaimedItem.objects.filter(game__session=session)
    return found.select_related(*NAMED).order_by("pk")


def settled_in(session: Session) -> QuerySet[UnclaimedSettlement]:
    """Return what was paid, or past its period, while a session was open, in order."""
    found = UnclaimedSettlement.objects.filter(entry__session=session)
    named = ("item__game__session", "item__issue__series", "shift__till", "complaint__session")
    return found.select_related(*named, "entry__by").order_by("pk")
