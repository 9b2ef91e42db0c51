"""A ball that was read but not announced yet, or what came of it."""

from django.db import models
from django.db.models import Q

from bingo.rules.steps.drawing import BY_HAND, CAMERA
from draws.models.camera import Camera
from draws.models.game import Game
from halls.models import JournalEntry, Person


class Standing(models.TextChoices):
    """What has become of a reading."""

    PENDING = "pending"
    ANNOUNCED = "announced"
    DISMISSED = "dismissed"


class Reading(models.Model):
    """A ball seen by a camera, or keyed by one person and waiting for a second (R55).

    `order` is the place it was expected at; `candidates` holds [number, per mille], best first;
    `confidence` is per mille; `reason` says why it was not announced by itself, empty when nothing
    spoke against it; `picture` is the SHA-256 of its JPEG; `stream_at` is in milliseconds of the
    camera's stream. `entry` announced or dismissed it.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="readings")
    order = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10)
    number = models.PositiveSmallIntegerField(null=True)
    runner_up = models.PositiveSmallIntegerField(null=True)
    candidates = models.JSONField(default=list)
    confidence = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=20, blank=True)
    picture = models.CharField(max_length=64, blank=True)
    camera = models.ForeignKey(Camera, models.PROTECT, null=True, related_name="readings")
    keyed_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    seen_at = models.DateTimeField()
    stream_at = models.PositiveBigIntegerField(default=0)
    frame = models.PositiveBigIntegerField(default=0)
    key = models.UUIDField(unique=True)
    standing = models.CharField(max_length=10, choices=Standing.choices, default=Standing.PENDING)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(standing__in=Standing.values), name="reading_standing_known"
            ),
            models.CheckConstraint(
                condition=Q(standing=Standing.PENDING, entry__isnull=True)
                | ~Q(standing=Standing.PENDING) & Q(entry__isnull=False),
                name="reading_ended_has_entry",
            ),
            models.CheckConstraint(
                condition=Q(source=CAMERA, camera__isnull=False, keyed_by__isnull=True)
                & ~Q(picture="")
                | Q(source=BY_HAND, camera__isnull=True, keyed_by__isnull=False)
                & Q(number__isnull=False),
                name="reading_seen_or_keyed",
            ),
            models.CheckConstraint(
                condition=Q(confidence__lte=1000), name="reading_confidence_per_mille"
            ),
        ]
        indexes = [
            models.Index(fields=["game"], condition=Q(standing="pending"), name="reading_pending"),
        ]

    def __str__(self) -> str:
        return str(self.number or "?")
