"""Models of cards: series, issues on the shelf and what happens to them, prints (R3, R14-R19).

A series holds its card matrix. A print is ordered at the page and drawn by the worker.
"""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, RangeBoundary, RangeOperators
from django.db import models
from django.db.models import F, Func, Q

from bingo.money_and_dates import Whole
from bingo.rules.stock import BoxPlace
from halls.models import Authorisation, Hall, JournalEntry
from halls.models.constraints import check, unique


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
            unique("matrix_once_a_hall", "hall", "digest"),
            unique("series_version_once", "hall", "format", "letter", "version"),
            check("series_source_known", Q(source__in=Source.values)),
            check("series_size_positive", Q(size__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.letter} ({Whole(self.size)})"


class Card(models.Model):
    """One card of a matrix: rows of numbers, None where blank or free."""

    append_only = True

    series = models.ForeignKey(Series, models.PROTECT, related_name="cards")
    number = models.PositiveIntegerField()
    rows = ArrayField(ArrayField(models.PositiveSmallIntegerField(null=True)))

    class Meta:
        constraints = [
            unique("card_number_once_a_series", "series", "number"),
            check("card_number_from_one", Q(number__gt=0)),
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
            unique("pattern_name_once_a_hall", "hall", "name"),
            unique("pattern_drawing_once_a_hall", "hall", "drawing"),
        ]

    def __str__(self) -> str:
        return self.name


class CardRange(Func):
    """The int4range first..last, both ends in it."""

    function = "int4range"


def issue_cards() -> CardRange:
    """Return the range from `first` to `last`, both ends in it."""
    return CardRange("first", "last", RangeBoundary(inclusive_upper=True))


def card_once(name: str, *within: str) -> ExclusionConstraint:
    """Return the constraint by which no card is in two ranges of the same `within`, else of one issue."""
    same = [(field, RangeOperators.EQUAL) for field in within or ("issue",)]
    cards = (issue_cards(), RangeOperators.OVERLAPS)
    return ExclusionConstraint(name=name, expressions=[*same, cards])


class OfCards(models.Model):
    """Cards first..last of an issue, both of them in it."""

    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


class Issue(models.Model):
    """Printed cards of a series with one identification and one price (R16-R18).

    `place` is where the box stands; whether it is on sale or exhausted follows from its games and
    `last_sold`, the number of the last card sold or passed over, 0 for a fresh issue (R37).
    `double`: each card is good for two games (R15). `symbols`: printed with the thirty symbols
    (R80). `figure`: the pattern drawn on its cards as rows of X and ., empty for none (R76).
    """

    changes = ("place", "last_sold")

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
        max_length=9,
        choices=[(place.value, place.value) for place in BoxPlace],
        default=BoxPlace.SHELF,
    )
    received_at = models.DateTimeField()
    last_sold = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            unique("issue_identification_once_a_hall", "hall", "identification"),
            check("issue_face_positive", Q(face__gt=0)),
            check("issue_place_known", Q(place__in=[place.value for place in BoxPlace])),
        ]

    def __str__(self) -> str:
        return f"{self.series.letter} {self.identification}"


class Retirement(OfCards):
    """Cards first..last of an issue that will never be sold, and why."""

    append_only = True

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="retirements")
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            check("retirement_not_empty", Q(first__gt=0, last__gte=F("first"))),
            card_once("card_retired_once"),
        ]


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
            check("recount_difference_has_comment", Q(counted=F("expected")) | ~Q(comment="")),
        ]

    def __str__(self) -> str:
        return f"{self.counted} of {self.expected}"


class Transfer(models.Model):
    """An issue on its way to another hall; `arrived` is the issue it became there."""

    changes = ("arrived", "recalled_at")

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="transfers")
    to = models.ForeignKey(Hall, models.PROTECT, related_name="arrivals")
    sent_at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")
    arrived = models.OneToOneField(Issue, models.PROTECT, null=True, related_name="arrival")
    recalled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            unique(
                "one_open_transfer_an_issue",
                "issue",
                condition=Q(arrived__isnull=True, recalled_at__isnull=True),
            ),
            check(
                "transfer_arrives_or_is_recalled",
                Q(arrived__isnull=True) | Q(recalled_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.issue} → {self.to}"


class PrintState(models.TextChoices):
    """How far a print has come."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


class PrintJob(OfCards):
    """Cards first..last of an issue on paper.

    `copies` holds [first, last, copy]: copy 0 is the first print of those cards, k the k-th
    reprint, which the cards say. `drawn` counts the cards drawn so far, `losses` the workers lost
    over it. `digest` is the SHA-256 of the file.
    """

    changes = ("state", "drawn", "pages", "digest", "fault", "losses", "started_at", "ended_at")

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="prints")
    paper = models.CharField(max_length=10)
    code = models.CharField(max_length=10)
    back = models.BooleanField(default=False)
    crop = models.BooleanField(default=False)
    reason = models.CharField(max_length=500, blank=True)
    copies = models.JSONField()
    state = models.CharField(
        max_length=10, choices=PrintState.choices, default=PrintState.QUEUED, db_index=True
    )
    drawn = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(null=True)
    digest = models.CharField(max_length=64, blank=True)
    fault = models.CharField(max_length=200, blank=True)
    losses = models.PositiveSmallIntegerField(default=0)
    ordered_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            check("print_not_empty", Q(first__gt=0, last__gte=F("first"))),
            check("print_state_known", Q(state__in=PrintState.values)),
            check(
                "print_done_has_file",
                ~Q(state=PrintState.DONE)
                | Q(pages__isnull=False, ended_at__isnull=False) & ~Q(digest=""),
            ),
            check("print_drawn_within_range", Q(drawn__lte=F("last") - F("first") + 1)),
        ]

    def __str__(self) -> str:
        return f"{self.issue} {self.first}-{self.last}"
