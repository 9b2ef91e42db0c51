"""Money that nobody fetched: what the hall owes, and what became of it (R44, R50, R57, R60).

A migration adds a trigger: what settles an item lies within its cards, at its price.
"""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeOperators
from django.db import models
from django.db.models import F, Q

from bingo.rules.signs import LONGEST_REASON
from bingo.rules.unclaimed import DESTINATIONS, PRIZE, REFUND
from draws.models.complaint import Complaint
from draws.models.game import Game
from draws.models.issue import Issue, cards
from halls.models import JournalEntry, Shift

PAID, EXPIRED = "paid", "expired"


class UnclaimedItem(models.Model):
    """What was set aside of an issue in a game: cards first..last, `price` minor units each.

    `until` is the last day on which it is paid, null for ever; `to` where it goes then.
    """

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="unclaimed")
    owed = models.CharField(max_length=6)
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="unclaimed")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    price = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=10)
    note = models.CharField(max_length=LONGEST_REASON, blank=True)
    until = models.DateField(null=True)
    to = models.CharField(max_length=10, blank=True)
    at = models.DateTimeField()
    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="unclaimed")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(owed__in=[PRIZE, REFUND]), name="unclaimed_known"),
            models.CheckConstraint(
                condition=Q(owed=REFUND, last__gte=F("first")) | Q(owed=PRIZE, last=F("first")),
                name="unclaimed_not_empty",
            ),
            models.CheckConstraint(condition=Q(price__gt=0), name="unclaimed_price_positive"),
            models.CheckConstraint(
                condition=Q(until__isnull=True, to="")
                | Q(until__isnull=False, to__in=DESTINATIONS),
                name="unclaimed_period_with_destination",
            ),
            ExclusionConstraint(
                name="card_set_aside_once_r60",
                expressions=[
                    ("game", RangeOperators.EQUAL),
                    ("issue", RangeOperators.EQUAL),
                    ("owed", RangeOperators.EQUAL),
                    (cards(), RangeOperators.OVERLAPS),
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owed} {self.first}-{self.last}"


class UnclaimedSettlement(models.Model):
    """Cards of an item paid later out of a till, or past their period; `amount` in minor units."""

    append_only = True

    item = models.ForeignKey(UnclaimedItem, models.PROTECT, related_name="settlements")
    how = models.CharField(max_length=7)
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    amount = models.PositiveBigIntegerField()
    shift = models.ForeignKey(Shift, models.PROTECT, null=True, related_name="unclaimed_paid")
    complaint = models.ForeignKey(Complaint, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField()
    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="unclaimed_settled")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(last__gte=F("first")), name="unclaimed_settlement_not_empty"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="unclaimed_settlement_positive"),
            models.CheckConstraint(
                condition=Q(how=PAID, shift__isnull=False)
                | Q(how=EXPIRED, shift__isnull=True, complaint__isnull=True),
                name="unclaimed_paid_out_of_a_till",
            ),
            models.UniqueConstraint(
                fields=["entry"], condition=Q(how=PAID), name="unclaimed_paid_once_an_entry"
            ),
            ExclusionConstraint(
                name="unclaimed_paid_once_r50",
                expressions=[
                    ("item", RangeOperators.EQUAL),
                    (cards(), RangeOperators.OVERLAPS),
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.how} {self.first}-{self.last} {self.amount}"
