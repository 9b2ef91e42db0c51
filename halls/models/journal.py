"""Models of the journal: entries, numbered, chained and never changed; and its checkpoints.

A checkpoint is a signed head of the journal; a witness cosigns it; a place has checkpoints up to some
entry.
"""

from django.db import models
from django.db.models import Q

from halls.models.constraints import check, unique
from halls.models.hall import Hall, Person, Session

# What is out of the ordinary in a session, and what is said of its acta afterwards: few entries,
# which an index of their own finds among all the sales and balls.
INCIDENTS = (
    "note_recorded", "complaint_opened", "command_refused", "clock_anomaly", "game_suspended",
    "game_voided", "ball_recalled", "breakdown_opened", "camera_fault", "cards_written_off",
    "equipment_waived", "duty_left_out",
)  # fmt: skip
OF_AN_ACTA = ("acta_acknowledged", "acta_remarked", "remark_answered")


class JournalEntry(models.Model):
    """One fact; `digest` chains it to the entry before (docs/journal.md).

    `key` is the sender's idempotency key: it keeps a repeated request from having two effects and
    is no part of the record.
    """

    append_only = True

    # Each is the first field of an index below, or of a constraint: none needs one of its own.
    hall = models.ForeignKey(Hall, models.PROTECT, related_name="journal", db_index=False)
    number = models.BigIntegerField()
    session = models.ForeignKey(
        Session, models.PROTECT, null=True, related_name="journal", db_index=False
    )
    game = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=40)
    data = models.JSONField()
    at = models.DateTimeField()
    by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+", db_index=False)
    digest = models.CharField(max_length=64)
    key = models.UUIDField(null=True)

    class Meta:
        ordering = ["hall", "number"]
        verbose_name_plural = "journal entries"
        constraints = [
            unique("journal_number_once", "hall", "number"),
            unique("journal_key_once", "hall", "key"),
            check("journal_number_from_one", Q(number__gt=0)),
            check("journal_game_in_a_session", Q(game__isnull=True) | Q(session__isnull=False)),
        ]
        indexes = [
            models.Index(fields=["session", "number"], name="journal_of_a_session"),
            models.Index(fields=["hall", "kind", "number"], name="journal_of_a_kind"),
            models.Index(fields=["by", "number"], name="journal_of_a_person"),
            models.Index(
                fields=["session", "number"],
                condition=Q(kind__in=[*INCIDENTS, *OF_AN_ACTA]),
                name="journal_told_of_a_session",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"


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
            unique("checkpoint_once_an_entry", "hall", "number"),
        ]

    def __str__(self) -> str:
        return f"{self.hall} {self.number}"


class Cosignature(models.Model):
    """A witness's line under a checkpoint, once (docs/checkpoints.md)."""

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="+")
    checkpoint = models.ForeignKey(Checkpoint, models.PROTECT, related_name="cosignatures")
    witness = models.CharField(max_length=100)
    line = models.TextField()

    class Meta:
        ordering = ["hall", "checkpoint", "witness"]
        constraints = [
            unique("cosignature_once_a_witness", "checkpoint", "witness"),
        ]

    def __str__(self) -> str:
        return f"{self.witness} {self.checkpoint_id}"


class CheckpointPlace(models.Model):
    """Where checkpoints go: up to which entry they are there, and why no further."""

    changes = ("number", "fault", "cause", "since")

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="checkpoint_places")
    place = models.CharField(max_length=400)
    number = models.BigIntegerField(default=0)
    fault = models.CharField(max_length=40, blank=True)
    cause = models.CharField(max_length=200, blank=True)
    since = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            unique("checkpoint_place_once", "hall", "place"),
            check("checkpoint_fault_since", Q(fault="") | Q(since__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.place


class RefusalTally(models.Model):
    """How often somebody was refused something within one minute.

    `data` is the refusal as its entry tells it. The first few have entries of their own; what came
    beyond them is told by one more when the minute is over, and the row goes.
    """

    changes = ("count", "data")
    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="+", db_index=False)
    person = models.ForeignKey(Person, models.PROTECT, related_name="+", db_index=False)
    session = models.ForeignKey(
        Session, models.PROTECT, null=True, related_name="+", db_index=False
    )
    code = models.CharField(max_length=60)
    minute = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField(default=0)
    data = models.JSONField()

    class Meta:
        constraints = [unique("refusals_once_a_minute", "hall", "person", "code", "minute")]

    def __str__(self) -> str:
        return f"{self.person}: {self.code} × {self.count}"
