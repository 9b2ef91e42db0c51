"""Prizes won, and their payment against the card (R44, R50)."""

from django.db import models
from django.db.models import F, Q

from draws.models.game import Game
from draws.models.issue import Issue
from halls.models import JournalEntry, Shift


class Prize(models.Model):
    """What one card has won for one combination, in minor units.

    Of `amount` the `tax` is withheld and `left_over` carried on, for coins cannot pay it.
    The prizes of a game that is voided afterwards are taken away (the journal keeps them).
    """

    deletable = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="prizes")
    combination = models.CharField(max_length=10)
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    card = models.PositiveIntegerField()
    amount = models.PositiveBigIntegerField()
    tax = models.PositiveBigIntegerField()
    left_over = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ["game", "combination", "issue", "card"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "combination", "issue", "card"], name="prize_once_a_card"
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=F("tax") + F("left_over")), name="prize_handed_over_within"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.combination} {self.card}"


class Payment(models.Model):
    """All that a winning card has won, paid out once; `amount` is what the player received."""

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="payments")
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    card = models.PositiveIntegerField()
    amount = models.PositiveBigIntegerField()
    shift = models.ForeignKey(Shift, models.PROTECT, related_name="payments")
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "issue", "card"], name="card_paid_once_r50")
        ]

    def __str__(self) -> str:
        return f"{self.card} {self.amount}"
