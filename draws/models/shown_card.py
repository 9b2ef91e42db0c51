"""The picture of a called card, as the hall saw it while it was checked (R43)."""

from django.db import models
from django.db.models import Q

from draws.models.game import ClaimCheck
from halls.models import JournalEntry


class ShownCard(models.Model):
    """A picture of the card that a check is about; the last one of a check is what the hall sees.

    `picture` is the SHA-256 of its JPEG.
    """

    append_only = True

    claim = models.ForeignKey(ClaimCheck, models.PROTECT, related_name="shown")
    picture = models.CharField(max_length=64)
    seen_at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(picture__regex="^[0-9a-f]{64}$"), name="shown_card_has_picture"
            )
        ]

    def __str__(self) -> str:
        return f"{self.claim} {self.picture[:8]}"
