"""Models of the sale: cards taken off an issue and sold in strict numeric order, and refunds.

Refunds follow a void.
"""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from draws.models.cards import Issue, OfCards, card_once
from draws.models.game import Game
from halls.models import JournalEntry, Person, Shift
from halls.models.constraints import check, unique


class Taking(OfCards):
    """Cards first..last that left the stack of an issue; all of them, with no gap, from card 1 on.

    `previous` is the last card of the taking before. `seller` has them in hand, unsold. `passed`
    are cards nobody may buy here: retired, or sold before the issue came to this hall. Those
    neither passed, nor in hand, nor sold have come back and are offered again first. Unsold ones
    are parted as people part them; a sale's foreign key keeps the sold ones as they are.

    `migrations/sql/0002_sales.sql` adds the foreign key (issue, previous) → (issue, last), looked
    at when a transaction ends: cards are taken in their order, or not at all (R36).
    """

    changes = ("last", "seller")
    deletable = True

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="takings")
    game = models.ForeignKey(Game, models.PROTECT, related_name="takings")
    previous = models.PositiveIntegerField(null=True)
    seller = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    passed = models.BooleanField(default=False)

    class Meta:
        constraints = [
            check("taking_not_empty", Q(last__gte=F("first"))),
            check("taking_without_gap_r36", Q(first=Coalesce(F("previous"), 0) + 1)),
            models.UniqueConstraint(
                fields=["issue", "previous"],
                nulls_distinct=False,
                name="taking_predecessor_once_r36",
            ),
            unique("taking_last_once", "issue", "last"),
            unique("taking_once", "issue", "first", "last"),
            check("taking_passed_by_nobody", Q(passed=False) | Q(seller__isnull=True)),
            card_once("card_taken_once_r36"),
        ]


class Sale(OfCards):
    """Cards first..last of an issue sold in a game, once; amount in minor units.

    It goes again where it was taken back (`migrations/sql/0003_taken_back.sql`).

    `migrations/sql/0002_sales.sql` adds the foreign key (issue, first, last) → Taking, to those
    that are neither passed nor in a seller's hands: only what was taken in its order is sold, and
    what is sold stays taken. `player` is whoever bought, where players are named (R35).
    """

    append_only = True
    removable = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="sales")
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="sales")
    amount = models.PositiveBigIntegerField()
    shift = models.ForeignKey(Shift, models.PROTECT, related_name="sales")
    seller = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    player = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()
    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="sales")

    class Meta:
        constraints = [
            check("sale_not_empty", Q(last__gte=F("first"))),
            card_once("card_sold_once_r36"),
        ]


class Refund(OfCards):
    """The price of cards first..last given back after a void, once a card (R55, R57)."""

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="refunds")
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    shift = models.ForeignKey(Shift, models.PROTECT, related_name="refunds")
    amount = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            check("refund_not_empty", Q(last__gte=F("first"))),
            card_once("card_refunded_once_r57"),
        ]

    def __str__(self) -> str:
        return f"{self.first}-{self.last} {self.amount}"
