"""Signed heads of a hall's journal, and how far each place has them."""

from django.db import models
from django.db.models import Q

from halls.models.hall import Hall
from halls.models.journal import JournalEntry


class Checkpoint(models.Model):
    """The head at an entry as it was signed, once (docs/checkpoints.md)."""

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="checkpoints")
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="checkpoint")
    number = models.BigIntegerField()
    note = models.TextField()

    class Meta:
        ordering = ["hall", "number"]
        constraints = [
            models.UniqueConstraint(fields=["hall", "number"], name="checkpoint_once_an_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.hall} {self.number}"


class CheckpointPlace(models.Model):
    """Where checkpoints go: up to which entry they are there, and why no further."""

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="checkpoint_places")
    place = models.CharField(max_length=400)
    number = models.BigIntegerField(default=0)
    fault = models.CharField(max_length=40, blank=True)
    cause = models.CharField(max_length=200, blank=True)
    since = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hall", "place"], name="checkpoint_place_once"),
            models.CheckConstraint(
                condition=Q(fault="") | Q(since__isnull=False), name="checkpoint_fault_since"
            ),
        ]

    def __str__(self) -> str:
        return self.place
