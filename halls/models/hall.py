"""A bingo hall, and what its regulator has granted it."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q


class Hall(models.Model):
    """A hall; its journal's head is on this row, locked by whoever writes the next entry."""

    code = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    licence = models.CharField(max_length=100)
    language = models.CharField(max_length=5)
    currency = models.CharField(max_length=3)
    time_zone = models.CharField(max_length=50)
    rulebook = models.CharField(max_length=50)
    jackpot_balance = models.BigIntegerField(default=0)
    head_number = models.BigIntegerField(default=0)
    head_digest = models.CharField(max_length=64, default="0" * 64)
    head_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(head_number__gte=0), name="hall_head_not_negative"),
            models.CheckConstraint(
                condition=Q(jackpot_balance__gte=0), name="hall_jackpot_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Authorisation(models.Model):
    """What the regulator grants a hall from a day on: prices, shares, jackpot, tax (R7, R9, R17)."""

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="authorisations")
    reference = models.CharField(max_length=100)
    valid_from = models.DateField()
    valid_until = models.DateField(null=True)
    faces = ArrayField(models.PositiveIntegerField())
    line_share = models.PositiveIntegerField()
    bingo_share = models.PositiveIntegerField()
    jackpot_rate = models.PositiveIntegerField(default=0)
    jackpot_limit = models.PositiveIntegerField(default=0)
    jackpot_base = models.PositiveBigIntegerField(default=0)
    tax_rate = models.PositiveIntegerField(default=0)
    tax_threshold = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_until__isnull=True) | Q(valid_until__gte=F("valid_from")),
                name="authorisation_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(line_share__lte=10_000 - F("bingo_share")),
                name="authorisation_shares_within_sales",
            ),
            models.CheckConstraint(
                condition=Q(jackpot_rate=0) | Q(jackpot_limit__gt=0),
                name="authorisation_jackpot_has_limit_r9",
            ),
        ]

    def __str__(self) -> str:
        return self.reference
