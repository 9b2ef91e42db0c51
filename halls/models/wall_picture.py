"""The hall's own pictures for its wall between two games: no facts of any game."""

from django.db import models

from halls.models.hall import Hall


class WallPicture(models.Model):
    """A JPEG that every screen of the wall shows in its turn; `digest` is its SHA-256 in hex."""

    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="wall_pictures")
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    jpeg = models.BinaryField()
    added_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hall", "digest"], name="wall_picture_once"),
        ]

    def __str__(self) -> str:
        return self.name
