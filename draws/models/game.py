"""Models of a game: balls, checks of claims, prizes, payments, and the picture of a called card.

They are written in the transaction that writes the journal. A payment is made against the card
(R44, R50). The picture is the called card as the hall saw it while it was checked (R43).
"""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from bingo.rules.session_state import Phase
from draws.models.cards import Issue
from halls.models import BallSet, Device, JournalEntry, Session, Shift
from halls.models.constraints import check, unique


class Game(models.Model):
    """One game; its figures are what its facts replay to (money in minor units).

    `issue` is the one it opened with; `further` are second ones (R38) and those of other prices.
    `first_half` is the game in which double cards were sold that this one goes on with (R15).
    `gross` is what its cards brought, of double cards the half of it. `commitment` is the SHA-256
    to which the RNG has bound itself for this game, if it has. `ball_set` and `extractor` are those
    of its first ball that was none of the RNG's, where the hall has its sets in its books (R25).
    """

    changes = (
        "phase", "ended_at", "cards", "gross", "line", "bingo", "accrual", "void", "ball_set", "extractor", "commitment",
    )  # fmt: skip

    session = models.ForeignKey(Session, models.PROTECT, related_name="games")
    number = models.PositiveIntegerField()
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="games")
    further = models.ManyToManyField(Issue, related_name="+")
    first_half = models.OneToOneField("self", models.PROTECT, null=True, related_name="second_half")
    phase = models.CharField(max_length=10, choices=[(phase.value, phase.value) for phase in Phase])
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    face = models.PositiveIntegerField()
    cards = models.PositiveIntegerField(default=0)
    gross = models.PositiveBigIntegerField(default=0)
    line = models.PositiveBigIntegerField(default=0)
    bingo = models.PositiveBigIntegerField(default=0)
    accrual = models.PositiveBigIntegerField(default=0)
    void = models.CharField(max_length=500, blank=True)
    ball_set = models.ForeignKey(BallSet, models.PROTECT, null=True, related_name="drawn")
    extractor = models.ForeignKey(Device, models.PROTECT, null=True, related_name="drawn")
    commitment = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - or none

    class Meta:
        constraints = [
            unique("game_number_once", "session", "number"),
            unique("one_open_game_a_session", "session", condition=~Q(phase="complete")),
            check("game_phase_known", Q(phase__in=[phase.value for phase in Phase])),
            check("game_complete_has_ended", ~Q(phase="complete") | Q(ended_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.session} / {self.number}"


class Ball(models.Model):
    """A ball announced in a game; a recalled one leaves its place (the journal keeps it).

    `picture` is the SHA-256 of its JPEG, empty without one; `confidence` is per mille.
    """

    # It goes by `take_back_ball` alone (draws/migrations/sql/0004_rights.sql).
    changes = ()

    game = models.ForeignKey(Game, models.PROTECT, related_name="balls")
    order = models.PositiveSmallIntegerField()
    previous = models.PositiveSmallIntegerField(null=True)
    number = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=10)
    picture = models.CharField(max_length=64, blank=True)
    confidence = models.PositiveSmallIntegerField(null=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["game", "order"]
        constraints = [
            unique("ball_once_a_game", "game", "number"),
            unique("ball_order_once", "game", "order"),
            check("ball_order_without_gap", Q(order=Coalesce(F("previous"), 0) + 1)),
            check("ball_number_positive", Q(number__gt=0)),
        ]

    def __str__(self) -> str:
        return str(self.number)


class ClaimCheck(models.Model):
    """A called card that was looked at, right or wrong (R43)."""

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="checks")
    combination = models.CharField(max_length=10)
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    card = models.PositiveIntegerField()
    valid = models.BooleanField()
    reason = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            unique(
                "claim_right_once", "game", "combination", "issue", "card", condition=Q(valid=True)
            ),
            check(
                "claim_wrong_has_reason", Q(valid=True, reason="") | Q(valid=False) & ~Q(reason="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.combination} {self.card}"


class Prize(models.Model):
    """What one card has won for one combination, in minor units.

    Of `amount` the `tax` is withheld and `left_over` carried on, for coins cannot pay it.
    The prizes of a game that is voided afterwards are taken away (the journal keeps them).
    """

    # They go by `drop_prizes` alone (draws/migrations/sql/0004_rights.sql).
    changes = ()

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
            unique("prize_once_a_card", "game", "combination", "issue", "card"),
            check("prize_handed_over_within", Q(amount__gte=F("tax") + F("left_over"))),
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
        constraints = [unique("card_paid_once_r50", "game", "issue", "card")]

    def __str__(self) -> str:
        return f"{self.card} {self.amount}"


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
        constraints = [check("shown_card_has_picture", Q(picture__regex="^[0-9a-f]{64}$"))]

    def __str__(self) -> str:
        return f"{self.claim} {self.picture[:8]}"
