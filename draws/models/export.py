"""A hall's record as an archive, asked for at the desk and written by the worker."""

from django.db import models
from django.db.models import F, Q

from halls.models import Hall, Person


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
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="export_not_empty"),
            models.CheckConstraint(
                condition=Q(state__in=ExportState.values), name="export_state_known"
            ),
            models.CheckConstraint(
                condition=~Q(state=ExportState.DONE)
                | Q(size__isnull=False, expires_at__isnull=False) & ~Q(digest=""),
                name="export_done_has_file",
            ),
            models.UniqueConstraint(
                fields=["by"],
                condition=Q(state__in=UNDER_WAY),
                name="export_one_under_way_a_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.hall} {self.first} {self.last}"
