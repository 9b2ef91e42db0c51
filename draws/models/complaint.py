"""Complaints of players, open until somebody decides them (R61 j)."""

from django.db import models
from django.db.models import Q

from bingo.rules.complaints import DECISIONS, LONGEST
from draws.models.game import Game
from draws.models.issue import Issue
from halls.models import JournalEntry, Session


class Complaint(models.Model):
    """A complaint, numbered in its session, with the game, ball, card and picture it is about.

    `ball` is the place among the game's balls as they stood when it was opened: a ball recalled
    later leaves its complaint as it was. `decided_by` is the entry that decided it.
    """

    session = models.ForeignKey(Session, models.PROTECT, related_name="complaints")
    number = models.PositiveIntegerField()
    text = models.CharField(max_length=LONGEST)
    game = models.ForeignKey(Game, models.PROTECT, null=True, related_name="complaints")
    ball = models.PositiveSmallIntegerField(null=True)
    issue = models.ForeignKey(Issue, models.PROTECT, null=True, related_name="+")
    card = models.PositiveIntegerField(null=True)
    picture = models.CharField(max_length=64, blank=True)
    opened_at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")
    decision = models.CharField(max_length=10, blank=True)
    reason = models.CharField(max_length=LONGEST, blank=True)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.OneToOneField(JournalEntry, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "number"], name="complaint_number_once_a_session"
            ),
            models.CheckConstraint(condition=Q(number__gt=0), name="complaint_number_positive"),
            models.CheckConstraint(
                condition=Q(issue__isnull=True, card__isnull=True)
                | Q(issue__isnull=False, card__isnull=False, game__isnull=False),
                name="complaint_card_of_an_issue",
            ),
            models.CheckConstraint(
                condition=Q(ball__isnull=True, picture="") | Q(ball__gt=0, game__isnull=False),
                name="complaint_ball_of_a_game",
            ),
            models.CheckConstraint(
                condition=Q(
                    decided_at__isnull=True, decided_by__isnull=True, decision="", reason=""
                )
                | Q(decided_at__isnull=False, decided_by__isnull=False, decision__in=DECISIONS)
                & ~Q(reason=""),
                name="complaint_decided_with_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session.number}/{self.number}"
