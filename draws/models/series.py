"""The card matrix of a series (R3, R14-R19)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from halls.models import Hall


class Source(models.TextChoices):
    """Where a matrix came from."""

    EMITTED = "emitted"
    IMPORTED = "imported"
    TRANSFERRED = "transferred"


class Series(models.Model):
    """A published matrix: card n of every issue of it is the same card. It never changes.

    `version` counts the matrices of a letter in a hall; `columns` tells that no column is found
    twice either. `seed` names the seed of a matrix made for demonstration; it is empty for one
    made from the operating system's randomness.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="series")
    format = models.PositiveSmallIntegerField()
    rulebook = models.CharField(max_length=50)
    letter = models.CharField(max_length=5)
    version = models.PositiveIntegerField(default=1)
    size = models.PositiveIntegerField()
    columns = models.BooleanField(default=False)
    digest = models.CharField(max_length=64)
    source = models.CharField(max_length=11, choices=Source.choices, default=Source.EMITTED)
    seed = models.CharField(max_length=100, blank=True)
    published_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "series"
        constraints = [
            models.UniqueConstraint(fields=["hall", "digest"], name="matrix_once_a_hall"),
            models.UniqueConstraint(
                fields=["hall", "format", "letter", "version"], name="series_version_once"
            ),
            models.CheckConstraint(
                condition=Q(source__in=Source.values), name="series_source_known"
            ),
            models.CheckConstraint(condition=Q(size__gt=0), name="series_size_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.letter} ({self.size})"


class Card(models.Model):
    """One card of a matrix: rows of numbers, None where blank or free."""

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


class Pattern(models.Model):
    """A hall's own figure of the card of 75, drawn as rows of X and . from the top (R73 b, R76)."""

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="patterns")
    name = models.CharField(max_length=40)
    drawing = models.CharField(max_length=29)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hall", "name"], name="pattern_name_once_a_hall"),
            models.UniqueConstraint(fields=["hall", "drawing"], name="pattern_drawing_once_a_hall"),
        ]

    def __str__(self) -> str:
        return self.name
