"""Models of the sealed record: actas, rectifications, faults of seals, exports (R58-R61).

An export is a hall's record as an archive, asked for at the desk and written by the worker.
"""

from django.db import models
from django.db.models import F, Q

from bingo.rules.actas_after_sealing import LONGEST_CORRECTION
from bingo.rules.texts import LONGEST_REASON
from halls.models import Hall, JournalEntry, Person, Session
from halls.models.constraints import check, unique


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
            check("acta_has_a_head", Q(head_number__gt=0)),
            check("acta_key_counts_from_one", Q(key__gt=0)),
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
            unique("rectification_once", "session", "number"),
            # Of two at once each would name the same one before it.
            models.UniqueConstraint(
                fields=["session", "previous"], nulls_distinct=False, name="rectifications_chained"
            ),
            check(
                "rectification_follows",
                Q(number=1, previous__isnull=True)
                | Q(previous__isnull=False, number=models.F("previous") + 1),
            ),
            check("rectification_says_why", ~Q(reason="") & ~Q(what="")),
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
            check("rectified_has_a_head", Q(head_number__gt=0)),
            check("rectified_key_from_one", Q(key__gt=0)),
        ]

    def __str__(self) -> str:
        return f"acta {self.rectification}"


class SealFault(models.Model):
    """Why a session's acta, or that of a rectification, was not sealed, and when it is tried again.

    It is about the machine and no part of the record: once the acta is sealed it says nothing.
    """

    changes = ("code", "attempts", "at", "next_at")

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


class ExportState(models.TextChoices):
    """How far an archive has come; expired is one whose file was removed when its time was over."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    EXPIRED = "expired"


UNDER_WAY = (ExportState.QUEUED, ExportState.RUNNING)


class Export(models.Model):
    """The archive of a hall with tables of the days `first` to `last`, for whoever asked alone.

    `written` counts its files so far, of `files`; `step` says what is being written; `losses` the
    workers lost over it. `digest` is the SHA-256 of the file, `size` its bytes.
    """

    changes = (
        "state", "step", "written", "files", "size", "digest", "fault", "losses", "started_at", "ended_at", "expires_at",
    )  # fmt: skip

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="exports")
    by = models.ForeignKey(Person, models.PROTECT, related_name="+", db_index=False)
    key = models.UUIDField(unique=True)
    first = models.DateField()
    last = models.DateField()
    pictures = models.BooleanField(default=False)
    state = models.CharField(
        max_length=10, choices=ExportState.choices, default=ExportState.QUEUED, db_index=True
    )
    step = models.CharField(max_length=10, blank=True)
    written = models.PositiveIntegerField(default=0)
    files = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(null=True)
    digest = models.CharField(max_length=64, blank=True)
    fault = models.CharField(max_length=200, blank=True)
    losses = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            check("export_not_empty", Q(last__gte=F("first"))),
            check("export_state_known", Q(state__in=ExportState.values)),
            check(
                "export_done_has_file",
                ~Q(state=ExportState.DONE)
                | Q(size__isnull=False, expires_at__isnull=False) & ~Q(digest=""),
            ),
            unique("export_one_under_way_a_person", "by", condition=Q(state__in=UNDER_WAY)),
        ]

    def __str__(self) -> str:
        return f"{self.hall} {self.first} {self.last}"
