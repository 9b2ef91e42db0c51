"""Cards sold, in strict numeric order: PostgreSQL refuses an overlap, a gap, a wrong predecessor."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from draws.models.game import Game
from draws.models.issue import Issue, cards
from halls.models import JournalEntry, Person, Shift


class Sale(models.Model):
    """Cards first..last of an issue sold in a game; `previous` is the last card sold before (R36).

    `passed` counts the retired cards between the two, which nobody may buy.

    A migration adds the foreign key (issue, previous) → (issue, last), so that a sale can only
    follow one that exists.
    """

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="sales")
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="sales")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    previous = models.PositiveIntegerField(null=True)
    passed = models.PositiveIntegerField(default=0)
    amount = models.PositiveBigIntegerField()
    shift = models.ForeignKey(Shift, models.PROTECT, related_name="sales")
    seller = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField()
    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="sales")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="sale_not_empty"),
            models.CheckConstraint(
                condition=Q(first=Coalesce(F("previous"), 0) + F("passed") + 1),
                name="sale_without_gap_r36",
            ),
            models.UniqueConstraint(
                fields=["issue", "previous"], nulls_distinct=False, name="sale_predecessor_once_r36"
            ),
            models.UniqueConstraint(fields=["issue", "last"], name="sale_last_once"),
            ExclusionConstraint(
                name="card_sold_once_r36",
                expressions=[
                    ("issue", RangeOperators.EQUAL),
                    (cards(), RangeOperators.OVERLAPS),
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


class Refund(models.Model):
    """The price of one sale given back after a void, once (R55, R57)."""

    append_only = True

    sale = models.OneToOneField(Sale, models.PROTECT, related_name="refund")
    shift = models.ForeignKey(Shift, models.PROTECT, related_name="refunds")
    amount = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.sale} {self.amount}"
