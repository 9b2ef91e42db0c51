"""Who may not come in, by the hash of a document, and who was taken off that list (BOE III)."""

from django.db import models
from django.db.models import F, Q

from bingo.rules import exclusions as rules
from bingo.rules.signs import LONGEST_REASON
from halls.models.hall import Hall
from halls.models.journal import JournalEntry


class Exclusion(models.Model):
    """One exclusion, numbered in the hall from 1, from its first day to its last, if it has one.

    `document` is the hash of the person's document under the hall's key of the version `key`.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="exclusions")
    number = models.PositiveIntegerField()
    document = models.CharField(max_length=64)
    key = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=20)
    begins = models.DateField()
    ends = models.DateField(null=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hall", "number"], name="exclusion_number_once"),
            models.CheckConstraint(condition=Q(number__gt=0), name="exclusion_number_positive"),
            models.CheckConstraint(
                condition=Q(document__regex=r"^[0-9a-f]{64}$"), name="exclusion_document_hashed"
            ),
            models.CheckConstraint(condition=Q(key__gt=0), name="exclusion_key_positive"),
            models.CheckConstraint(
                condition=Q(reason__in=rules.REASONS), name="exclusion_for_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(ends__isnull=True) | Q(ends__gte=F("begins")),
                name="exclusion_ends_after_it_begins",
            ),
        ]
        indexes = [models.Index(fields=["hall", "document"], name="exclusion_of_a_document")]

    def __str__(self) -> str:
        return f"{self.hall}, {self.number}"


class LiftedExclusion(models.Model):
    """The end of an exclusion, by two persons and for a reason; its entry names them."""

    append_only = True

    exclusion = models.OneToOneField(Exclusion, models.PROTECT, related_name="lifted")
    reason = models.CharField(max_length=LONGEST_REASON)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="exclusion_lifted_for_a_reason")
        ]

    def __str__(self) -> str:
        return str(self.exclusion)
