"""Models of a hall's decisions: its policy, its days of retention, and removals made by them.

Each decision is a row of its own.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from bingo.rules import prizes
from bingo.rules.policies import (
    DAYS,
    FOUR_EYES,
    MOST_DAYS,
    NUMBERS,
    PATIENCE,
    RECEIPTS,
    NumberBounds,
)
from bingo.rules.retention import ALWAYS, FEWEST, KINDS, Decision
from bingo.rules.steps.drawing import SOURCES
from halls.models.constraints import check, unique
from halls.models.hall import Hall
from halls.models.journal import JournalEntry


def _within_bounds(name: str, bounds: NumberBounds) -> models.CheckConstraint:
    within = Q(**{f"{name}__gte": bounds.least, f"{name}__lte": bounds.most})
    off = Q(**{name: 0}) if bounds.off else Q()
    return check(f"policy_{name}_within_bounds", off | within)


class Policy(models.Model):
    """One decision of a hall, as `bingo.rules.policies.HallPolicy` has it; the newest is in force.

    What protects less than before waits in `later`, with the moment `from` which it holds.
    """

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
    cash_step = models.PositiveIntegerField(default=prizes.NONE)
    checkpoint_till = models.CharField(max_length=50, blank=True, default="")
    escudo_sign = models.BooleanField(default=False)
    later = models.JSONField(null=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "policies"
        constraints = [
            check("policy_four_eyes_known", Q(four_eyes__contained_by=list(FOUR_EYES))),
            check("policy_receipts_known", Q(receipts__in=list(RECEIPTS))),
            check("policy_source_known", Q(source__in=["", *SOURCES])),
            *(_within_bounds(name, bounds) for name, bounds in NUMBERS.items()),
        ]

    def __str__(self) -> str:
        return f"{self.hall}, {self.entry.number}"


def _within(kind: str) -> models.CheckConstraint:
    # How long admissions are kept is the rule book's to say: each row of them knows its own day.
    least = FEWEST.get(kind, 1)
    bounds = Q(**{kind: ALWAYS}) | Q(**{f"{kind}__gte": least, f"{kind}__lte": MOST_DAYS})
    return check(f"retention_{kind}_within_bounds", bounds)


class Retention(models.Model):
    """One decision, in days by kind from a day on, 0 for good; the newest whose day has come holds."""

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="retentions")
    valid_from = models.DateField()
    pictures = models.PositiveSmallIntegerField()
    looks = models.PositiveSmallIntegerField()
    prints = models.PositiveSmallIntegerField()
    stills = models.PositiveSmallIntegerField()
    admissions = models.PositiveSmallIntegerField(default=ALWAYS)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [_within(kind) for kind in KINDS]

    def __str__(self) -> str:
        return f"{self.hall}, {self.valid_from}"

    @property
    def decision(self) -> Decision:
        """The decision as the rules know it."""
        return Decision(self.valid_from, {kind: getattr(self, kind) for kind in KINDS})


class Removal(models.Model):
    """The list of what an entry says is kept no longer; `finished_at` once all of it is gone.

    `looks_upto` is the last look removed, `visits_upto` the number of the last admission, None where
    none is: PostgreSQL lets go of no other.
    """

    changes = ("finished_at",)

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="removals")
    number = models.PositiveIntegerField()
    listed = models.TextField()
    looks_upto = models.BigIntegerField(null=True)
    visits_upto = models.PositiveIntegerField(null=True)
    finished_at = models.DateTimeField(null=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            unique("removal_number_once", "hall", "number"),
            check("removal_number_positive", Q(number__gt=0)),
            check("removal_lists_something", ~Q(listed="")),
        ]
        indexes = [
            models.Index(
                fields=["hall"], condition=Q(finished_at__isnull=True), name="removal_unfinished"
            )
        ]

    def __str__(self) -> str:
        return f"{self.hall}, {self.number}"
