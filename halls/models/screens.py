"""Models of the wall's screens and the hall's own pictures: no facts of any game.

A screen has a name and the part it plays. Pictures are shown between two games.
"""

from datetime import timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from halls.models.constraints import check, unique
from halls.models.hall import Hall

GONE = timedelta(seconds=25)  # silent for so long, a screen is not connected


class WallRole(models.TextChoices):
    """What a wall board shows of the one state that all are sent."""

    EVERYTHING = "everything", _("Everything")
    NUMBERS = "numbers", _("Numbers called")
    LAST = "last", _("Last ball")
    PRIZES = "prizes", _("Price, cards and prizes")
    CHECK = "check", _("Card being checked")
    CAMERA = "camera", _("The extractor, live")


class WallScreen(models.Model):
    """One television: `code` is what it shows until the manager gives it a name.

    `token` is the SHA-256 of what its browser keeps; it opens nothing but the board. It has been
    connected since `connected_at` if it was seen a moment ago, and shows its name large until
    `pointed_until`.
    """

    changes = ("connected_at", "seen_at", "name", "role", "pointed_until")
    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="wall_screens")
    token = models.CharField(max_length=64, unique=True)
    code = models.CharField(max_length=4)
    name = models.CharField(max_length=40, blank=True)
    role = models.CharField(max_length=10, choices=WallRole, default=WallRole.EVERYTHING)
    connected_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    pointed_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            unique("wall_screen_code_once", "hall", "code"),
            check("wall_screen_role_known", models.Q(role__in=WallRole.values)),
            check(
                "wall_screen_seen_since_connected", models.Q(seen_at__gte=models.F("connected_at"))
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.code


class WallPicture(models.Model):
    """A JPEG that every screen of the wall shows in its turn; `digest` is its SHA-256 in hex."""

    changes = ()
    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="wall_pictures")
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    jpeg = models.BinaryField()
    added_at = models.DateTimeField()

    class Meta:
        constraints = [
            unique("wall_picture_once", "hall", "digest"),
        ]

    def __str__(self) -> str:
        return self.name
