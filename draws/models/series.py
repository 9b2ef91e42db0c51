"""The card matrix of a series, and the issues of it that a hall has on its shelf (R3, R14-R19)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from halls.models import Hall


class Series(models.Model):
    """A published matrix: card n of every issue of it is the same card. It never changes.

    `seed` names the seed of a matrix made for demonstration; it is empty for one made from the
    operating system's randomness.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="series")
    format = models.PositiveSmallIntegerField()
    rulebook = models.CharField(max_length=50)
    letter = models.CharField(max_length=5)
    size = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, unique=True)
    seed = models.CharField(max_length=100, blank=True)
    published_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return f"{self.letter} ({self.size})"


class Card(models.Model):
    """One card of a matrix: rows of numbers, None where blank."""

    append_only = True

    series = models.ForeignKey(Series, models.PROTECT, related_name="cards")
    number = models.PositiveIntegerField()
    rows = ArrayField(ArrayField(models.PositiveSmallIntegerField(null=True)))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["series", "number"], name="card_number_once_a_series"),
            models.CheckConstraint(condition=Q(number__gt=0), name="card_number_from_one"),
        ]

    def __str__(self) -> str:
        return str(self.number)


class Issue(models.Model):
    """Printed cards of a series with one identification and one price (R16-R18).

    `last_sold` is the number of the last card sold, 0 for a fresh issue (R37).
    """

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="issues")
    series = models.ForeignKey(Series, models.PROTECT, related_name="issues")
    identification = models.CharField(max_length=20)
    face = models.PositiveIntegerField()
    received_at = models.DateTimeField()
    last_sold = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["hall", "identification"], name="issue_identification_once_a_hall"
            ),
            models.CheckConstraint(condition=Q(face__gt=0), name="issue_face_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.series.letter} {self.identification}"
