"""The sealed record of a session, and what rectifies it (R58-R61)."""

from django.db import models
from django.db.models import Q

from bingo.rules.rectifying import LONGEST_CORRECTION
from bingo.rules.signs import LONGEST_REASON
from halls.models import JournalEntry, Session


class SealedDocument(models.Model):
    """A signed PDF, its SHA-256, the journal's head that it carries, and how it was sealed."""

    append_only = True

    pdf = models.BinaryField()
    digest = models.CharField(max_length=64)
    head_number = models.BigIntegerField()
    head_digest = models.CharField(max_length=64)
    certificate = models.TextField()
    sealed_at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")
    key = models.PositiveIntegerField(default=1)
    level = models.CharField(max_length=5, default="B-B")

    class Meta:
        abstract = True


class Acta(SealedDocument):
    """The sealed acta of a session; it never changes."""

    session = models.OneToOneField(Session, models.PROTECT, related_name="acta")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(head_number__gt=0), name="acta_has_a_head"),
            models.CheckConstraint(condition=Q(key__gt=0), name="acta_key_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"acta {self.session}"


class Rectification(models.Model):
    """What two persons say is wrong in a sealed acta; the n-th of its session, each on the one before.

    `rectifies` is the SHA-256 of the file that it corrects.
    """

    append_only = True

    session = models.ForeignKey(Session, models.PROTECT, related_name="rectifications")
    number = models.PositiveIntegerField()
    previous = models.PositiveIntegerField(null=True)
    rectifies = models.CharField(max_length=64)
    reason = models.CharField(max_length=LONGEST_REASON)
    what = models.CharField(max_length=LONGEST_CORRECTION)
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="rectification_once"),
            # Of two at once each would name the same one before it.
            models.UniqueConstraint(
                fields=["session", "previous"], nulls_distinct=False, name="rectifications_chained"
            ),
            models.CheckConstraint(
                condition=Q(number=1, previous__isnull=True)
                | Q(previous__isnull=False, number=models.F("previous") + 1),
                name="rectification_follows",
            ),
            models.CheckConstraint(
                condition=~Q(reason="") & ~Q(what=""), name="rectification_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session}/{self.number}"

    @property
    def name(self) -> str:
        """How its acta is named: the session's number, and its own."""
        return f"{self.session.number}/{self.number}"

    @property
    def rectified_name(self) -> str:
        """How the acta that it rectifies is named."""
        before = f"/{self.previous}" if self.previous else ""
        return f"{self.session.number}{before}"


class RectifiedActa(SealedDocument):
    """The sealed acta of a rectification; it never changes either."""

    rectification = models.OneToOneField(Rectification, models.PROTECT, related_name="acta")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(head_number__gt=0), name="rectified_has_a_head"),
            models.CheckConstraint(condition=Q(key__gt=0), name="rectified_key_from_one"),
        ]

    def __str__(self) -> str:
        return f"acta {self.rectification}"


class SealFault(models.Model):
    """Why a session's acta, or that of a rectification, was not sealed, and when it is tried again.

    It is about the machine and no part of the record: once the acta is sealed it says nothing.
    """

    session = models.ForeignKey(Session, models.PROTECT, related_name="seal_faults")
    rectification = models.ForeignKey(
        Rectification, models.PROTECT, related_name="seal_faults", null=True
    )
    code = models.CharField(max_length=40)
    attempts = models.PositiveIntegerField()
    at = models.DateTimeField()
    next_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "rectification"], nulls_distinct=False, name="seal_fault_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.session}: {self.code}"
