"""A camera that looks at the exit of an extractor: how it is set up, and how it is now."""

import secrets

from django.db import models
from django.db.models import Q

from halls.models import Hall, Person


def new_salt() -> str:
    """Give what the digests of one camera's address are made with; nothing tells it."""
    return secrets.token_hex(32)


class Camera(models.Model):
    """One camera of a hall; `settings` are what `draws.vision` needs to read by it.

    `url` may hold a password and is shown to nobody, nor is `salt`, with which the journal's digests
    of it are made. `health` is the code of what is wrong, empty
    when nothing is, since `health_at`; `seen_at` is the last beat of the process that watches it.
    """

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
            models.UniqueConstraint(fields=["hall", "name"], name="camera_name_once"),
            models.CheckConstraint(condition=~Q(name=""), name="camera_has_name"),
            models.CheckConstraint(
                condition=Q(calibrated_at__isnull=True, calibrated_by__isnull=True)
                | Q(calibrated_at__isnull=False, calibrated_by__isnull=False),
                name="camera_calibrated_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.name
