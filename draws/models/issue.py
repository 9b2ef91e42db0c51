"""The issues of a series that a hall has on its shelf, and what happens to them (R3, R15-R19)."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeBoundary, RangeOperators
from django.db import models
from django.db.models import F, Func, Q

from bingo.rules.stock import Place
from draws.models.series import Series
from halls.models import Authorisation, Hall, JournalEntry


class CardRange(Func):
    """The int4range first..last, both ends in it."""

    function = "int4range"


def cards(first: str = "first", last: str = "last") -> CardRange:
    """Give the range between two fields, both ends in it, for an exclusion constraint."""
    return CardRange(first, last, RangeBoundary(inclusive_upper=True))


class Issue(models.Model):
    """Printed cards of a series with one identification and one price (R16-R18).

    `place` is where the box stands; whether it is on sale or exhausted follows from its games and
    `last_sold`, the number of the last card sold or passed over, 0 for a fresh issue (R37).
    `double`: each card is good for two games (R15). `symbols`: printed with the thirty symbols
    (R80). `figure`: the pattern drawn on its cards as rows of X and ., empty for none (R76).
    """

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="issues")
    series = models.ForeignKey(Series, models.PROTECT, related_name="issues")
    authorisation = models.ForeignKey(Authorisation, models.PROTECT, null=True, related_name="+")
    identification = models.CharField(max_length=20)
    face = models.PositiveIntegerField()
    face_colour = models.CharField(max_length=20, default="white")
    back_colour = models.CharField(max_length=20, default="grey")
    double = models.BooleanField(default=False)
    symbols = models.BooleanField(default=False)
    figure = models.CharField(max_length=29, blank=True)
    place = models.CharField(
        max_length=9, choices=[(place.value, place.value) for place in Place], default=Place.SHELF
    )
    received_at = models.DateTimeField()
    last_sold = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["hall", "identification"], name="issue_identification_once_a_hall"
            ),
            models.CheckConstraint(condition=Q(face__gt=0), name="issue_face_positive"),
            models.CheckConstraint(
                condition=Q(place__in=[place.value for place in Place]), name="issue_place_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.series.letter} {self.identification}"


class Retirement(models.Model):
    """Cards first..last of an issue that will never be sold, and why."""

    append_only = True

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="retirements")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(first__gt=0, last__gte=F("first")), name="retirement_not_empty"
            ),
            ExclusionConstraint(
                name="card_retired_once",
                expressions=[("issue", RangeOperators.EQUAL), (cards(), RangeOperators.OVERLAPS)],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


class Recount(models.Model):
    """The unsold cards of an issue counted by hand, against what the system expects."""

    append_only = True

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="recounts")
    expected = models.PositiveIntegerField()
    counted = models.PositiveIntegerField()
    comment = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(counted=F("expected")) | ~Q(comment=""),
                name="recount_difference_has_comment",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.counted} of {self.expected}"


class Transfer(models.Model):
    """An issue on its way to another hall; `arrived` is the issue it became there."""

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="transfers")
    to = models.ForeignKey(Hall, models.PROTECT, related_name="arrivals")
    sent_at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")
    arrived = models.OneToOneField(Issue, models.PROTECT, null=True, related_name="arrival")
    recalled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["issue"],
                condition=Q(arrived__isnull=True, recalled_at__isnull=True),
                name="one_open_transfer_an_issue",
            ),
            models.CheckConstraint(
                condition=Q(arrived__isnull=True) | Q(recalled_at__isnull=True),
                name="transfer_arrives_or_is_recalled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.issue} → {self.to}"
