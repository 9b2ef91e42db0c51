"""Models of cameras, enrolments of balls, certificates, and readings.

A camera looks at the exit of an extractor: how it is set up, and how it is now. An enrolment is a
hall's balls shown to a camera one by one, with the pictures and what they proved. A reading is a
ball that was read but not announced yet, or what came of it.
"""

import secrets

from django.db import models
from django.db.models import Q

from bingo.rules.steps.drawing import BY_HAND, CAMERA
from draws.models.game import Game
from halls.models import BallSet, Hall, JournalEntry, Person
from halls.models.constraints import check, unique


def new_salt() -> str:
    """Return what the digests of one camera's address are made with; nothing tells it."""
    return secrets.token_hex(32)


class Camera(models.Model):
    """One camera of a hall; `settings` are what `draws.balls.vision` needs to read by it.

    `url` may hold a password and is shown to nobody, nor is `salt`, with which the journal's digests
    of it are made. `health` is the code of what is wrong, empty
    when nothing is, since `health_at`; `seen_at` is the last beat of the process that watches it.
    """

    changes = (
        "url", "format", "settings", "active", "calibrated_at", "calibrated_by", "health", "health_at", "seen_at",
    )  # fmt: skip

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="cameras")
    name = models.CharField(max_length=60)
    url = models.CharField(max_length=500)
    salt = models.CharField(max_length=64, default=new_salt)
    format = models.PositiveSmallIntegerField(null=True)
    settings = models.JSONField(default=dict)
    active = models.BooleanField(default=True)
    calibrated_at = models.DateTimeField(null=True)
    calibrated_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    health = models.CharField(max_length=20, blank=True)
    health_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            unique("camera_name_once", "hall", "name"),
            check("camera_has_name", ~Q(name="")),
            check(
                "camera_calibrated_by_somebody",
                Q(calibrated_at__isnull=True, calibrated_by__isnull=True)
                | Q(calibrated_at__isnull=False, calibrated_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Purpose(models.TextChoices):
    """Why the balls are shown: to enrol a set, or to call it at a session's start or end (R23)."""

    ENROL = "enrol"
    OPENING = "opening"
    CLOSING = "closing"


class Enrolment(models.Model):
    """One time that the balls of a set pass a camera, from its beginning to its end.

    `minded_at` is the last beat of whatever looks at the camera for it, `troubled` the code of what
    it last said is in the way, empty when nothing is; `given_up` where nothing came of it.
    """

    changes = ("minded_at", "troubled", "ended_at", "given_up")

    camera = models.ForeignKey(Camera, models.PROTECT, related_name="enrolments")
    ball_set = models.ForeignKey(BallSet, models.PROTECT, related_name="enrolments")
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    begun_at = models.DateTimeField()
    begun_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    minded_at = models.DateTimeField(null=True)
    troubled = models.CharField(max_length=30, blank=True)
    ended_at = models.DateTimeField(null=True)
    given_up = models.BooleanField(default=False)
    key = models.UUIDField(unique=True)

    class Meta:
        constraints = [
            unique("one_open_enrolment_a_camera", "camera", condition=Q(ended_at__isnull=True)),
            check("enrolment_purpose_known", Q(purpose__in=Purpose.values)),
            check("enrolment_given_up_has_ended", Q(given_up=False) | Q(ended_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.ball_set}, {self.camera}"


class ShownBall(models.Model):
    """One picture of a ball before the camera: what was read, and which ball it truly was.

    Pictures of one `stay` are of one ball that was not taken away between. `number` is whom a
    person, or a list, says it is; None before. `plain` and `padded` are what the reader made of it,
    taking 6 to be printed as 6, or as 06: {number, confidence, reason, candidates}, shares per
    mille. `middle_x`, `middle_y` and `radius` are where the ball is in its picture, in hundredths of a
    pixel, `angle` how far its print is turned, in degrees; `marked` per mille.
    """

    changes = ("number", "dismissed")

    enrolment = models.ForeignKey(Enrolment, models.PROTECT, related_name="shown")
    stay = models.PositiveIntegerField()
    number = models.PositiveSmallIntegerField(null=True)
    dismissed = models.BooleanField(default=False)
    plain = models.JSONField()
    padded = models.JSONField()
    marked = models.PositiveSmallIntegerField(default=0)
    angle = models.PositiveSmallIntegerField(default=0)
    middle_x = models.PositiveIntegerField()
    middle_y = models.PositiveIntegerField()
    radius = models.PositiveIntegerField()
    picture = models.CharField(max_length=64)
    seen_at = models.DateTimeField()
    key = models.UUIDField(unique=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            check("dismissed_ball_has_no_number", Q(dismissed=False) | Q(number__isnull=True)),
            check("shown_ball_mark_per_mille", Q(marked__lte=1000)),
        ]
        indexes = [models.Index(fields=["enrolment", "stay"], name="shown_ball_by_stay")]

    def __str__(self) -> str:
        return str(self.number or "?")


class Certificate(models.Model):
    """What a finished enrolment proved of a camera and a set; the newest one holds.

    `threshold` is the least confidence, per mille, at which a ball of this set may be announced by
    itself before this camera, 0 where none may; `model` the SHA-256 of the network measured,
    `paper` that of the signed sheet's PDF; `found` all that was counted.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="camera_certificates")
    camera = models.ForeignKey(Camera, models.PROTECT, related_name="certificates")
    ball_set = models.ForeignKey(BallSet, models.PROTECT, related_name="certificates")
    enrolment = models.OneToOneField(Enrolment, models.PROTECT, related_name="certificate")
    threshold = models.PositiveSmallIntegerField()
    model = models.CharField(max_length=64)
    paper = models.CharField(max_length=64)
    found = models.JSONField()
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [check("certificate_threshold_per_mille", Q(threshold__lte=1000))]

    def __str__(self) -> str:
        return f"{self.camera}, {self.ball_set}, {self.entry.number}"


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

    changes = ("standing", "entry", "reason")

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
            check("reading_standing_known", Q(standing__in=Standing.values)),
            check(
                "reading_ended_has_entry",
                Q(standing=Standing.PENDING, entry__isnull=True)
                | ~Q(standing=Standing.PENDING) & Q(entry__isnull=False),
            ),
            check(
                "reading_seen_or_keyed",
                Q(source=CAMERA, camera__isnull=False, keyed_by__isnull=True) & ~Q(picture="")
                | Q(source=BY_HAND, camera__isnull=True, keyed_by__isnull=False)
                & Q(number__isnull=False),
            ),
            check("reading_confidence_per_mille", Q(confidence__lte=1000)),
        ]
        indexes = [
            models.Index(fields=["game"], condition=Q(standing="pending"), name="reading_pending"),
        ]

    def __str__(self) -> str:
        return str(self.number or "?")
