"""For how many days a hall keeps things, each decision a row of its own, and what was removed by it."""

from django.db import models
from django.db.models import Q

from bingo.rules.policies import MOST_DAYS
from bingo.rules.retention import (
    ADMISSIONS,
    ALWAYS,
    FEWEST,
    LOOKS,
    PICTURES,
    PRINTS,
    STILLS,
    Decision,
)
from halls.models.hall import Hall
from halls.models.journal import JournalEntry


def _within(kind: str) -> models.CheckConstraint:
    # How long admissions are kept is the rule book's to say: each row of them knows its own day.
    least = FEWEST.get(kind, 1)
    bounds = Q(**{kind: ALWAYS}) | Q(**{f"{kind}__gte": least, f"{kind}__lte": MOST_DAYS})
    return models.CheckConstraint(condition=bounds, name=f"retention_{kind}_within_bounds")


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
        constraints = [
            _within(PICTURES),
            _within(LOOKS),
            _within(PRINTS),
            _within(STILLS),
            _within(ADMISSIONS),
        ]

    def __str__(self) -> str:
        return f"{self.hall}, {self.valid_from}"

    @property
    def decision(self) -> Decision:
        """The decision as the rules know it."""
        days = {
            PICTURES: self.pictures,
            LOOKS: self.looks,
            PRINTS: self.prints,
            STILLS: self.stills,
            ADMISSIONS: self.admissions,
        }
        return Decision(self.valid_from, days)


class Removal(models.Model):
    """The list of what an entry says is kept no longer; `finished_at` once all of it is gone.

    `looks_upto` is the last look removed, `visits_upto` the number of the last admission, None where
    none is: PostgreSQL lets go of no other.
    """

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="removals")
    number = models.PositiveIntegerField()
    listed = models.TextField()
    looks_upto = models.BigIntegerField(null=True)
    visits_upto = models.PositiveIntegerField(null=True)
    finished_at = models.DateTimeField(null=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hall", "number"], name="removal_number_once"),
            models.CheckConstraint(condition=Q(number__gt=0), name="removal_number_positive"),
            models.CheckConstraint(condition=~Q(listed=""), name="removal_lists_something"),
        ]
        indexes = [
            models.Index(
                fields=["hall"], condition=Q(finished_at__isnull=True), name="removal_unfinished"
            )
        ]

    def __str__(self) -> str:
        return f"{self.hall}, {self.number}"
