"""Who came and went at a hall's door, as numbers alone: nobody is named (BOE III)."""

from django.db import models
from django.db.models import F, Q

from bingo.rules.admission import ADMITTED, KINDS, REASONS, REFUSED
from bingo.rules.signs import LONGEST_REASON
from halls.models.hall import Hall
from halls.models.journal import JournalEntry


class Admission(models.Model):
    """One thing at the door, numbered in the hall from 1 without gap, and how many were inside after it.

    `reason` says why somebody was refused, or why the count was set; `capacity` is how many might
    be inside when somebody was let in, None where nothing limits it.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="admissions")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    inside = models.PositiveIntegerField()
    capacity = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            # Two doors that count from the same number are refused here, whatever they locked.
            models.UniqueConstraint(fields=["hall", "number"], name="admission_number_once"),
            models.CheckConstraint(condition=Q(number__gt=0), name="admission_number_positive"),
            models.CheckConstraint(condition=Q(kind__in=KINDS), name="admission_kind_known"),
            models.CheckConstraint(
                condition=Q(capacity__isnull=True) | Q(inside__lte=F("capacity")),
                name="admission_within_capacity",
            ),
            models.CheckConstraint(
                condition=Q(capacity__isnull=True) | Q(kind=ADMITTED),
                name="admission_capacity_of_who_came_in",
            ),
            models.CheckConstraint(
                condition=~Q(kind=REFUSED) | Q(reason__in=REASONS),
                name="admission_refused_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hall}: {self.inside}"
