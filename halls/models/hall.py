"""A bingo hall."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q


class Hall(models.Model):
    """A hall; its journal's head is on this row, locked by whoever writes the next entry.

    What its jackpot holds is there too, `level_balances` of the levels beyond the first, in minor
    units. A training hall names the hall that it `trains`, for good: only there is anything of it
    real. It is left for another one at `trained_until`.
    """

    code = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    licence = models.CharField(max_length=100)
    language = models.CharField(max_length=5)
    currency = models.CharField(max_length=3)
    time_zone = models.CharField(max_length=50)
    rulebook = models.CharField(max_length=50)
    jackpot_balance = models.BigIntegerField(default=0)
    level_balances = ArrayField(models.PositiveBigIntegerField(), default=list)
    head_number = models.BigIntegerField(default=0)
    head_digest = models.CharField(max_length=64, default="0" * 64)
    head_at = models.DateTimeField(null=True)
    trains = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    trained_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(head_number__gte=0), name="hall_head_not_negative"),
            models.CheckConstraint(
                condition=Q(jackpot_balance__gte=0), name="hall_jackpot_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(trains__isnull=True) | ~Q(trains=F("pk")), name="hall_trains_another"
            ),
            models.CheckConstraint(
                condition=Q(trained_until__isnull=True) | Q(trains__isnull=False),
                name="hall_only_training_is_left",
            ),
            models.UniqueConstraint(
                fields=["trains"],
                condition=Q(trained_until__isnull=True),
                name="hall_has_one_training_hall",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_training(self) -> bool:
        """Whether nothing here is real."""
        return self.trains_id is not None
