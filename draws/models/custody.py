"""Cards after their game: destroyed, held by a case, set aside, gone from the shelf (R51, R52).

What lies on the shelf needs no rows of its own: winning cards that were paid, used ones set aside,
less those that have left.
"""

from django.db import models
from django.db.models import Q

from bingo.rules.custody import DESTROYED, GONE_MISSING, HANDED_OVER, LONGEST_REFERENCE
from bingo.rules.signs import LONGEST_REASON
from bingo.rules.steps.claiming import LONGEST_PLACE
from draws.models.game import Game
from draws.models.issue import Issue
from halls.models import Hall, JournalEntry


class UsedDestruction(models.Model):
    """The used cards of a game destroyed after it; `missing` were not handed in (R51)."""

    append_only = True

    game = models.OneToOneField(Game, models.PROTECT, related_name="used_destruction")
    cards = models.PositiveIntegerField()
    missing = models.PositiveIntegerField()
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.game}: {self.cards}"


class CarriedCard(models.Model):
    """A called card that a floor assistant brought to the table; `call` is the call's entry (BOE III)."""

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="carried_cards")
    call = models.PositiveIntegerField()
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    card = models.PositiveIntegerField()
    place = models.CharField(max_length=LONGEST_PLACE, blank=True)
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "call", "issue", "card"], name="card_carried_once_a_call"
            ),
            models.CheckConstraint(condition=Q(card__gt=0), name="carried_card_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.card}"


class CardCollection(models.Model):
    """How many used cards of a game somebody has collected in all; the newest of theirs counts (R51)."""

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="collections")
    cards = models.PositiveIntegerField()
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.game}: {self.cards}"


class Case(models.Model):
    """A case about a game, which holds its cards while it is open; numbered in the hall (R52)."""

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="cases")
    number = models.PositiveIntegerField()
    game = models.ForeignKey(Game, models.PROTECT, related_name="cases")
    reference = models.CharField(max_length=LONGEST_REFERENCE)
    reason = models.CharField(max_length=LONGEST_REASON)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=LONGEST_REASON, blank=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hall", "number"], name="case_number_once_a_hall"),
            models.CheckConstraint(condition=Q(number__gt=0), name="case_number_positive"),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, outcome="")
                | Q(closed_at__isnull=False) & ~Q(outcome=""),
                name="case_closed_with_outcome",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.reference}"


class SetAside(models.Model):
    """A used card that a case keeps from being destroyed, for it may prove something (R51)."""

    append_only = True

    case = models.ForeignKey(Case, models.PROTECT, related_name="set_aside")
    game = models.ForeignKey(Game, models.PROTECT, related_name="set_aside")
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    card = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issue", "card"], name="card_set_aside_once_r51")
        ]

    def __str__(self) -> str:
        return f"{self.card}"


class Departure(models.Model):
    """A card that has left the shelf, destroyed, handed to the regulator or lost, once (R51, R52)."""

    append_only = True

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    card = models.PositiveIntegerField()
    how = models.CharField(max_length=12)
    at = models.DateTimeField()
    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="departures")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issue", "card"], name="card_leaves_shelf_once_r52"),
            models.CheckConstraint(
                condition=Q(how__in=[DESTROYED, HANDED_OVER, GONE_MISSING]), name="departure_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.card} {self.how}"
