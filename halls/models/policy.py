"""What a hall has decided for itself, each decision a row of its own."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from bingo.rules import cash_steps
from bingo.rules.policies import (
    DAYS,
    FEWEST_DAYS,
    FOUR_EYES,
    LONGEST_INTERVAL,
    LONGEST_PATIENCE,
    MOST_DAYS,
    MOST_DIFFERENCE,
    MOST_PAYMENT,
    MOST_STOCK,
    PATIENCE,
    RECEIPTS,
    SHORTEST_PATIENCE,
)
from bingo.rules.steps.drawing import SOURCES
from halls.models.hall import Hall
from halls.models.journal import JournalEntry


class Policy(models.Model):
    """One decision of a hall, as `bingo.rules.policies.Policy` has it; the newest is in force."""

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="policies")
    difference_limit = models.PositiveIntegerField()
    blind_count = models.BooleanField()
    four_eyes = ArrayField(models.CharField(max_length=40))
    receipts = models.CharField(max_length=10)
    low_stock = models.PositiveIntegerField()
    printers = models.JSONField()
    source = models.CharField(max_length=10, blank=True)
    automatic = models.PositiveSmallIntegerField(default=0)
    interval = models.PositiveSmallIntegerField(default=0)
    patience = models.PositiveSmallIntegerField(default=PATIENCE)
    picture_days = models.PositiveSmallIntegerField(default=DAYS)
    payment_limit = models.PositiveIntegerField(default=0)
    cash_step = models.PositiveIntegerField(default=cash_steps.NONE)
    checkpoint_till = models.CharField(max_length=50, blank=True, default="")
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "policies"
        constraints = [
            models.CheckConstraint(
                condition=Q(difference_limit__lte=MOST_DIFFERENCE),
                name="policy_difference_within_reason",
            ),
            models.CheckConstraint(
                condition=Q(four_eyes__contained_by=list(FOUR_EYES)),
                name="policy_four_eyes_known",
            ),
            models.CheckConstraint(
                condition=Q(receipts__in=list(RECEIPTS)), name="policy_receipts_known"
            ),
            models.CheckConstraint(
                condition=Q(low_stock__lte=MOST_STOCK), name="policy_low_stock_within_reason"
            ),
            models.CheckConstraint(
                condition=Q(source__in=["", *SOURCES]), name="policy_source_known"
            ),
            models.CheckConstraint(
                condition=Q(automatic__lte=1000), name="policy_automatic_per_mille"
            ),
            models.CheckConstraint(
                condition=Q(interval__lte=LONGEST_INTERVAL),
                name="policy_interval_within_reason",
            ),
            models.CheckConstraint(
                condition=Q(patience=0)
                | Q(patience__gte=SHORTEST_PATIENCE, patience__lte=LONGEST_PATIENCE),
                name="policy_patience_within_reason",
            ),
            models.CheckConstraint(
                condition=Q(picture_days__gte=FEWEST_DAYS, picture_days__lte=MOST_DAYS),
                name="policy_picture_days_r52",
            ),
            models.CheckConstraint(
                condition=Q(payment_limit__lte=MOST_PAYMENT),
                name="policy_payment_within_reason",
            ),
            models.CheckConstraint(
                condition=Q(cash_step__gte=cash_steps.NONE, cash_step__lte=cash_steps.MOST),
                name="policy_cash_step_is_a_coin",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hall}, {self.entry.number}"
