"""The sealed record of a session (R58-R61)."""

from django.db import models
from django.db.models import Q

from halls.models import JournalEntry, Session


class Acta(models.Model):
    """The signed PDF, its SHA-256, and the journal's head that it carries; it never changes."""

    append_only = True

    session = models.OneToOneField(Session, models.PROTECT, related_name="acta")
    pdf = models.BinaryField()
    digest = models.CharField(max_length=64)
    head_number = models.BigIntegerField()
    head_digest = models.CharField(max_length=64)
    certificate = models.TextField()
    sealed_at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(head_number__gt=0), name="acta_has_a_head")
        ]

    def __str__(self) -> str:
        return f"acta {self.session}"
