"""A print of cards, ordered at the page and drawn by the worker."""

from django.db import models
from django.db.models import F, Q

from draws.models.issue import Issue
from halls.models import JournalEntry


class PrintState(models.TextChoices):
    """How far a print has come."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class PrintJob(models.Model):
    """Cards first..last of an issue on paper.

    `copies` holds [first, last, copy]: copy 0 is the first print of those cards, k the k-th
    reprint, which the cards say. `drawn` counts the cards drawn so far, `losses` the workers lost
    over it. `digest` is the SHA-256 of the file.
    """

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="prints")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    paper = models.CharField(max_length=10)
    code = models.CharField(max_length=10)
    back = models.BooleanField(default=False)
    crop = models.BooleanField(default=False)
    reason = models.CharField(max_length=500, blank=True)
    copies = models.JSONField()
    state = models.CharField(
        max_length=10, choices=PrintState.choices, default=PrintState.QUEUED, db_index=True
    )
    drawn = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(null=True)
    digest = models.CharField(max_length=64, blank=True)
    fault = models.CharField(max_length=200, blank=True)
    losses = models.PositiveSmallIntegerField(default=0)
    ordered_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(first__gt=0, last__gte=F("first")), name="print_not_empty"
            ),
            models.CheckConstraint(
                condition=Q(state__in=PrintState.values), name="print_state_known"
            ),
            models.CheckConstraint(
                condition=~Q(state=PrintState.DONE)
                | Q(pages__isnull=False, ended_at__isnull=False) & ~Q(digest=""),
                name="print_done_has_file",
            ),
            models.CheckConstraint(
                condition=Q(drawn__lte=F("last") - F("first") + 1), name="print_drawn_within_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.issue} {self.first}-{self.last}"
